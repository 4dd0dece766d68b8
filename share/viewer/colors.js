/*
 * colors: the colour modes. A mode gives every frame one class of the style sheet
 * (which fg-render writes), so that a theme redraws nothing.
 */

/* The letter of a mode's classes, and what each class means. */
const MODES = {
	origin: ['o', 'user', 'library', 'system', 'unknown'],
	function: ['f'],
	differential: ['d', '▲ slower', '▼ faster', '+ added', '− removed', 'same'],
	bottleneck: ['b', 'instruction', 'cache', 'memory', 'system', 'none']
};
const [USER, LIBRARY, SYSTEM, UNKNOWN] = [0, 1, 2, 3];
const [SLOWER, FASTER, ADDED, REMOVED, SAME] = [0, 1, 2, 3, 4];
const changeMark = change => (change === SAME ? '' : MODES.differential[change + 1].slice(0, 2));

/* flamegraph.pl's palettes of one hue: red, green and blue of the darkest shade, and what is added. */
const HUES = {
	hot: [205, 0, 0, 50, 230, 55],
	mem: [0, 190, 0, 0, 50, 210],
	io: [80, 80, 190, 60, 60, 55],
	red: [200, 50, 50, 55, 80, 80],
	green: [50, 200, 50, 60, 55, 60],
	blue: [80, 80, 205, 60, 60, 50],
	yellow: [175, 175, 50, 55, 55, 20],
	purple: [190, 80, 190, 65, 60, 65],
	aqua: [50, 165, 165, 60, 55, 55],
	orange: [190, 90, 0, 65, 65, 0]
};

const isDiff = columns => columns[0] === 'base' && columns[1] === 'head';

/* The modes that this picture can be drawn in. */
function modesOf({options, columns}) {
	const {palette} = options;
	return [
		...(palette && !HUES[palette] ? [palette] : []),
		'origin',
		'function',
		...(isDiff(columns) ? ['differential'] : []),
		...(columns.length === 4 ? ['bottleneck'] : []),
		...Object.keys(HUES)
	];
}

const numbered = (letter, n) => Array.from({length: n}, (_, i) => letter + i);

/* How a tree is coloured in a mode: {classes, of(node)}, `of` an index of classes. */
function painter(mode, tree, sum, change) {
	const {options} = picture,
		[letter, ...kinds] = MODES[mode] || ['s'],
		{name} = tree;
	const classes = numbered(letter, kinds.length || 24);
	const cache = (facts.paint[mode] ||= new Uint16Array(facts.names.length));
	const byName = choose => i => (cache[name[i]] ||= 1 + choose(name[i])) - 1;
	switch (mode) {
		case 'origin':
			return {classes, of: i => (i ? facts.origin(name[i]) : UNKNOWN)};
		case 'function':
			return {classes, of: byName(id => nameHash(facts.parts(id)) % 24)};
		case 'differential':
			return {classes, of: change};
		case 'bottleneck':
			return {
				classes,
				of: i => {
					const self = tree.sums.map(sum => selfOf(sum, i)),
						most = max(...self);
					return most > 0 ? self.indexOf(most) : 4;
				}
			};
	}
	if (mode === options.palette && options.colordiffusion)
		return {
			classes: numbered('w', 16),
			of: i => round(15 * (totalOf(tree, sum, i) / sum[tree.n]) ** 0.5)
		};
	if (mode === options.palette && options.classOf) {
		const of = varints(options.classOf, []);
		return {
			classes: numbered(
				options.classPrefix,
				1 + of.reduce((a, b) => max(a, b), 0)
			),
			of: i => of[name[i]]
		};
	}
	const shade = k =>
		HUES[mode].slice(0, 3).map((v, i) => (v + (HUES[mode][i + 3] * k) / 15) | 0);
	ui.palette.textContent = classes
		.slice(0, 16)
		.map((c, k) => `.${c}{fill:rgb(${shade(k)})}`)
		.join('');
	return {
		classes: classes.slice(0, 16),
		of: byName(id => (nameHash(facts.parts(id)) >>> 8) % 16)
	};
}

/* What the colours of a mode mean: [class, text] for each. */
function legendOf(mode) {
	const [letter, ...kinds] = MODES[mode] || [];
	return kinds.map((text, i) => [letter + i, text]);
}
