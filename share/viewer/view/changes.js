/*
 * changes: base and head compared: kind and size of each frame's change, and its words, tables and
 * figures in the page. Only differentials have this script.
 */

/* Running sums of the changes that a column does not mark as noise; undefined without the column. */
function realSums(tree) {
	const {noise} = picture.options,
		scale = headScale();
	return (
		noise &&
		blend(tree, 'real' + scale, (...v) => (v[noise] === 0 ? v[1] * scale - v[0] : 0), picture.columns.length)
	);
}

/*
 * The change of each node; changes below the threshold, or not in the direction of the stacks
 * that a column leaves unmarked as noise, are none.
 */
function changeOf(tree) {
	const [base, head] = tree.sums,
		scale = headScale(),
		{negate} = picture.options;
	const whole = max(base[tree.n], head[tree.n] * scale);
	const real = realSums(tree);
	/* True if the stacks that are not noise did not change, or in the other direction than all. */
	const quiet = (i, end) =>
		real && (real[end] - real[i]) * ((head[end] - head[i]) * scale - base[end] + base[i]) <= 0;
	const between = (i, end) => {
		const b = base[end] - base[i],
			h = (head[end] - head[i]) * scale;
		return negate ? [h, b] : [b, h];
	};
	const kind = i => {
		const all = between(i, tree.end[i]),
			end = showing.own ? i + 1 : tree.end[i],
			[b, h] = showing.own ? between(i, end) : all;
		if (quiet(i, end)) return SAME;
		/* A frame is new or gone only if its total is; its self value may come and go. */
		return changeKind(b, h, all, showing.noise / 100, whole);
	};
	/* Sizes of the changes of self, and the largest: they decide the strength of a colour. */
	const size = i => (quiet(i, tree.end[i]) ? 0 : abs(selfOf(head, i) * scale - selfOf(base, i)));
	let most = -1;
	kind.tone = i => {
		if (most < 0) for (let k = 0; k < tree.n; k++) most = max(most, size(k));
		const own = size(i),
			[b, h] = between(i, tree.end[i]);
		return !own ? 2 : max(toneOf(own, abs(h - b)), own >= most / 2 ? 0 : own >= most / 10 ? 1 : 2);
	};
	return kind;
}

/* Draws base upwards and head downwards, both zoomed to one frame and with one scale. */
function mirrored(tree) {
	const root = descend(tree, showing.zoom.map(facts.id)),
		panes = [paneOf(tree, true, tree.sums[0]), paneOf(tree, false, tree.sums[1])];
	const span = max(...panes.map(({sum}) => totalOf(tree, sum, root)));
	for (const pane of panes) {
		const lo = pane.sum[root];
		Object.assign(pane, {root, lo, hi: lo + span});
		setRows(pane);
		const deep = rowAt(pane, root);
		if (deep > DEEP) pane.offset = deep - NEAREST;
	}
	return panes;
}

/*
 * Kind of a frame's change from b to h. Smaller changes than `part` of the frame, or a
 * twentieth of `part` of the total, count as none; fg-render uses 2 %. `all` shows absent
 * frames.
 */
const changeKind = (b, h, all, part, whole) => {
	if (b === h) return SAME;
	if (!all[0] || !all[1]) return all[0] ? REMOVED : ADDED;
	return abs(h - b) < max(part * max(b, h), (part / 20) * whole) ? SAME : h > b ? SLOWER : FASTER;
};

/* [base, head, change, change in %, effect on the total] of two values, as text. */
function comparison(base, head) {
	const [b, h] = picture.tree.sums.map(sum => sum[picture.tree.n]),
		change = head * headScale() - base;
	return [
		amount(base, true),
		amount(head, true),
		signed(change, v => amount(v, true)),
		base ? signed(change / base, percent) : head ? 'new' : '–',
		signed(change / (b || h), percent)
	];
}

/*
 * "40 → 60 samples, +50.00 %.", and the significant changes, largest first: fg-diff's verdict on
 * each function, where its shown part changed in the same direction. Without a verdict: changes
 * above the threshold of the slider.
 */
function changesOf(owners, [base, head]) {
	const {grew, shrank} = picture.summary,
		{of, number} = facts.functions();
	const functions = ids => new Set(ids?.map(id => of[id])),
		more = functions(grew),
		less = functions(shrank);
	const change = o => o.self[1] * headScale() - o.self[0],
		part = o => change(o) / (base || head),
		isReal = o =>
			grew
				? (change(o) > 0 ? more : less).has(number.get(o.name))
				: abs(change(o)) >= (showing.noise / 100) * max(...o.self);
	const list = owners
		.filter(o => abs(part(o)) >= 0.001 && isReal(o))
		.sort((a, b) => abs(change(b)) - abs(change(a)));
	return [
		[`${amount(base, true)} → ${amount(head)}${base ? `, ${signed((head - base) / base, percent)}` : ''}.`],
		...sentence(
			'Largest changes of self: ',
			list.slice(0, FEW).map(o => [o, ` ${signed(part(o), percent)}`])
		)
	];
}

