/*
 * data: the options and the compact columns that fg-render wrote into the
 * picture's <metadata>, out as names and as one tree in pre-order.
 */

const {abs, ceil, floor, max, min, round} = Math;
const bytes = n => new Uint8Array(n),
	ints = n => new Int32Array(n),
	floats = n => new Float64Array(n);

/* The digits of the columns, and the value of a character: 255 where it is none. */
const DIGITS =
	'#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~';
const DIGIT = Uint8Array.from({length: 128}, (_, c) => DIGITS.indexOf(String.fromCharCode(c)));

/* All varints of a text into out: little-endian, a digit of the upper half continues. */
function varints(text, out) {
	const half = DIGITS.length >> 1;
	let value = 0,
		scale = 1,
		n = 0;
	for (let i = 0; i < text.length; i++) {
		const digit = DIGIT[text.charCodeAt(i)];
		if (digit === 255) continue;
		if (digit >= half) {
			value += (digit - half) * scale;
			scale *= half;
		} else {
			out[n++] = value + digit * scale;
			value = 0;
			scale = 1;
		}
	}
	return out;
}

/* Sorted names, each without the prefix that it shares with the one before. */
function frontCoded(text) {
	const names = ['all'];
	let last = '';
	if (text)
		for (const line of text.split('\n')) {
			last = last.slice(0, line.charCodeAt(0) - 35) + line.slice(1);
			names.push(last);
		}
	return names;
}

/* Everything the picture holds: {options, names, columns, tree}. */
function readPicture(svg) {
	const text = what =>
		Array.from(svg.querySelectorAll('metadata' + what), e => e.textContent).join('');
	const options = JSON.parse(svg.querySelector('#fg-options').textContent);
	const names = frontCoded(text('.fg-names').replace(/^\n|\n$/g, ''));
	const columns = options['columns'] || [options.unit],
		first = varints(text('.fg-self'), floats(options.frames + 2));
	/* With --total the whole is more than its parts: after them a gap, in which the root ran. */
	const surplus = round(options.total * options['scale'] - first.reduce((a, b) => a + b));
	const n = options.frames + (surplus > 0 ? 2 : 1);
	const pops = varints(text('.fg-pops'), ints(n));
	const name = varints(text('.fg-ids'), ints(n));
	const level = ints(n);
	for (let i = 1; i < n; i++) level[i] = level[i - 1] + 1 - pops[i];
	const self = columns.map((_, c) => {
		if (c === 0) return first.subarray(0, n);
		const delta = varints(text(`[data-column="${c}"]`), floats(n));
		for (let i = 0; i < n; i++)
			delta[i] = first[i] + (delta[i] % 2 ? -(delta[i] + 1) / 2 : delta[i] / 2);
		return delta;
	});
	if (surplus > 0) {
		name[n - 1] = options.gap ||= names.push('') - 1;
		level[n - 1] = 1;
		first[n - 1] = surplus;
	}
	return {options, names, columns, tree: treeOf(name, level, self.map(prefixSums))};
}
