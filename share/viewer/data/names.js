/*
 * names: the parts of a frame's name: text, module, file, annotations; its origin, which
 * fg-render determined; and its shortened form for narrow space.
 */

/* Without the joiners, which some scripts need. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/* Makes characters that reverse or hide text visible. */
const visible = text =>
	text.replace(INVISIBLE, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));

/* Script functions without a name of their own, as in origin.c; their line is a part of it. */
const ANONYMOUS =
	/(\(anonymous\)|<(lambda|genexpr|(list|dict|set)comp)>|{closure}|__ANON__)$|^block (in |\()/;

/*
 * {text, module, file, source, notes} of a name by its id; '' for absent parts. Their positions
 * come from fg-render. A function has one source: its file, with the line if it is anonymous.
 */
function nameParts(id) {
	const name = picture.names[id],
		{what, module, tail} = picture.about,
		end = name.length - tail[id],
		text = name.slice(module[id] && module[id] + 1, end),
		file = / \(([^]*:\d+)\)/.exec(name.slice(end))?.[1] || '',
		kind = KIND_NOTES[((what[id] >> 3) & 7) - 1] || '';
	return {
		text,
		module: name.slice(0, module[id]),
		file,
		source: ANONYMOUS.test(text) ? file : file.replace(/:\d+$/, ''),
		notes: kind + (what[id] & 4 ? 'i' : '')
	};
}

/* The place of a function, as label_add_place: ' (a.js)', ' (a.js:7)'; '' for a.lua:12. */
const placeOf = ({text, source}) =>
	((source = visible(source.replace(/^[^]*\//, ''))) && !text.replace(/\d+$/, '').endsWith(source + ':') ? ` (${source})` : '');

/* The displayed text of a frame: its name without module and annotations. */
const labelOf = parts =>
	visible(parts.text) + (parts.source !== parts.file || picture.options.truncateRight ? '' : placeOf(parts)) ||
	'(no name)';

/* An index into the kinds of MODES.origin. */
const originOf = id => picture.about.what[id] & 3;

const FOREIGN = 256; /* not own code: bit of about.what, from tables.c */

/* True for entry functions and unsymbolized frames, which do not show who ran or waited. */
const isNameless = id => !!(picture.about.what[id] & 64);

const utf8 = new TextEncoder();

/* Removes the hash that Rust appends to names. */
const unhashed = text => text.replace(/([^])::h[0-9a-f]{16}$/, '$1');

/*
 * FNV-1a, 32 bit, of the text without offset or Rust hash, so that a function has one colour
 * everywhere.
 */
function nameHash({text}) {
	let h = 0x811c9dc5;
	for (const byte of utf8.encode(unhashed(text.replace(/([^])\+0x[0-9a-f]+$/, '$1'))))
		h = Math.imul(h ^ byte, 0x01000193);
	return h >>> 0;
}

/* Width of text in cells of a monospace font, as in fg-render's cells.c. */
const NO_CELL = /[\p{Mn}\p{Me}\p{Cf}\u{e0000}-\u{e0fff}]/u;
const TWO_CELLS =
	/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function cells(text) {
	if (/^[\x20-\x7e…]*$/.test(text)) return text.length;
	let n = 0;
	for (const c of text) n += NO_CELL.test(c) ? 0 : TWO_CELLS.test(c) ? 2 : 1;
	return n;
}

/* True if the bracket at i belongs to the name of operator(), operator< or operator<<. */
const isOperator = (text, i) =>
	text.endsWith('operator', text[i] === '<' && text[i - 1] === '<' ? i - 1 : i);

/* Position of the bracket that closes the one at i, or the text's length. */
function closing(text, i) {
	let angle = 0,
		round = 0;
	for (; i < text.length; i++) {
		const c = text[i];
		if (c === '<' && !isOperator(text, i)) angle++;
		else if (c === '>' && angle && text[i - 1] !== '-') angle--;
		else if (c === '(') round++;
		else if (c === ')' && round) round--;
		if (!angle && !round) break;
	}
	return i;
}

/* Replaces the contents of the outermost brackets by an ellipsis. */
function collapse(text) {
	let out = '',
		unclosed = 0;
	for (let i = 0; i < text.length; i++) {
		const c = text[i];
		const bracket =
			(c === '<' || (c === '(' && i > 0)) && text[i - 1] !== '.' && !isOperator(text, i);
		const end = bracket && unclosed < 8 ? closing(text, i) : text.length;
		if (bracket && end === text.length) unclosed++;
		if (end < text.length && end > i + 2 && (i > 0 || text[end + 1] === ':')) {
			out += c + '…';
			i = end;
		}
		out += text[i];
	}
	return out;
}

/* Removes an argument list at the end. */
function withoutArguments(text) {
	for (let i = 1; i < text.length; i++)
		if (text[i] === '(' && !'. :'.includes(text[i - 1]) && !isOperator(text, i))
			return text.slice(0, i);
	return text;
}

/* Length of the return type in front of a function of C++, as return_type() of label.c. */
function returnType(text) {
	let from = 0;
	for (let i = 0; i < text.length; i++) {
		if ((text[i] === '<' || text[i] === '(') && !isOperator(text, i)) i = closing(text, i);
		if (
			text[i] === ' ' && i + 1 < text.length &&
			/[>*&]$|^(void|bool|char|int|long|unsigned|float|double|auto|const)$/.test(text.slice(from, i))
		)
			from = i + 1;
	}
	return from;
}

/* Suffixes that compilers append after a dot, which does not separate a path. */
const SUFFIX =
	/^(part|constprop|isra|cold|lto_priv|llvm|so|dylib|clone|resume|destroy|actor)(\.|$)/;

/* Length of the first path segment with its separator; 0 if there is only one. */
function segment(text) {
	for (let i = 0; i + 1 < text.length; i++) {
		const c = text[i],
			next = text[i + 1];
		if (c === '<' || c === '(') {
			i = closing(text, i);
			continue;
		}
		if (c === ' ' || c === '[') return 0;
		if (c === ':' && next === ':' && i + 2 < text.length) return i + 2;
		if (c === '/' && !/\d/.test(next)) return i + 1;
		if (
			c === '.' &&
			i > 0 &&
			!/[.\d]/.test(next) &&
			text[i - 1] !== '.' &&
			!SUFFIX.test(text.slice(i + 1, i + 12))
		)
			return i + 1;
	}
	return 0;
}

/*
 * For a script's function with its source in the name, "py::handler:/srv/app/order.py" or
 * "handler /srv/app/order.js:12:3": the function and the file's last segment; otherwise null.
 */
function scriptOf(text) {
	const m = /^(?:py::([^]+?)[ :](?=\/|file:\/\/\/|<)([^(]+)|([^]+?) (?=\/|file:\/\/\/)([^ (]+))$/.exec(text),
		file = m && (m[2] || m[4]).replace(/:[\d:]*$/, '').replace(/^[^]*\//, '');
	return file ? [m[1] || m[3], file] : null;
}

/*
 * A label of at most `room` cells, by the rules of fg-render's label.c (both are tested with
 * the same cases). First the return type goes, then types lose their middle, calls their arguments,
 * the path its first segments, the name its end, an address its start. '' if fewer than three cells would remain.
 */
function shorten(text, room) {
	const isLong = () => text.length > 4 * room || cells(text) > room;
	text = unhashed(text);
	if (room < 3) return '';
	const script = !picture.options.truncateRight && scriptOf(text);
	if (script) {
		text = `${script[0]} (${script[1]})`;
		if (isLong()) text = script[0];
	}
	if (isLong()) text = text.replace(/([^]) \([^(]*:\d+\)$/, '$1');
	if (!isLong()) return text;
	if (!picture.options.truncateRight) {
		text = text.slice(returnType(text));
		if (isLong()) text = collapse(text);
		if (isLong()) text = withoutArguments(text);
		for (let n; isLong() && (n = segment(text));) text = text.slice(n);
		if (!isLong()) return text;
	}
	let cut = '',
		used = 1;
	if (/(^|\+)0x[0-9a-f]+$/.test(text)) {
		while (cells(text) >= room) text = text.slice(1);
		return '…' + text;
	}
	for (const c of text) {
		used += cells(c);
		if (used > room) break;
		cut += c;
	}
	return cut + '…';
}
