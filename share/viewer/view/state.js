/*
 * state: all that a link to a view must contain. It is stored in the URL's hash, by names, so
 * it stays valid after a reload and in a new picture. Undo, redo and the back button step
 * through states.
 */

/* Widths in a differential: base's or head's, both mirrored, or the larger one. */
const VIEWS = ['base', 'head', 'both', 'diff'];

/* The reader's choice of root on top or at the bottom, in all pictures but flame charts. */
const choice = {};
const CHOICE = 'fg-root-on-top';

function readChoice() {
	try {
		const text = localStorage.getItem(CHOICE);
		if (text && !picture.options.flamechart) choice.flip = text === 'true';
	} catch {
		/* A sandboxed frame has no storage. */
	}
}

function writeChoice(flip) {
	try {
		if (!picture.options.flamechart) localStorage.setItem(CHOICE, flip);
	} catch {
		/* nor here */
	}
}

/* The initial state of a picture. */
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
	fold: Boolean(options.fold),
	flip: Boolean(choice.flip ?? options.inverted),
	sandwich: '',
	filters: [],
	own: false,
	/* Each difference of exact values is a fact. */
	noise: options.exact ? '0' : '2',
	share: false,
	tab: 'summary',
	panel: '',
	theme: ''
});

const unzoomed = {zoom: [], range: [], upper: false};

/* A list is written with `;` before each name, which a name cannot contain. */
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

/* A link may be from another picture: values that do not exist here get their defaults. */
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
	if (!(state.panel >= LEAST_PANEL && state.panel <= MOST_PANEL)) state.panel = '';
	const end = performance.now() + LIMIT;
	state.filters = state.filters
		.map(asFilter)
		.filter(entry => isFilter(entry, end))
		.slice(0, MOST_FILTERS);
	if (state.sandwich) state.sandwich = facts.functionCalled(state.sandwich);
	if (state.mark) {
		const [kind, name] = groupParts(state.mark);
		if (kind === 'match' && !isQuick(name, end)) state.mark = '';
		if (kind === 'function') state.mark = 'function:' + (facts.functionCalled(name) || name);
	}
	return state;
}

/* A filter, with its function named as on this page. */
const asFilter = entry => {
	const {what, kind, name} = filterParts(entry);
	return kind === 'function' ? `${what}:function:${facts.functionCalled(name)}` : entry;
};

/* The appearance of the page, which undo does not change. */
const LOOKS = ['mode', 'own', 'noise', 'theme', 'tab', 'panel'];

const past = [],
	future = [];

/*
 * Changes the state and shows it. how: 'push' adds a step for undo and the back button,
 * 'replace' does not. Returns null, or a promise if it takes longer.
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

/* With more frames another tree takes long enough to show a sign of work first. */
const MANY = 400000;
const TREE = ['time', 'system', 'recursion', 'filters', 'reverse', 'sandwich', 'order'];

/* Shows the state now or, if that takes a while, after the page has shown a sign of work. */
function refreshSoon(before) {
	const slow =
		picture.tree.n > MANY && TREE.some(key => asText(showing[key]) !== asText(before[key]));
	if (!slow) return refresh();
	ui.page.classList.add('busy');
	say('Working …');
	const done = new Promise(resolve => work.waiting.push(resolve));
	requestAnimationFrame(() => setTimeout(settle));
	/* A hidden page does not paint. */
	setTimeout(settle, 100);
	return done;
}

/* Callbacks that wait for the sign of work to be painted before a long refresh. */
const work = {waiting: []};

/* Finishes a refresh that waits for the page to be painted. */
function settle() {
	if (work.waiting.length) refresh();
}

/* A picture embedded in a page does not change the page's address. */
const ownsPage = () => picture.svg === document.documentElement;

/* Mark of the viewer's entries in the browser history. */
const STEP = {fg: 1};

/*
 * The address and the history are written when the user reaches for them (see listen()) or the
 * view rests, because writing takes a browser longer than drawing. Quick steps become one step
 * of the back button. The first step is written at once, so that the back button always works.
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
			/* A sandboxed frame has no history; undo and redo still work. */
		}
		untold.last = hash;
	}
}

/* Shows another state with the current appearance. */
function goTo(state) {
	const before = {...showing};
	for (const key of LOOKS) state[key] = showing[key];
	Object.assign(showing, state);
	forgetTyping();
	writeHash('replace');
	return refreshSoon(before);
}

/* One step back (from past to future) or forward (the reverse). */
function retrace(from, to) {
	if (!from.length) return 'Nothing left to undo or redo';
	to.push({...showing});
	return goTo(from.pop());
}

/*
 * Handles the back button, which keeps the appearance, and an edited address. Unwritten steps
 * are written first: from one of these, back leads to the step before it.
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
