/*
 * merge: trees made out of a tree: with frames or stacks taken out, read from the leaves,
 * the two halves of a sandwich. They are written in pre-order as they are found: nodes
 * that become one are a group, whose children are gathered, put in order by name and
 * grouped again. What stays as it is is copied whole.
 */

/* The new tree as it grows: arrays that are given their room at need. */
function growing(columns, room) {
	let n = 0,
		name = ints(room),
		level = ints(room),
		sums = Array.from({length: columns}, () => floats(room + 1));
	const wider = (array, make, size) => {
		const more = make(size);
		more.set(array);
		return more;
	};
	return {
		/* A new node; its self value is added to the sums until the next one comes. */
		node(id, l) {
			if (n === name.length) {
				const size = max(64, 2 * n);
				name = wider(name, ints, size);
				level = wider(level, ints, size);
				sums = sums.map(sum => wider(sum, floats, size + 1));
			}
			name[n] = id;
			level[n] = l;
			n++;
			for (const sum of sums) sum[n] = sum[n - 1];
		},
		add(c, value) {
			sums[c][n] += value;
		},
		addSelf(tree, i) {
			for (let c = 0; c < columns; c++)
				sums[c][n] += tree.sums[c][i + 1] - tree.sums[c][i];
		},
		/* A subtree as it is. There is room for it. */
		copy(tree, from, l) {
			const to = tree.end[from],
				up = l - tree.level[from];
			for (let i = from, k = n; i < to; i++, k++) {
				name[k] = tree.name[i];
				level[k] = tree.level[i] + up;
			}
			for (let c = 0; c < columns; c++) {
				const sum = sums[c],
					old = tree.sums[c],
					less = old[from] - sum[n];
				for (let i = from + 1, k = n + 1; i <= to; i++, k++) sum[k] = old[i] - less;
			}
			n += to - from;
		},
		count: () => n,
		done() {
			const cut = (array, size) =>
				size < array.length / 2 ? array.slice(0, size) : array.subarray(0, size);
			return treeOf(cut(name, n), cut(level, n), sums.map(sum => cut(sum, n + 1)));
		}
	};
}

/*
 * The tree without some frames. roots: nodes that become the new root, whose name is
 * rootName. hidden: by name id, 1 for frames whose value goes to their caller; a stack of
 * which nothing is left is cut. keep: by node, bit 0 that something of it stays, bit 1
 * that its self value does. recursion: a function called by itself is drawn once. place:
 * when given, is told for each node where it went.
 */
function merged(tree, roots, rootName, {hidden, keep, recursion, timeOrder, place}) {
	const {name, end, parent} = tree,
		made = growing(tree.sums.length, tree.n + 1),
		firstOf = facts.firstOf();
	/* How many nodes before i do not stay as they are; with none in its range a subtree is copied. */
	const odd = ints(tree.n + 1);
	for (let i = 0; i < tree.n; i++)
		odd[i + 1] =
			odd[i] +
			((hidden && hidden[name[i]]) ||
			(keep && !(keep[i] & 2)) ||
			(recursion && i && name[i] === name[parent[i]])
				? 1
				: 0);
	const groups = [roots],
		levels = [0];
	while (groups.length) {
		const group = groups.pop(),
			level = levels.pop(),
			one = typeof group === 'number';
		if (one && odd[group] === odd[end[group]]) {
			if (place)
				for (let i = group, k = made.count(); i < end[group]; i++) place[i] = k++;
			made.copy(tree, group, level);
			continue;
		}
		const first = one ? group : group[0],
			id = level ? name[first] : rootName,
			children = [];
		let mixed = !one && group.length > 1;
		made.node(id, level);
		const into = made.count() - 1;
		const take = i => {
			if (place) place[i] = into;
			if ((level || rootName) && (!keep || keep[i] & 2)) made.addSelf(tree, i);
		};
		for (let k = 0; k < (one ? 1 : group.length); k++) {
			const node = one ? group : group[k],
				stop = end[node];
			take(node);
			for (let i = node + 1; i < stop; ) {
				const below = name[i];
				if (keep && !keep[i]) i = end[i];
				else if ((hidden && hidden[below]) || (recursion && level && below === id)) {
					mixed = true;
					take(i++);
				} else {
					children.push(i);
					i = end[i];
				}
			}
		}
		if (mixed && !timeOrder) children.sort((a, b) => firstOf[name[a]] - firstOf[name[b]] || a - b);
		for (let k = children.length; k--; ) {
			let from = k;
			while (mixed && from && firstOf[name[children[from - 1]]] === firstOf[name[children[k]]]) from--;
			groups.push(from === k ? children[k] : children.slice(from, k + 1));
			levels.push(level + 1);
			k = from;
		}
	}
	return made.done();
}

/* Paths that are put in order one by one: most groups are small, and a sort has its price. */
const FEW_PATHS = 30;

/*
 * The tree read from the leaves. at: nodes, each the first frame of a path that leads to
 * the root; value(c, k): what the k-th path is worth. where: when given, is told of the
 * node in which a path ends.
 */
