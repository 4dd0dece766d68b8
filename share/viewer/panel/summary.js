/*
 * summary: the first page of the panel: the sentences of fg-render -T markdown, each name
 * linked to its frame. For a filtered view, or another column, it
 * starts with sentences of that kind on the view.
 */

function showSummary() {
	const words = viewSummary();
	if (showPanel.last === 'summary' && showSummary.words === words) return;
	showSummary.words = words;
	/* A figure, its percent sign and its error stay on one line. */
	const unbroken = words => visible(words).split(/(\S+ %(?: ± [\d.]+)?)/).map((text, k) => (k % 2 ? h('span', {}, text) : text)),
		paragraph = write => parts => h('p', {}, ...parts.flatMap(part => (typeof part === 'string' ? unbroken(part) : [write(part)])));
	/*
	 * For the unfiltered picture it is fixed: the heading, the list, the three most
	 * important sentences.
	 */
	const {rows, over, say} = picture.summary,
		/* Without a heading of its own, the list replaces a sentence. */
		next = rows.length && !over ? 2 : 1,
		whole = paragraph(part => placeLink(...part));
	showSummary.whole ||= h(
		'div',
		{},
		h('h2', {}, 'Entire profile'),
		whole(say[0]),
		...(rows.length ? [h('p', {class: 'over'}, over || say[1][0].replace(/: $/, '')), ranking(rows)] : []),
		...say.slice(next, next + 3).map(whole)
	);
	hide(showSummary.whole.firstChild, !words.length);
	renew(
		ui.panel,
		h(
			'div',
			{class: 'shown'},
			words.length && h('h2', {}, 'This view'),
			...words.map(paragraph(ownerLink))
		),
		showSummary.whole
	);
}

/* Characters of a figure in the list, and of all figures of a row, at most, with the unit. */
const MOST_FIGURE = 15;
const MOST_FIGURES = 33;

/* Functions with bars and figures: shares and their error, or changes and their interval. */
function ranking(rows) {
	const widest = rows[0].slice(3).map((_, k) => max(...rows.map(row => row[3 + k]?.length || 0))),
		fills = widest.reduce((a, b) => a + b, 0) > MOST_FIGURES;
	return h(
		'table',
		{class: 'ranking'},
		...rows.map(([name, place, size, ...figures]) =>
			h(
				'tr',
				{},
				h(
					'td',
					{class: 'bar'},
					h(
						'i',
						{class: size < 0 ? 'less' : 'more', style: `width:${max(1, abs(size))}%`},
						!isDiff(picture.columns) && s('svg', {width: 64, height: 10}, s('rect', {class: 'o' + originOf(name), width: 64, height: 10}))
					)
				),
				/* A number that needs much space is shown without its unit, which the heading has. */
				...figures.map((text, k) => h('td', {}, visible((fills && !k) || text.length > MOST_FIGURE ? text.replace(/ [^ \d]*$/, '') : text))),
				h('td', {}, placeLink(name, place))
			)
		)
	);
}

const FEW = 5; /* limit of functions in a sentence */

/*
 * Sentences on the view, of strings and owners. An owner is a function with its self value:
 * {name, self, at: the pane's node with the most of it}.
 */
const viewSummary = remember(
	() => {
		const {tree, sum, root, lo, hi} = mainPane();
		return [tree, sum, root, lo, hi, showing.sandwich, showing.noise, headScale()];
	},
	() => {
		const {tree, sum, lo, hi} = mainPane(),
			isTold = showing.column === firstState(picture).column,
			all = !lo && hi === sum[tree.n] && hi === wholeWidth() && !isSandwich();
		if (all && !showing.time.length && !showing.filters.length && showing.system && !showing.recursion && isTold) return [];
		const {of, names, first} = facts.functions(),
			/* By number of the function; the largest value of one node, and that node. */
			most = floats(names.length).fill(-1),
			at = ints(names.length),
			selfs = picture.columns.map(() => floats(names.length));
		const from = isSandwich() ? filteredTree() : tree;
		let top = 0;
		shownStacks((i, values) => {
			/* Of callers, the time is that of the function on top of them. */
			if (!top || i >= from.end[top]) for (top = i; from.level[top] > 1; ) top = from.parent[top];
			const leaf = showing.reverse && !isSandwich() ? top : isGap(from, i) ? from.parent[i] : i;
			for (let c = 0; c < values.length; c++) {
				const node = isOff(c) && !showing.reverse ? waiter(from, leaf) : leaf,
					k = of[from.name[node]],
					v = values[c];
				selfs[c][k] += v;
				if (v > most[k]) {
					most[k] = v;
					at[k] = node;
				}
			}
		});
		const owners = names
			.map((name, k) => ({name, at: at[k], self: selfs.map(self => self[k])}))
			.filter((_, k) => most[k] >= 0 && !isNameless(first[k]));
		return (isDiff(picture.columns) ? changesOf : timesOf)(owners, selfs.map(self => self.reduce((a, b) => a + b)));
	}
);

