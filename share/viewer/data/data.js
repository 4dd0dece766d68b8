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

/* Decodes all numbers (LEB128, of any size) of bytes into out. */
function varints(packed, out) {
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
	return out;
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
 * Data on names from fg-render (tables.c), by id: properties (bits), lengths, and hues by
 * palette.
 */
function readAbout(data, n) {
	const all = varints(data.about, ints(data.about.length)),
		what = bytes(n + 1).fill(UNKNOWN), /* one more than names, for a gap */
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

/* All data of the picture: {options, colours, names, about, summary, columns, classOf, tree}. */
function readPicture(svg) {
	const options = JSON.parse(svg.querySelector('#fg-options').textContent),
		data = svg.fgData;
	const text = what => new TextDecoder().decode(data[what]);
	const names = frontCoded(text('names'));
	let colours;
	({colours, modes: MODES, palettes: PALETTES, shades: HUES} = JSON.parse(text('tables')));
	const about = readAbout(data, names.length),
		/*
		 * The sentences of -T markdown, each a list of strings and [name id, node of
		 * the tree].
		 */
		summary = JSON.parse(text('summary'));
	const columns = options.columns || [options.unit],
		first = varints(data.value0, floats(options.frames + 2));
	/* With --total larger than the sum, a gap follows the frames, as self time of the root. */
	const surplus = round(options.total * options.scale - first.reduce((a, b) => a + b));
	const n = options.frames + (surplus > 0 ? 2 : 1);
	if (names.length < 65535) ids = n => new Uint16Array(n);
	const name = varints(data.ids, ids(n)),
		level = varints(data.pops, ints(n)); /* first the levels to pop */
	for (let i = 1; i < n; i++) level[i] = level[i - 1] + 1 - level[i];
	const self = columns.map((_, c) => {
		if (!c) return first.subarray(0, n);
		const delta = varints(data['value' + c], floats(n));
		for (let i = 0; i < n; i++)
			delta[i] = first[i] + (delta[i] % 2 ? -(delta[i] + 1) / 2 : delta[i] / 2);
		return delta;
	});
	if (surplus > 0) {
		name[n - 1] = options.gap ||= names.push('') - 1;
		level[n - 1] = 1;
		first[n - 1] = surplus;
	}
	const classOf = data.classes && varints(data.classes, []);
	if (self.every(of => of.reduce((sum, v) => (v < 0 ? NaN : sum + v), 0) < 2 ** 32)) totals = n => new Uint32Array(n);
	return {options, colours, names, about, summary, columns, classOf, packedTimes: data.times, tree: treeOf(name, level, self.map(of => prefixSums(of, totals(n + 1))))};
}
