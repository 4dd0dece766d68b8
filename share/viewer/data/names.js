/*
 * names: what a frame's name says: its text, module, file, notes, where its code
 * comes from, and how it is written where there is little room.
 */

const NOTES = {k: 'kernel', j: 'JIT', i: 'inlined', l: 'library', w: 'waker'};
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/* Characters that turn or hide text are shown as what they are. */
const visible = text =>
	text.replace(INVISIBLE, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));

/* {text, module, file, notes} of a raw name; what it does not say is ''. */
function nameParts(raw) {
	let text = raw,
		notes = '',
		file = '',
		module = '';
	for (let m; ;) {
		if ((m = /_\[([kjilw])\]$/.exec(text))) notes = m[1] + notes;
		else if (!file && (m = / \(([^()]*:\d+)\)$/.exec(text))) file = m[1];
		else break;
		text = text.slice(0, m.index);
	}
	const tick = text.indexOf('`');
	if (tick > 0) {
		module = text.slice(0, tick);
		text = text.slice(tick + 1);
	}
	return {text, module, file, notes};
}

const KERNEL = /^(kernel.*|vmlinux|unix|genunix|.*\.ko|vdso|vsyscall|guest\.kernel.*)$/;
const SHARED = /\.so(\..*)?$|\.dylib$/;
const NAMELESS = /^(\[(unknown|heap|stack|anon.*)\]|\?\?|\?\?\?|0x[0-9a-f]+|unknown|-)$/;
const PACKAGES = /(site|dist)-packages|node_modules|\/usr\/(lib|include)|^node:|<frozen|<built-in/;

/* An index of MODES.origin's kinds: what annotations say, then the module, then the text. */
function originOf({text, module, file, notes}) {
	const from = module || /^\[(.*)\]$/.exec(text)?.[1] || '';
	return notes.includes('k')
		? SYSTEM
		: notes.includes('l')
			? LIBRARY
			: notes.includes('j')
				? USER
				: KERNEL.test(from)
					? SYSTEM
					: SHARED.test(from)
						? LIBRARY
						: NAMELESS.test(text)
							? UNKNOWN
							: PACKAGES.test(text + file)
								? LIBRARY
								: USER;
}

/* C library, loader, vdso and thread start: what goes with the kernel when system calls are off. */
const RUNTIME_MODULE =
	/^(\[vdso\]|(libc|libpthread|ld-linux.*|ld|libsystem_.*|libdyld|linux-vdso)([-.].*)?)$/;
const RUNTIME =
	/^(_start|__libc_start_\w+|start_thread|thread_start|(__)?clone3?|_?dl_\w+|__(GI|vdso|kernel)_\w+|syscall|\[(vdso|libc|ld-).*\])(@.*)?$/;

const isSystem = parts =>
	originOf(parts) === SYSTEM || RUNTIME_MODULE.test(parts.module) || RUNTIME.test(parts.text);

const utf8 = new TextEncoder();

/* FNV-1a, 32 bit, of the text without offset or Rust hash: the same function has the same colour everywhere. */
function nameHash({text}) {
	let h = 0x811c9dc5;
	for (const byte of utf8.encode(
		text.replace(/\+0x[0-9a-f]+$/, '').replace(/::h[0-9a-f]{16}$/, '')
	))
		h = Math.imul(h ^ byte, 0x01000193);
	return h >>> 0;
}

/* Cells of a monospace font that text takes. */
function cells(text) {
	if (/^[\x20-\x7e…]*$/.test(text)) return text.length;
	let n = 0;
	for (const c of text)
		n += /\p{M}/u.test(c)
			? 0
			: /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{3ffff}]/u.test(
						c
				  )
				? 2
				: 1;
	return n;
}

/* What stands inside matching brackets becomes `…`; operator<, -> and => are no brackets. */
function elide(text, open, close) {
	let out = '',
		depth = 0;
	for (let i = 0; i < text.length; i++) {
		const c = text[i];
		if (c === open && (depth || !/operator<?$/.test(out))) {
			if (depth++ === 0) out += open + '…';
			continue;
		}
		if (c === close && depth && !/[-=]/.test(text[i - 1])) {
			if (--depth === 0) out += close;
			continue;
		}
		if (!depth) out += c;
	}
	return depth ? text : out;
}

/* A path segment at the front; what compilers put behind a dot is none. */
const SEGMENT =
	/^([<(]…[>)]|[^ [<(])*?(::|\/|[^.]\.(?!\d|(part|constprop|isra|cold|lto_priv|llvm|so|dylib|clone|resume|destroy|actor)(\.|$)))(?=[^.])/;

/*
 * A label of at most `room` cells: types lose their middle first, then calls their
 * arguments, the path its first segments, the name its end. Nothing when fewer than three
 * would show.
 */
function shorten(text, room) {
	const isLong = () => text.length > 4 * room || cells(text) > room;
	text = text.replace(/::h[0-9a-f]{16}$/, '');
	if (!isLong()) return text;
	if (room < 3) return '';
	if (!picture.options.truncateRight) {
		for (const brackets of ['<>', '()'])
			if (isLong()) text = elide(text, ...brackets);
		if (isLong()) text = text.replace(/([^ .:])\(….*/, '$1');
		for (let m; isLong() && (m = SEGMENT.exec(text));) text = text.slice(m[0].length);
		if (!isLong()) return text;
	}
	let cut = '',
		used = 1;
	for (const c of text) {
		used += cells(c);
		if (used > room) break;
		cut += c;
	}
	return cut + '…';
}
