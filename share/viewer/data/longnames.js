/*
 * longnames: the parts of a name with brackets, a path or a file: types, arguments, segments. Only
 * pictures with such a name have this script.
 */

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
