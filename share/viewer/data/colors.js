/*
 * colors: the colour modes. A mode gives every frame one class of the style sheet
 * (which fg-render wrote into the picture), so that a theme redraws nothing. What
 * classes there are, and the hue of a name in a palette, fg-render says too.
 */

/* By mode: the letter of its classes, then what each class means. By palette: one hue for all
 * names or -1, then [class, text] of its legend. Of each hue red, green, blue: least, range.
 * From fg-render's tables. */
let MODES, PALETTES, HUES;
const [USER, LIBRARY, SYSTEM, UNKNOWN] = [0, 1, 2, 3];
const [SLOWER, FASTER, ADDED, REMOVED, SAME] = [0, 1, 2, 3, 4];
const changeMark = change => (change === SAME ? '' : MODES.differential[change + 1].slice(0, 2));
/*
 * How a frame changed from b to h, by the part of itself, and a twentieth of that of the whole,
 * that a change has to be: with 2 %, what fg-render draws. `all` tells what is gone or new.
 */
const changeKind = (b, h, all, part, whole) => {
	if (b === h) return SAME;
	if (!all[0] || !all[1]) return all[0] ? REMOVED : ADDED;
	return abs(h - b) < max(part * max(b, h), (part / 20) * whole) ? SAME : h > b ? SLOWER : FASTER;
};
const SHADES = 16, /* of a hue */
	GREY = 10; /* the hue of a name of dashes */

/* Two columns called base and head, or taken for these with --colors differential. */
const isDiff = columns =>
	(columns.diff ??=
		picture.options.widths === 'max' || (columns[0] === 'base' && columns[1] === 'head'));
const isWait = columns => columns.join() === 'cpu,waiting,blocked';
const isBottleneck = columns => columns.join() === 'instruction,cache,memory,system';

/* The modes that this picture can be drawn in. */
function modesOf({columns}) {
	return [
		'origin',
		'function',
		...(isDiff(columns) ? ['differential'] : []),
		...(isBottleneck(columns) ? ['bottleneck'] : []),
		...(isWait(columns) ? ['wait'] : []),
		...Object.keys(PALETTES)
	];
}

/* The classes of the palettes' hues, in shades from the least to the most, when they are first needed. */
function dressHues() {
	let css = '';
	for (let i = 0; 6 * i < SHADES * HUES.length; i++) {
		const part = c => {
			const [least, range] = HUES.slice(6 * floor(i / SHADES) + c);
			return floor(least + (range * (i % SHADES)) / (SHADES - 1));
		};
		const rgb = [0, 2, 4].map(c => part(c).toString(16).padStart(2, '0'));
		css += `.p${i}{fill:#${rgb.join('')}}`;
	}
	HUES = [];
	picture.colours += css;
	inkOn.of = null;
	dress(css);
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
				},
				wait: i => {
					const parts = tree.sums.map(sum => totalOf(tree, sum, i)),
						most = max(...parts);
					return most > 0 ? parts.indexOf(most) : 3;
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

	if (HUES.length) dressHues();
	const means = PALETTES[mode].slice(1).map(([c, text]) => ['p' + c, text]);
	const of = picture.classOf;
	if (mode === palette && of)
		/* What is random or of --cp only fg-render knows. */
		return {
			classes: numbered(classPrefix, 1 + of.reduce((a, b) => max(a, b))),
			of: i => of[name[i]],
			means: classPrefix === 'c' ? [] : means
		};
	/* Only the shades of hues that the picture's names have. */
	const hueOf = picture.about.hues[mode],
		hues = Array.from(new Set(hueOf));
	const base = [];
	hues.forEach((hue, k) => (base[hue] = SHADES * k));
	return {
		classes: hues.flatMap(hue =>
			numbered('p', SHADES * (hue + 1)).slice(SHADES * hue)
		),
		of: byName(id => base[hueOf[id]] + ((nameHash(facts.parts(id)) >>> 8) % SHADES)),
		means
	};
}
