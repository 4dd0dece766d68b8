/*
 * filters: the meaning of the state's focus, hide and drop filters, and of "system calls off":
 * regular expressions that fg-filter interprets alike, so that a view can be written as a
 * command. They are matched as in fg-filter: bytewise, on the name with and without its
 * annotations. One filter hides the functions that are not in the profile's languages.
 */

/* A filter: "hide:function:NAME"; the first part is one of FILTERS, the second one of KINDS. */
const FILTERS = {
	only: 'only ',
	focus: 'only stacks with ',
	hide: 'hidden: ',
	drop: 'without stacks with '
};
const KINDS = ['function', 'module', 'match', 'change', 'language'];

function filterParts(entry) {
	const [what, kind = ''] = entry.split(':', 2);
	return {what, kind, name: entry.slice(what.length + kind.length + 2)};
}

/* True for an accepted pattern with which the names of the profile can be tested in time. */
const isQuick = (pattern, end) =>
	!unlike(pattern) && matchFlags(pattern, end) && !stopped.has(pattern);

const isFilter = (entry, end) => {
	const {what, kind, name} = filterParts(entry);
	return (
		Object.hasOwn(FILTERS, what) &&
		name !== '' &&
		(what === 'only'
			? kind === 'origin' && name.split(',').every(word => originWords().includes(word))
			: KINDS.includes(kind)
				? (kind !== 'match' || isQuick(name, end)) && !misnamed(kind, name)
				: entry === hideNative())
	);
};

/*
 * The filter by origin is "only:origin:user,library", and the first one: an inlined function has the
 * origin of the function around it, which another filter may hide.
 */
const originWords = () => MODES.origin.slice(2);
const originFilter = () => showing.filters.find(entry => entry.startsWith('only:'));
const shownOrigins = () => (originFilter() ? filterParts(originFilter()).name.split(',') : originWords());

/* Why there is no such group, or ''. */
const misnamed = (kind, name) =>
	kind === 'change' && !(isDiff(picture.columns) && CHANGES.includes(name))
		? 'No such kind of change'
		: kind === 'language' && name !== picture.options.languages
			? 'No function is in that language'
			: '';

const hideNative = () => 'hide:native:' + (picture.options.languages || '');

const literal = text => text.replace(/[\\^$.*+?()[{|]/g, '\\$&');

/* The regular expression of a filter. */
function patternOf({kind, name}) {
	if (kind === 'match') return name;
	if (kind === 'module') return '^' + literal(name) + '`';
	const {first, number, names} = facts.functions();
	if (kind === 'change' || kind === 'language') {
		const flags = groupFlags(kind + ':' + name);
		return names.filter((_, k) => flags[first[k]]).map(name => patternOf({name})).join('|');
	}
	const parts = facts.parts(first[number.get(name)]);
	return (
		'^' +
		literal((parts.module && parts.module + '`') + parts.text) +
		(parts.file && ` \\(${literal(parts.source)}${parts.source === parts.file ? '' : ':[0-9]+'}\\)`) +
		'$'
	);
}

/* A frame's name without its annotations. */
const bareName = (raw, {text, module, file, notes}) =>
	notes && (text || module || file)
		? (module && module + '`') + text + (file && ` (${file})`)
		: raw;

/* Patterns that were stopped: not all names were tested. */
const stopped = new Set();

/* The names that a pattern matches, as flags by name id. */
function matchFlags(pattern, end = performance.now() + LIMIT) {
	const re = new RegExp(octets(pattern), 's');
	return facts.flags((parts, id) => {
		const raw = picture.names[id];
		if (performance.now() > end) stopped.add(pattern);
		if (stopped.has(pattern)) return false;
		if (re.test(octets(raw))) return true;
		return parts.notes !== '' && re.test(octets(bareName(raw, parts)));
	});
}

/*
 * Returns why a pattern is not accepted, in words, or ''. It must mean the same as a POSIX
 * extended and as a JavaScript regular expression, and must not take exponential time.
 */
function unlike(pattern) {
	let before = 'start', /* start, atom, wide (a character of several bytes), group, repeat, anchor */
		depth = 0,
		endless = 0;
	for (let i = 0; i < pattern.length; i++) {
		const c = pattern[i],
			rest = pattern.slice(i);
		let m;
		if (c < ' ' || c === '\x7f') return 'it has a control character';
		if (c === ';') return 'names cannot contain ;';
		if (c === '\\') {
			if (!/^\\[\\^$.*+?()[\]{}|]/.test(rest))
				return `programs read \\${rest[1] || ''} differently`;
			i++;
			before = 'atom';
		} else if (c === '[') {
			if (!(m = /^\[\^?[^\]\\[]+\]/.exec(rest)))
				return 'programs read brackets that contain \\, [ or ], or are not closed, differently';
			if (/[^\x20-\x7e]/.test(m[0])) return 'brackets may contain only ASCII characters';
			if (/(.)-(.)/.test(m[0]) && badRange(m[0])) return 'a range in brackets runs backwards';
			i += m[0].length - 1;
			before = 'atom';
		} else if ((m = /^([*+?]|\{(\d+)(,(\d*))?\})/.exec(rest))) {
			if (before === 'start' || before === 'anchor') return `nothing precedes ${m[0]}`;
			if (before === 'repeat') return `${m[0]} follows another repetition`;
			if (before === 'wide') return `${m[0]} follows a character of several bytes`;
			if (m[2] && (m[2] > 255 || m[4] > 255 || (m[4] && +m[4] < +m[2])))
				return `not all programs accept ${m[0]} repetitions`;
			if (c !== '?' && before === 'group') return 'a repeated group may take very long';
			if (/^([*+]|\{\d+,\})/.test(m[0]) && ++endless > 3)
				return 'more than 3 unlimited repetitions may take very long';
			i += m[0].length - 1;
			before = 'repeat';
		} else if (c === '{') {
			return 'programs read a { without a number differently';
		} else if (c === '(') {
			if (rest[1] === '?') return 'programs read (? differently';
			depth++;
			before = 'start';
		} else if (c === ')' || c === '|') {
			if (before === 'start') return `nothing precedes ${c}`;
			if (c === ')' && --depth < 0) return 'a ) has no (';
			before = c === ')' ? 'group' : 'start';
		} else if (c === '^' || c === '$') {
			before = 'anchor';
		} else {
			before = c > '\x7e' ? 'wide' : 'atom';
		}
	}
	return depth
		? 'a ( has no )'
		: before === 'start'
			? 'it ends with an empty alternative'
			: stopped.has(pattern) || steps(pattern) > 10 * STEPS_MAX
				? 'it may take very long on names as long as here'
				: '';
}

const badRange = brackets => {
	try {
		return !new RegExp(brackets);
	} catch {
		return true;
	}
};

/* The state's filters, including system calls off, as steps for `stepped`. */
function filterSteps() {
	const steps = showing.filters.map(entry => {
		const {what, kind, name} = filterParts(entry);
		if (what === 'only') return ['hide', facts.flags((_, id) => !name.split(',').includes(originWord(id)))];
		return [what, groupFlags(kind + ':' + name)];
	});
	if (!showing.system) steps.push(['hide', systemFlags()]);
	return steps;
}

/* The names hidden by system calls off: the bit is from viewertables.c. */
const systemFlags = () => (facts.system ||= facts.flags((_, id) => picture.about.what[id] & 512));
