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

const FOREIGN = 256; /* not own code: bit of about.what, from viewertables.c */

/* True for entry functions and unsymbolized frames, which do not show who ran or waited. */
const isNameless = id => !!(picture.about.what[id] & 64);

const utf8 = new TextEncoder();

/* The bytes of text, as one character each. */
const octets = text =>
	/^[\0-\x7f]*$/.test(text)
		? text
		: Array.from(utf8.encode(text), byte => String.fromCharCode(byte)).join('');

/* Removes the hash that Rust appends to names. */
const unhashed = text => (text.slice(-19, -16) === '::h' ? text.replace(/([^])::h[0-9a-f]{16}$/, '$1') : text);

/*
 * FNV-1a, 32 bit, of the text without offset or Rust hash, so that a function has one colour
 * everywhere.
 */
function nameHash({text}) {
	let h = 0x811c9dc5;
	const code = octets(unhashed(text.includes('+0x') ? text.replace(/([^])\+0x[0-9a-f]+$/, '$1') : text));
	for (let i = 0; i < code.length; i++) h = Math.imul(h ^ code.charCodeAt(i), 0x01000193);
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

/*
 * A label of at most `room` cells, by the rules of fg-render's label.c (both are tested with
 * the same cases). First the return type goes, then types lose their middle, calls their arguments,
 * the path its first segments, the name its end, an address its start. '' if fewer than three cells would remain.
 */
function shorten(text, room) {
	const isLong = () => text.length > 4 * room || cells(text) > room;
	text = unhashed(text);
	if (room < 3) return '';
	const byParts = !picture.options.truncateRight && typeof segment === 'function',
		script = byParts && scriptOf(text);
	if (script) {
		text = `${script[0]} (${script[1]})`;
		if (isLong()) text = script[0];
	}
	if (isLong()) text = text.replace(/([^]) \([^(]*:\d+\)$/, '$1');
	if (!isLong()) return text;
	if (byParts) {
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
