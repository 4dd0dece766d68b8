/*
 * state: everything that a link to a view must say. It lives in the URL's hash, by
 * names, so that it survives a reload and a picture drawn anew; undo, redo and the
 * back button walk through it.
 */

/* The state of a picture that nobody has touched. */
const firstState = ({options, columns}) => ({
	zoom: [],
	range: [],
	upper: false,
	search: '',
	mark: '',
	mode: options.mode,
	view: isDiff(columns) ? 'diff' : '',
	column: options.widths === 'sum' ? 'sum' : columns[0],
	system: true,
	recursion: false,
	reverse: false,
	flip: options.inverted,
	sandwich: '',
	filters: [],
	own: false,
	share: false,
	tab: 'inspector',
	theme: ''
});

const unzoomed = {zoom: [], range: [], upper: false};

/* Lists are written with `;` before each name, which no name holds. */
const asText = value => (Array.isArray(value) ? value.map(v => ';' + v).join('') : String(value));
const fromText = (text, like) =>
	Array.isArray(like)
		? text.split(';').slice(1)
		: typeof like === 'boolean'
			? text === 'true'
			: text;

function toHash(state) {
	const query = new URLSearchParams(),
		first = firstState(picture);
	for (const key in state)
		if (asText(state[key]) !== asText(first[key])) query.set(key, asText(state[key]));
	return '#' + query;
}

/* What a link says may be of another picture: what is not there falls back. */
function fromHash(hash) {
	const query = new URLSearchParams(hash.slice(1)),
		state = firstState(picture),
		{columns} = picture;
	const valid = {
		mode: modesOf(picture),
		view: isDiff(columns) ? ['base', 'head', 'diff'] : [''],
		column: [...columns, 'sum'],
		tab: ['inspector', 'functions', 'help', 'none'],
		theme: ['', 'light', 'dark']
	};
	for (const key in state) {
		const value = query.has(key) ? fromText(query.get(key), state[key]) : state[key];
		if (!valid[key] || valid[key].includes(value)) state[key] = value;
	}
	state.filters = state.filters.filter(f => /^(hide|focus):\w+:/.test(f));
	if (!facts.id(state.sandwich)) state.sandwich = '';
	return state;
}

const past = [],
	future = [];

/*
 * Change the state and show it. how: 'push' is a step that undo and the back button
 * know, 'replace' is not. Returns null, or a promise when a search goes on.
 */
function update(patch, how = 'push') {
	const before = {...showing};
	Object.assign(showing, patch);
	if (toHash(showing) !== toHash(before)) {
		if (how === 'push') {
			past.push(before);
			future.length = 0;
		}
		writeHash(how);
	}
	return refresh();
}

function writeHash(how) {
	try {
		history[how + 'State'](null, '', toHash(showing));
	} catch {
		/* A sandboxed frame has no history; undo and redo work all the same. */
	}
}

/* One step back (from past to future) or forward (the other way). */
function retrace(from, to) {
	if (!from.length) return;
	to.push({...showing});
	Object.assign(showing, from.pop());
	writeHash('replace');
	refresh();
}

/* The back button, or a hash that somebody typed. */
function followHash() {
	const state = fromHash(location.hash);
	if (toHash(state) === toHash(showing)) return;
	past.push({...showing});
	Object.assign(showing, state);
	refresh();
}
