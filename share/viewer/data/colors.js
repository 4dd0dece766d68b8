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

/* flamegraph.pl's hues: red, green and blue of the darkest shade, and what is added. */
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
const GREY = [160, 160, 160, 0, 0, 0];

/*
 * Its palettes of several hues, by the same rules as palette.c: the first that a name
 * fits has its hue, [hue, rule, text in the legend].
 */
const JIT = /_\[j\]$/,
	KERNEL_ONES = ['orange', /_\[k\]$/, 'kernel'],
	INLINED_ONES = ['aqua', /_\[i\]$/, 'inlined'],
	CXX = ['yellow', /::/, 'C++'],
	NATIVE = ['red', /^/, 'native'];
const RULES = {
	wakeup: [['aqua', /^/]],
	chain: [
		['aqua', /_\[w\]/, 'waker'],
		['blue', /^/, 'woken']
	],
	java: [
		['green', JIT, 'Java'],
		INLINED_ONES,
		KERNEL_ONES,
		['yellow', /::|^[-+]\[/, 'C++'],
		['green', /^(?!\[)([A-Z]|[^]*[./])/],
		NATIVE
	],
	js: [
		['green', /^ +$|\/[^]*_\[j\]$/, 'JavaScript'],
		['aqua', /_\[[ij]\]$/, 'built in'],
		KERNEL_ONES,
		CXX,
		['green', /\/[^]*\.js|\.js[^]*\//],
		['aqua', /:/],
		NATIVE
	],
	perl: [
		['green', JIT, 'Perl'],
		INLINED_ONES,
		KERNEL_ONES,
		['green', /Perl|\.pl/],
		CXX,
		NATIVE
	],
	python: [
		['aqua', /(site|dist)-packages/, 'packages'],
		['yellow', /\/[pP]ython|<(built-in|method|frozen)/, 'library'],
		['red', /^/, 'program']
	],
	rust: [
		['orange', /(^|as )(core|std|alloc)::/, 'core, std, alloc'],
		['aqua', /::/, 'program and crates'],
		['yellow', /^/, 'other']
	]
};
const isDiff = columns => columns[0] === 'base' && columns[1] === 'head';

/* The modes that this picture can be drawn in. */
function modesOf({columns}) {
	return [
		'origin',
		'function',
		...(isDiff(columns) ? ['differential'] : []),
		...(columns.length === 4 ? ['bottleneck'] : []),
		...Object.keys({...HUES, ...RULES})
	];
}

const numbered = (letter, n) => Array.from({length: n}, (_, i) => letter + i);

/*
 * How a tree is coloured in a mode: {classes, of(node), means}, `of` an index of classes,
 * means the legend: a list of [class, text].
 */
function painter(mode, tree, sum, change) {
	const {palette, colordiffusion, classPrefix} = picture.options,
		[letter, ...kinds] = MODES[mode] || '',
		{name} = tree,
		memo = (facts.paint[mode] ||= new Uint16Array(facts.names.length));
	const byName = choose => i => (memo[name[i]] ||= 1 + choose(name[i])) - 1;
	if (letter)
		return {
			classes: numbered(letter, kinds.length || 24),
			of: {
				origin: i => facts.origin(name[i]),
				function: byName(id => nameHash(facts.parts(id)) % 24),
				differential: change,
				bottleneck: i => {
					const self = tree.sums.map(sum => selfOf(sum, i)),
						most = max(...self);
					return most > 0 ? self.indexOf(most) : 4;
				}
			}[mode],
			means: kinds.map((text, i) => [letter + i, text])
		};
	if (mode === palette && colordiffusion)
		return {
			classes: numbered('w', 16),
			of: i => round(15 * (totalOf(tree, sum, i) / sum[tree.n]) ** 0.5),
			means: []
		};

	const rules = [[, /^--?$/], ...(RULES[mode] || [[mode, /^/]])],
		shades = numbered('s', 16 * rules.length);
	const rgb = k => {
		const hue = HUES[rules[k >> 4][0]] || GREY;
		return [0, 1, 2].map(i => (hue[i] + (hue[i + 3] * (k % 16)) / 15) | 0);
	};
	ui.palette.textContent = shades.map((c, k) => `.${c}{fill:rgb(${rgb(k)})}`).join('');
	const means = rules.flatMap(([, , text], r) => (text ? [['s' + (16 * r + 8), text]] : []));
	const of = picture.classOf;
	if (mode === palette && of) {
		/* What is random or of --cp only fg-render knows. */
		return {
			classes: numbered(classPrefix, 1 + of.reduce((a, b) => max(a, b))),
			of: i => of[name[i]],
			means: classPrefix === 'c' ? [] : means
		};
	}
	return {
		classes: shades,
		of: byName(id => {
			const hue = rules.findIndex(([, rule]) => rule.test(picture.names[id]));
			return 16 * hue + ((nameHash(facts.parts(id)) >>> 8) % 16);
		}),
		means
	};
}
