/*
 * state: everything that a link to a view must say. It lives in the URL's hash, by
 * names, so that it survives a reload and a picture drawn anew; undo, redo and the
 * back button walk through it.
 */

/* Of base and head: each as wide as it is, both mirrored, or as wide as the larger. */
const VIEWS = ['base', 'head', 'both', 'diff'];

/* The state of a picture that nobody has touched. */
const firstState = ({options, columns}) => ({
	time: [],
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
	order: '',
	fold: false,
	flip: Boolean(options.inverted),
	sandwich: '',
	filters: [],
	own: false,
	noise: '2',
	share: false,
	tab: 'summary',
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
	if (!hash) return state;
	const valid = {
		mode: modesOf(picture),
		view: isDiff(columns) ? VIEWS : [''],
		noise: Array.from({length: 201}, (_, k) => String(k / 10)),
		column: [...columns, 'sum'],
		tab: ['summary', 'inspector', 'functions', 'tree', 'help', 'none'],
		order: ['', 'weight'],
		theme: ['', 'light', 'dark']
	};
	for (const key in state) {
		const value = query.has(key) ? fromText(query.get(key), state[key]) : state[key];
		if (!valid[key] || valid[key].includes(value)) state[key] = value;
	}
	const [from, to] = state.time.map(Number);
	if (!picture.options.strip || state.time.length !== 2 || !(from >= 0 && from < to)) state.time = [];
	state.filters = state.filters.map(asFilter).filter(isFilter).slice(0, MOST_FILTERS);
	if (state.sandwich) state.sandwich = facts.functionCalled(state.sandwich);
	if (state.mark) {
		const [kind, name] = groupParts(state.mark);
		if (kind === 'function') state.mark = 'function:' + (facts.functionCalled(name) || name);
	}
	return state;
}

/* A filter, its function named as this page names functions. */
const asFilter = entry => {
	const {what, kind, name} = filterParts(entry);
	return kind === 'function' ? `${what}:function:${facts.functionCalled(name)}` : entry;
};

/* How the page looks, which is no step of looking at the profile: undo leaves it as it is. */
const LOOKS = ['mode', 'own', 'noise', 'theme', 'tab'];

const past = [],
	future = [];

/*
 * Change the state and show it. how: 'push' is a step that undo and the back button
 * know, 'replace' is not. Returns null, or a promise when it goes on.
 */
function update(patch, how = 'push') {
	const before = {...showing};
	Object.assign(showing, patch);
	if (Object.keys(patch).some(key => asText(showing[key]) !== asText(before[key]))) {
		if (how === 'push' && Object.keys(patch).every(key => LOOKS.includes(key))) how = 'replace';
		if (how === 'push') {
			past.push(before);
			future.length = 0;
		}
		writeHash(how);
	}
	return refreshSoon(before);
}

/* From so many frames on another tree takes long enough for a sign of life first. */
const MANY = 400000;
const TREE = ['time', 'system', 'recursion', 'filters', 'reverse', 'sandwich', 'order'];

/* Show the state now, or, where that takes a while, when the page has said that it is at work. */
function refreshSoon(before) {
	const slow =
		picture.tree.n > MANY && TREE.some(key => asText(showing[key]) !== asText(before[key]));
	if (!slow) return refresh();
	ui.page.classList.add('busy');
	say('Working …');
	const done = new Promise(resolve => work.waiting.push(resolve));
	requestAnimationFrame(() => setTimeout(settle));
	/* A page that nobody sees paints nothing. */
	setTimeout(settle, 100);
	return done;
}

/* Who waits for the page to be painted before a refresh that takes a while. */
const work = {waiting: []};

/* Finish what waits for the page to be painted. */
function settle() {
	if (work.waiting.length) refresh();
}

/* A picture that stands in a page leaves the page's address alone. */
const ownsPage = () => picture.svg === document.documentElement;

/* Entries of the history that are steps of ours carry this mark. */
const STEP = {fg: 1};

/*
 * The address and the entries of the history are written when somebody goes for them (listen()
 * sees that) or the view rests, since that takes a browser longer than the picture takes to
 * draw. Steps in quick succession are one of the back button's. The first step is written at
 * once: there is always one to go back to.
 */
const RESTS = 3000;
const QUICK = 600;
const untold = {steps: [], when: -Infinity, timer: 0, last: ''}; /* steps: [how, state] */

function writeHash(how) {
	if (!ownsPage()) return;
	const {steps} = untold,
		now = performance.now(),
		state = {...showing};
	if (steps.length && (how !== 'push' || now - untold.when < QUICK)) {
		const last = steps[steps.length - 1];
		if (how === 'push') last[0] = how;
		last[1] = state;
	} else {
		steps.push([how, state]);
	}
	if (how === 'push') untold.when = now;
	clearTimeout(untold.timer);
	if (how === 'push' && !untold.last) tellAddress();
	else untold.timer = setTimeout(tellAddress, RESTS);
}

function tellAddress() {
	clearTimeout(untold.timer);
	for (const [how, state] of untold.steps.splice(0)) {
		const hash = toHash(state);
		if (hash === (location.hash || '#')) continue;
		try {
			if (how === 'push' && !history.state?.fg) history.replaceState(STEP, '');
			history[how + 'State'](STEP, '', hash);
		} catch {
			/* A sandboxed frame has no history; undo and redo work all the same. */
		}
		untold.last = hash;
	}
}

/* Show another state, with the looks of now. */
function goTo(state) {
	const before = {...showing};
	for (const key of LOOKS) state[key] = showing[key];
	Object.assign(showing, state);
	forgetTyping();
	writeHash('replace');
	return refreshSoon(before);
}

/* One step back (from past to future) or forward (the other way). */
function retrace(from, to) {
	if (!from.length) return 'No step is left';
	to.push({...showing});
	return goTo(from.pop());
}

/*
 * The back button, whose steps keep the looks, or an address that somebody typed. From a step
 * that is not written yet the way back is to the one before it: those are written now.
 */
function followHash(event) {
	const step = event.state?.fg;
	if (step && untold.steps.some(([how]) => how === 'push')) {
		history.pushState(STEP, '', untold.last);
		untold.steps.pop();
		tellAddress();
	}
	clearTimeout(untold.timer);
	untold.steps = [];
	untold.last = location.hash;
	const state = fromHash(location.hash);
	if (toHash(state) === toHash(showing)) return;
	past.push({...showing});
	if (step) {
		goTo(state);
		tellAddress();
		return;
	}
	Object.assign(showing, state);
	forgetTyping();
	refresh();
}
