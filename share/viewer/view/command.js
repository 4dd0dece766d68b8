/*
 * command: the view as a shell command, fg-filter ... FILE | fg-render ..., and a list in
 * words of the parts that no command produces.
 */

/* Quotes a word for sh. Text with control characters cannot be quoted (isPlain). */
const quoted = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);
const isPlain = text => !/[\0-\x1f\x7f-\x9f\ufffd]/.test(text);

/* The pattern of a frame's whole name, in fg-filter's syntax. */
const wholeName = id => '^' + literal(picture.names[id]) + '$';

/*
 * Flags by name id: 1 for the names that the pattern of wholeName matches, which are the name and
 * the same name with other annotations.
 */
function sameName(id) {
	const {of} = facts.functions(),
		flags = bytes(picture.names.length);
	for (let k = 1; k < of.length; k++)
		if (of[k] === of[id] && (k === id || bareName(picture.names[k], facts.parts(k)) === picture.names[id]))
			flags[k] = 1;
	return flags;
}

/*
 * The patterns of --root-at that select the zoomed frame and no other, with as few names of
 * its path as possible; null if other stacks have these too.
 */
function rootPatterns({tree, root}) {
	const {n, name, end, level} = tree,
		way = lineage(tree, root).map(a => name[a]);
	for (let count = 1; count <= way.length && count <= 8; count++) {
		const ids = way.slice(-count),
			flags = ids.map(sameName);
		const met = ints(tree.depth + 2);
		let alone = true;
		for (let i = 1; i < n && alone; i++) {
			/*
			 * The next pattern is matched from the frame that the one before made
			 * the root.
			 */
			let now = met[level[i] - 1];
			while (now < count && flags[now][name[i]]) now++;
			met[level[i]] = now;
			if (now === count) {
				alone = i === root;
				i = end[i] - 1;
			}
		}
		if (alone) return ids.map(wholeName);
	}
	return null;
}

/* The title of a picture that has none of its own. */
const usualTitle = (chart, flip) => (chart ? 'Flame Chart' : flip ? 'Icicle Graph' : 'Flame Graph');

function titleOfView() {
	const {title, flamechart, inverted} = picture.options;
	return title && title !== usualTitle(flamechart, inverted) ? title : usualTitle(flamechart, showing.flip);
}

/* {line, notes}: the command, or '' if there is none, and notes on omissions. */
function commandLine() {
	const {options, columns} = picture,
		{reverse, flamechart, strip} = options,
		{column} = showing,
		isOther = !isDiff(columns) && column !== firstState(picture).column,
		/* A flame chart reversed is a graph. */
		timed = flamechart && !showing.reverse;
	const filter = [],
		render = [],
		notes = [];
	const add = (option, value) => {
		if (!isPlain(value)) notes.push('A command cannot contain a name with control characters.');
		filter.push(`--${option} ${quoted(value)}`);
	};
	showing.time.forEach((second, k) => filter.push(`--${k ? 'to' : 'from'}=${second}`));
	if (reverse) filter.push('--reverse');
	for (const entry of showing.filters) {
		const parts = filterParts(entry);
		if (entry === hideNative()) add('lang', parts.name);
		else if (parts.what === 'only') {
			add('origin', parts.name);
			if (reverse || showing.time.length) notes.push('fg-filter finds origins in whole stacks of all times.');
		}
		else add(parts.what, patternOf(parts));
	}
	if (!showing.system) filter.push('--hide-system');
	if (showing.recursion) filter.push('--collapse-recursion');
	if (showing.sandwich)
		notes.push('No single command shows both callers and callees: use --callers or --callees.');
	else if (showing.reverse) filter.push('--reverse');
	if (options.noise && !options.judged && filter.length) notes.push('fg-filter cannot sum noise.');
	if (showing.range.length) notes.push('fg-filter cannot select a part of the width.');
	if (isOther && column === 'sum') notes.push('fg-render cannot draw the sum of these columns.');
	const pane = mainPane();
	if (pane.root && !showing.sandwich && !notes.length) {
		const patterns = rootPatterns(pane);
		if (patterns) patterns.forEach(pattern => add('root-at', pattern));
		else notes.push('fg-filter cannot distinguish the zoomed frame from others of its name.');
	}
	if (notes.length) return {line: '', notes: Array.from(new Set(notes))};
	if (showing.search || showing.mark) notes.push('The command does not include the search.');
	if ((timed || strip) && filter.length) filter.unshift('--time-order');
	if (timed) render.push('--flamechart');
	if (strip) render.push('--heatmap');
	if (showing.order) notes.push('The command does not include the order.');
	const title = titleOfView();
	if (title !== usualTitle(timed, showing.flip) && isPlain(title)) render.push('--title ' + quoted(title));
	if (showing.mode !== options.mode || PALETTES[showing.mode]) render.push('--colors ' + showing.mode);
	if (showing.flip) render.push('--inverted');
	if (isOther) {
		notes.push('The command draws only this column.');
		render.push('--column ' + quoted(column));
	}
	if (isDiff(columns) && showing.view !== 'diff') notes.push('The command draws the Diff view.');
	const words = (...list) => list.join(' ');
	return {
		line: filter.length
			? words('fg-filter', ...filter, 'FILE |', 'fg-render', ...render)
			: words('fg-render', ...render, 'FILE'),
		notes
	};
}

/*
 * A search as a filter's pattern: lower case letters, which match both cases in a search, are
 * written in both cases where it matters.
 */
function searchAsFilter(pattern) {
	if (unlike(pattern) || /\p{Lu}/u.test(pattern)) return pattern;
	const wide = pattern.replace(/\\.|\[[^\]]*\]|[a-z]/g, m =>
		m.length > 1 ? m : `[${m.toUpperCase()}${m}]`
	);
	const [plain, both] = [pattern, wide].map(p => matchFlags(p));
	return plain.every((flag, id) => flag === both[id]) ? pattern : wide;
}