/* The slider for the smallest change that has a colour. */
function noiseSlider() {
	const e = h('input', {type: 'range', min: 0, max: 20, step: 0.5, 'aria-label': 'Smallest change with a colour'}),
		said = h('output', {});
	e.oninput = () => later(() => fg.noise(e.value));
	ui.noise = () => {
		setValue(e, showing.noise);
		setText(said, `Changes below ${showing.noise} % have no colour`);
	};
	return h('label', {class: 'slider'}, said, e);
}

/*
 * Adds to a row of the function list its changes, and base and head. both: [base, head] of self and
 * total; real: their changes beyond noise, if a column has the noise.
 */
function compareRow(row, both, wholes, real) {
	const before = picture.tree.sums[0][picture.tree.n] || wholes[1],
		changes = both.map(([b, h]) => h * headScale() - b);
	row.isReal = changes.map((by, k) => (real ? real[k] * by > 0 : abs(by) > (showing.noise / 100) * max(...both[k])));
	[row.self, row.total] = changes.map(by => by / before);
	[row.base, row.head] = wholes.map((whole, side) => both.map(of => of[side] / whole));
	row.title = ['self', 'total'].map((text, k) => `${text}: base ${amount(both[k][0])}, head ${amount(both[k][1])}`).join('\n');
}

/* The table of the inspector: a frame's values and, if it has a name, those of all its frames. */
function compareTable(tree, node, of, all) {
	const rows = (total, own) => {
		const [totals, selfs] = [total, own].map(value => comparison(...tree.sums.map(value)));
		return ['base', 'head', 'change', 'of its base', "of base's total"].map((text, k) => [text, totals[k], selfs[k]]);
	};
	return table(
		['', 'total', 'self'],
		...rows(c => totalOf(tree, c, node), c => ownOf(tree, c, node)),
		...(of ? [all, ...rows((_, c) => of.total[c], (_, c) => of.self[c])] : [])
	);
}

function describeChange({tree, change: kind}, node) {
	const [base, head, change, , effect] = comparison(...tree.sums.map(c => totalOf(tree, c, node)));
	return (
		`${apart(frameText(tree.name[node]))}: ${changeWord(kind(node))}, base ${base}, head ${head}, ` +
		`${change}, ${effect} of base's total`
	);
}

/* Base, head, their change and a gauge, in the header. */
function showBoth([base, head]) {
	const most = max(base, head) || 1,
		bar = (value, name) => h('span', {class: name, style: `width:${(value / most) * 100}%`});
	ui.figure.replaceChildren(
		`${amount(base, true)} → ${amount(head)}` + (base ? `, ${signed((head - base) / base, percent)}` : ''),
		h('span', {class: 'gauge', 'aria-hidden': true}, bar(base, 'was'), bar(head, head > base ? 'more' : 'less'))
	);
}

/* The frames below the searched node whose self value changed, each with the size of the change. */
function eachChange(pane, each) {
	const {tree} = pane,
		[base, head] = tree.sums,
		from = searched(pane),
		scale = headScale();
	for (let i = max(1, from); i < tree.end[from]; i++) {
		const by = abs((head[i + 1] - head[i]) * scale - (base[i + 1] - base[i]));
		if (by > 0 && pane.change(i) !== SAME) each(i, by);
	}
}

/* The labels that differ between base and head: "build 12 → 13". */
function comparedLabels() {
	const words = (picture.options.header.find(line => line.startsWith('# sides: ')) || '').split(' '),
		[base, head] = [2, 3].map(k => (words[k] || '').split(',').map(label => label.split('=').map(decodeURIComponent)));
	return base.map(([key, value], k) => head[k]?.[1] && `${key} ${value} → ${head[k][1]}`)
		.filter(Boolean)
		.join(', ');
}

/* Names of the filters by change, in the order of the kinds of a change. */
const CHANGES = ['slower', 'faster', 'added', 'removed'];

/* Flags of the functions whose self value changed so, by name id; slower is more. */
function changeFlags(word) {
	const {of, names} = facts.functions(),
		{tree} = picture,
		{self, total} = tally(tree, of, names.length),
		sum = realSums(tree),
		real = sum && tally({...tree, sums: [sum]}, of, names.length).self[0],
		wholes = tree.sums.map(sum => sum[tree.n]);
	const kinds = names.map((_, k) => {
		const kind = changeKind(...self.map(of => of[k]), total.map(of => of[k]), firstState(picture).noise / 100, max(...wholes));
		return real && real[k] * (self[1][k] - self[0][k]) <= 0 ? SAME : kind;
	});
	return facts.flags((_, id) => CHANGES[kinds[of[id]]] === word);
}