function upward(tree, at, value, rootName, where) {
	const {name, parent} = tree,
		columns = tree.sums.length,
		made = growing(columns, at.length + 1),
		firstOf = facts.firstOf();
	const path = ints(at.length).map((_, k) => k),
		keys = floats(at.length),
		next = k => (at[k] > 0 ? firstOf[name[at[k]]] : -1), /* where a path ends, -1 */
		starts = [0],
		stops = [at.length],
		levels = [0],
		ids = [rootName];
	const worth = k => {
		for (let c = 0; c < columns; c++) made.add(c, value(c, k));
		if (where) where[k] = made.count() - 1;
	};
	while (starts.length) {
		let start = starts.pop(),
			level = levels.pop();
		const stop = stops.pop();
		made.node(ids.pop(), level);
		if (stop - start === 1) {
			const k = path[start];
			for (let a = at[k]; a > 0; a = parent[a]) made.node(name[a], ++level);
			worth(k);
			continue;
		}
		/* Paths that end here come first, then the others by the name of their next frame. */
		if (stop - start > FEW_PATHS) {
			for (let s = start; s < stop; s++) keys[s] = (next(path[s]) + 1) * 0x8000000 + path[s];
			keys.subarray(start, stop).sort();
			for (let s = start; s < stop; s++) path[s] = keys[s] % 0x8000000;
		} else {
			for (let s = start + 1; s < stop; s++) {
				const k = path[s],
					id = next(k);
				let t = s;
				for (; t > start && next(path[t - 1]) > id; t--) path[t] = path[t - 1];
				path[t] = k;
			}
		}
		while (start < stop && at[path[start]] <= 0) worth(path[start++]);
		for (let to = stop; to > start; ) {
			const id = firstOf[name[at[path[to - 1]]]];
			let from = to;
			while (from > start && firstOf[name[at[path[from - 1]]]] === id) {
				const k = path[--from];
				at[k] = parent[at[k]];
			}
			starts.push(from);
			stops.push(to);
			levels.push(level + 1);
			ids.push(id);
			to = from;
		}
	}
	return made.done();
}

/*
 * What of a tree its steps leave. steps: [what, flags by name id], what one of focus, hide
 * and drop, in the order in which they are taken, as fg-filter does: what one has hidden
 * the next does not see.
 */
function stepped(tree, names, steps, {recursion, timeOrder}) {
	const hidden = bytes(names),
		drops = bytes(names),
		wanted = ints(names);
	let wants = 0,
		dropping = false;
	for (const [what, flags] of steps) {
		const bit = what === 'focus' ? 1 << wants++ : 0;
		dropping ||= what === 'drop';
		for (let id = 0; id < names; id++)
			if (flags[id] && !hidden[id]) {
				if (what === 'hide') hidden[id] = 1;
				else if (bit) wanted[id] |= bit;
				else drops[id] = 1;
			}
	}
	let keep = null;
	if (wants || dropping) {
		const {n, name, parent, end} = tree,
			all = 2 ** wants - 1,
			seen = ints(n);
		keep = bytes(n);
		for (let i = 0; i < n; i++) {
			if (drops[name[i]]) {
				i = end[i] - 1;
				continue;
			}
			seen[i] = wanted[name[i]] | (i ? seen[parent[i]] : 0);
			if (seen[i] === all) keep[i] = 2;
		}
		for (let i = n - 1; i > 0; i--) {
			if (keep[i] === 2 && !isStack(tree, i)) keep[i] = 0;
			if (keep[i]) keep[parent[i]] |= 1;
		}
	}
	return merged(tree, [0], 0, {hidden, keep, recursion, timeOrder});
}

/* The tree read from the leaves: who spends the time, and who calls them. */
function reversed(tree) {
	let m = 0;
	for (let i = 1; i < tree.n; i++) m += isStack(tree, i) ? 1 : 0;
	const at = ints(m),
		from = ints(m);
	for (let i = 1, k = 0; i < tree.n; i++) if (isStack(tree, i)) from[k] = at[k++] = i;
	return upward(tree, at, (c, k) => selfOf(tree.sums[c], from[k]), 0);
}

/*
 * The callers and the callees of a function: two trees with it as their root. is: by name
 * id, whether it is that function. Its outermost frame in a stack counts, so that
 * recursion is counted once. Both trees remember where the frames of this one are in them.
 */
function sandwiched(tree, is, id) {
	const tops = [];
	for (let i = 1; i < tree.n; i++)
		if (is[tree.name[i]]) {
			tops.push(i);
			i = tree.end[i] - 1;
		}
	const at = Int32Array.from(tops, i => tree.parent[i]),
		where = ints(tops.length),
		place = ints(tree.n);
	const callers = upward(
			tree,
			at,
			(c, k) => totalOf(tree, tree.sums[c], tops[k]),
			id,
			where
		),
		callees = merged(tree, tops, id, {place});
	return [
		{...callers, tops, where},
		{...callees, tops, place}
	];
}
