/*
 * rough: the reversed tree of a large picture as far as it is visible. The complete tree has many
 * more frames, and is built for questions whose answer may be anywhere in it: completeTree().
 */

/*
 * Returns the tree reversed, of one column and without gaps, as far as it is visible. chosen: of the
 * edges of a node's children: flags of the children that are written with children of their own; the
 * tree has flags of the others, `closed`.
 */
function sketched(tree, chosen) {
	const {n, name, parent, depth} = tree,
		[sum] = tree.sums,
		made = growing(tree, 4096),
		firstOf = facts.firstOf(),
		closed = [],
		/* Paths to the root by group: the present frame, the value, the name of the next frame. */
		at = ints(n),
		worth = totals(n),
		next = ints(n),
		/* By name, of a group's next frames. */
		counts = ints(picture.names.length),
		sizes = floats(counts.length);
	let m = 0;
	for (let i = 1; i < n; i++)
		if (sum[i + 1] > sum[i]) {
			worth[m] = selfOf(sum, i);
			at[m++] = i;
		}
	const at2 = ints(m),
		worth2 = totals(m),
		/* As in upward; of a closed one the value in place of the first, and no end. */
		groups = [0, m, 0, 0];
	while (groups.length) {
		const head = groups.pop(),
			level = groups.pop(),
			stop = groups.pop(),
			start = groups.pop(),
			met = [];
		made.node(head, level);
		if (stop < 0) {
			closed.push(made.count() - 1);
			made.add(0, start);
			continue;
		}
		/* The only path of a group is as wide as the group, and keeps its names, as in upward. */
		if (stop - start === 1) {
			const from = at[start];
			for (let i = level ? parent[from] : from, l = level; i > 0; i = parent[i]) made.node(name[i], ++l);
			made.add(0, worth[start]);
			continue;
		}
		for (let s = start; s < stop; s++) {
			if (level) at[s] = parent[at[s]];
			const id = (next[s] = firstOf[name[at[s]]]);
			if (!counts[id]++) met.push(id);
			sizes[id] += worth[s];
		}
		/* The root: paths that end here. */
		made.add(0, sizes[0]);
		const ids = ints(met.filter(id => id)).sort(),
			edges = [made.sum()];
		for (const id of ids) edges.push(edges[edges.length - 1] + sizes[id]);
		const open = chosen(edges),
			below = [];
		counts[0] = -1;
		let place = start;
		ids.forEach((id, k) => {
			const count = counts[id];
			below.push(open[k] ? [place, place + count, level + 1, id] : [sizes[id], -1, level + 1, id]);
			counts[id] = open[k] ? place : -1;
			if (open[k]) place += count;
		});
		for (let s = start; s < stop; s++) {
			const id = next[s];
			if (counts[id] < 0) continue;
			at2[counts[id]] = at[s];
			worth2[counts[id]++] = worth[s];
		}
		at.set(at2.subarray(start, place), start);
		worth.set(worth2.subarray(start, place), start);
		for (const group of below.reverse()) groups.push(...group);
		for (const id of met) counts[id] = sizes[id] = 0;
		counts[0] = 0;
	}
	/* A graph of all frames has that many rows. */
	const done = Object.assign(made.done(), {depth});
	done.closed = bytes(done.n);
	for (const node of closed) done.closed[node] = 1;
	return done;
}

/*
 * Width in pixels at which the reversed tree is drawn, if it needs no frames narrower than a pixel: all
 * of it is shown, and neither searched nor described. Otherwise 0.
 */
function roughly() {
	return showing.reverse &&
	!filteredTree().callers &&
	picture.columns.length === 1 &&
	!picture.options.gap &&
	showing.system &&
	!showing.recursion &&
	!['time', 'filters', 'zoom', 'range', 'search', 'mark', 'order', 'sandwich'].some(key => showing[key].length)
		? room.wide
		: 0;
}

/* Like trace: the frames with children are those that own a pixel. */
function roughTree(tree) {
	const scale = roughly() / widthsOf(tree)[tree.n];
	return sketched(tree, edges => {
		const open = bytes(edges.length - 1),
			x = edges.map(edge => round(edge * scale)),
			isNarrow = k => (edges[k + 1] - edges[k]) * scale < 1;
		for (let k = 0, to; k < open.length; k = to) {
			for (to = k; to < open.length && isNarrow(to); ) to++;
			if (to - k > 1 && x[to] - x[k] >= OTHERS) continue;
			for (to = max(to, k + 1); k < to; k++) open[k] = x[k] < x[k + 1];
		}
		return open;
	});
}
