/*
 * colors: the colour modes. A mode assigns each frame one class of the style sheet that
 * fg-render wrote into the SVG, so a change of theme needs no drawing. The classes, and the
 * hue of a name in a palette, come from fg-render too.
 */

/*
 * MODES: by mode, the letter of its classes, what their strength means, then the meaning of each
 * class. PALETTES: one hue
 * for all names or -1, then [class, text] of its legend. HUES: red, green, blue of each hue:
 * minimum, range. From fg-render's tables.
 */
let MODES, PALETTES, HUES;
const [USER, LIBRARY, SYSTEM, UNKNOWN] = [0, 1, 2, 3];
const [SLOWER, FASTER, ADDED, REMOVED, SAME] = [0, 1, 2, 3, 4];
const changeMark = change => (change === SAME ? '' : changeWord(change).slice(0, 2));
const changeWord = change => MODES.differential[change + 2];
/* A class of these modes is a kind + the number of kinds * its tone, as in palette.c. */
const TONES = {origin: 4, differential: 3, bottleneck: 3, wait: 3};
/* strength() of palette.c: the tone of a frame, by how much of its total is its own. */
const toneOf = (own, total) => (own >= total / 4 ? 0 : own >= total / 100 ? 1 : 2);
const SHADES = 16, /* of a hue */
	GREY = 10; /* the hue of names of dashes */

/* True for columns base and head, or columns treated as such by --colors differential. */
const isDiff = columns =>
	(columns.diff ??=
		picture.options.widths === 'max' || (columns[0] === 'base' && columns[1] === 'head'));
const isWait = columns => columns.join() === 'cpu,waiting,blocked';
const isBottleneck = columns => columns.join() === 'instruction,cache,memory,system';

/* The modes available for this picture. */
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

/* Classes of the palettes' hues, in shades from minimum to maximum; built on first use. */
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
 * The colours of a tree in a mode: {classes, of(node), means}. `of` returns an index into
 * classes; means is the legend, a list of [class, text]: of origins, those of the profile; strength
 * is the meaning of strong and pale colours.
 */
function painter(mode, tree, sum, change) {
	const {palette, colordiffusion, classPrefix} = picture.options,
		[letter, strength, ...kinds] = MODES[mode] || '',
		{name} = tree,
		memo = (facts.paint[mode] ||= new Uint16Array(facts.names.length));
	const byName = choose => i => (memo[name[i]] ||= 1 + choose(name[i])) - 1;
	/* The hue of the largest part of the total, as strong as the frame's own part is. */
	const byPart = i => {
		const parts = tree.sums.map(sum => totalOf(tree, sum, i)),
			all = parts.reduce((a, b) => a + b),
			own = tree.sums.reduce((own, sum) => own + selfOf(sum, i), 0);
		return all ? parts.indexOf(max(...parts)) + kinds.length * toneOf(own, all) : kinds.length - 1;
	};
	if (letter)
		return {
			classes: numbered(letter, kinds.length * (TONES[mode] || 1) || 24),
			of: {
				origin: byName(
					id => facts.origin(id) + (id && kinds.length * ((nameHash(facts.parts(id)) >>> 8) % TONES.origin))
				),
				function: byName(id => nameHash(facts.parts(id)) % 24),
				differential: i => {
					const kind = change(i);
					return kind > FASTER ? kind : kind + kinds.length * change.tone(i);
				},
				bottleneck: byPart,
				wait: byPart
			}[mode],
			means: kinds
				.map((text, i) => [letter + i, text])
				.filter((_, i) => mode !== 'origin' || facts.origins().has(i)),
			strength
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
		/* Only fg-render knows the classes of --random and --cp. */
		return {
			classes: numbered(classPrefix, 1 + of.reduce((a, b) => max(a, b))),
			of: i => of[name[i]],
			means: classPrefix === 'c' ? [] : means
		};
	/* Only shades of the hues in use. */
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