/* True if column c is off-CPU time. */
const isOff = c => picture.options.off?.[c];

/* "40 samples, 12.30 % of the total.", and the main functions. */
function timesOf(owners, whole) {
	const value = of => shownValue(c => of[c]),
		total = value(whole),
		waited = showing.reverse ? 0 : value(whole.map((v, c) => (isOff(c) ? v : 0))),
		samples = shownUnit() === 'samples' ? total / picture.options.scale : 0;
	const list = owners
		.filter(o => value(o.self) > 0)
		.sort((a, b) => value(b.self) - value(a.self))
		.filter((o, k) => value(o.self) >= total / (k ? 100 : 1000));
	const nameless = owners.reduce((rest, o) => rest - value(o.self), total) / total;
	/* "Most self memory: ", as the profile's summary has it */
	const begin = !waited ? `${/Most self \S+: /.exec(picture.summary.say) || 'Most self time: '}` : waited === total ? 'Longest waiting: ' : 'Most self or waiting time: ';
	const parts = showing.column === 'sum' ? picture.columns.map((name, c) => `${visible(name)} ${percent(whole[c] / total)}`) : [];
	return [
		[
			`${amount(total)}, ${percent(total / widthsOf(picture.tree)[picture.tree.n])} of the total` +
				(parts.length ? `: ${parts.join(', ')}.` : '.')
		],
		...(list.length || !(nameless < 0.999) ? [] : [[begin + 'no function has 0.1 %.']]),
		...sentence(
			begin,
			list.slice(0, FEW).map(o => {
				const share = value(o.self) / total,
					error = samples ? 196 * Math.sqrt((share * (1 - share)) / samples) : 0;
				return [o, ` ${(100 * share).toFixed(1)} %${error >= 0.05 ? ` ± ${error.toFixed(1)}` : ''}`];
			})
		),
		...(nameless < 0.01 ? [] : [[`${percent(nameless)} is in code without symbols.`]])
	];
}

const sentence = (begin, list) =>
	list.length ? [[begin, ...list.flatMap(([owner, text], k) => [k ? ', ' : '', owner, text]), '.']] : [];

/*
 * A link to the frame with most of a function's self value; in callers and callees it marks
 * the function.
 */
function ownerLink({name, at}) {
	const e = h('a', {href: '#', title: visible(name)}, ...breakable(shorten(visible(name), 60)));
	e.onclick = event => {
		event.preventDefault();
		if (isSandwich()) {
			fg.mark('function:' + name);
			return;
		}
		const to = {pane: mainPane(), node: at},
			zoom = closer(to);
		select(to, true);
		if (zoom) fg.zoom(zoom);
	};
	return e;
}

/* A link to a node of the picture's tree, with an address that can be copied. */
function placeLink(id, node) {
	const path = namesTo(picture.tree, node),
		parts = facts.parts(id),
		name = labelOf(PLACE_FILE.test(parts.file) ? {...parts, file: parts.source} : parts);
	const e = h('a', {title: name}, ...breakable(shorten(name, 60)));
	e.href = '#' + new URLSearchParams({zoom: asText(path)});
	e.onclick = event => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		showPlace(path);
	};
	return e;
}

/* Goes to a frame of the unfiltered picture; removes filters that hide it. */
function showPlace(path) {
	const there = () => {
		const pane = mainPane(),
			node = descend(pane.tree, path.map(facts.id));
		return !isSandwich() && pane.tree.level[node] === path.length ? {pane, node} : null;
	};
	if (!there() || showing.reverse) fg.reset();
	settle();
	const at = there();
	if (!at) return;
	const zoom = closer(at);
	select(at, true);
	if (zoom) fg.zoom(zoom);
}
