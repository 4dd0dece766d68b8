/*
 * data: converts the options and compact columns, which fg-render wrote and load.js
 * decompressed, to names and one tree in pre-order.
 */

const {abs, ceil, floor, max, min, round} = Math;
const bytes = n => new Uint8Array(n),
	ints = n => new Int32Array(n),
	floats = n => new Float64Array(n);

/* Arrays of name ids and of running sums: smaller ones if the picture's fit. */
let ids = ints,
	totals = floats;

/* Decodes all numbers (LEB128, of any size) of bytes into an array of a type. */
function varints(packed, array) {
	const out = array(packed.length);
	let n = 0;
	for (let i = 0; i < packed.length; ) {
		let value = packed[i++];
		if (value > 127) {
			let scale = 128,
				more;
			for (value -= 128; (more = packed[i++]) > 127; scale *= 128)
				value += (more - 128) * scale;
			value += more * scale;
		}
		out[n++] = value;
	}
	return out.subarray(0, n);
}

/* From a code of columns.c (zigzag) */
const difference = code => (code % 2 ? -(code + 1) / 2 : code / 2);

const LONG = 4; /* also in columns.c */

/*
 * Decodes the frames (columns.c): runs, names of those that equal no earlier run, self values by
 * column and run. Returns [names, levels, running sums by column] with space for n nodes.
 */
function readRuns(runs, fresh, values, n) {
	const name = ids(n),
		level = ints(n),
		sums = values.map(() => totals(n + 1)),
		until = values.map(() => 0),
		starts = [], /* by number of a run: its first node, and the one after its last */
		ends = [];
	let at = 0,
		depth = 0,
		unread = 0, /* in fresh */
		expected = 0; /* number, from 0 */
	for (let i = 0, run = 0; i < runs.length; run++) {
		depth -= runs[i++];
		let length = runs[i++],
			source = fresh,
			from = unread;
		if (length) {
			unread += length;
			if (length >= LONG) {
				expected = starts.push(at);
				ends.push(at + length);
			}
		} else {
			expected += difference(runs[i++]);
			source = name;
			from = starts[expected];
			length = ends[expected++] - from;
		}
		const end = at + length;
		for (let c = 0; c < sums.length; c++) {
			const sum = sums[c];
			for (let k = at + 1; k < end; k++) sum[k] = until[c];
			sum[end] = until[c] += values[c][run];
		}
		while (at < end) {
			name[at] = source[from++];
			level[at++] = depth++;
		}
	}
	return [name, level, sums];
}

/* Decodes sorted names, each stored without the prefix shared with the one before. */
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

/*
 * Data on names from fg-render (viewertables.c), by id: properties (bits), lengths, and hues by
 * palette.
 */
function readAbout(data, n) {
	const all = varints(data.about, ints),
		what = ints(n + 1).fill(UNKNOWN), /* one more than names, for a gap */
		module = ints(n + 1),
		tail = ints(n + 1);
	for (let i = 0; i < n; i++) {
		what[i] = all[3 * i];
		module[i] = all[3 * i + 1];
		tail[i] = all[3 * i + 2];
	}
	const hues = {},
		dash = all.subarray(3 * n, 4 * n).map(hue => (hue === GREY ? 1 : 0));
	let column = 3;
	for (const [palette, [hue]] of Object.entries(PALETTES))
		hues[palette] =
			hue < 0
				? all.subarray(n * column, n * ++column)
				: dash.map(grey => (grey ? GREY : hue));
	return {what, module, tail, hues};
}

/*
 * Decodes the frames: the tree, and its surplus: with --total larger than the sum of the values, a
 * gap follows the frames, as self time of the root. names: their number.
 */
function readTree(data, {options, columns, names}) {
	const first = varints(data.value0, floats),
		values = columns.map((_, c) => (c ? varints(data['value' + c], floats).map((delta, run) => first[run] + difference(delta)) : first)),
		sizes = values.map(of => of.reduce((a, b) => a + b)),
		surplus = round(options.total * options.scale - sizes[0]),
		n = options.frames + (surplus > 0 ? 2 : 1);
	if (max(surplus, 0) + max(...sizes) < 2 ** 32) totals = n => new Uint32Array(n);
	if (names < 65534) ids = n => new Uint16Array(n);
	const [name, level, sums] = readRuns(varints(data.runs, ints), varints(data.ids, ids), values, n);
	if (surplus > 0) {
		name[n - 1] = options.gap || names;
		level[n - 1] = 1;
		sums.forEach((sum, c) => (sum[n] = sum[n - 1] + (c ? 0 : surplus)));
	}
	return {...treeOf(name, level, sums), surplus};
}

const textOf = data => new TextDecoder().decode(data);

/* What readTree() needs beside the data, but names as a list: {options, columns, names}. */
function readOptions(svg) {
	const options = JSON.parse(svg.querySelector('#fg-options').textContent);
	return {options, columns: options.columns || [options.unit], names: frontCoded(textOf(svg.fgData.names))};
}

/*
 * All data of the picture: {options, colours, names, about, summary, columns, classOf, tree}. tree:
 * that of readTree(), if a worker has decoded it.
 */
function readPicture(data, {options, columns, names}, tree) {
	let colours;
	({colours, modes: MODES, palettes: PALETTES, shades: HUES} = JSON.parse(textOf(data.tables)));
	const about = readAbout(data, names.length),
		/*
		 * The sentences of -T markdown, each a list of strings and [name id, node of
		 * the tree].
		 */
		summary = JSON.parse(textOf(data.summary));
	tree ||= readTree(data, {options, columns, names: names.length});
	/* A filter of a flame chart may make the first gap. */
	if (tree.surplus > 0 || options.flamechart) options.gap ||= names.push('') - 1;
	const classOf = data.classes && varints(data.classes, ints);
	return {options, colours, names, about, summary, columns, classOf, packedTimes: data.times, tree};
}
