/*
 * merge: derives trees from a tree: without some frames or stacks, reversed, or the two halves
 * of a sandwich view. A tree is written in pre-order. Nodes that are merged form a group; its
 * children are collected, sorted by name and grouped in turn. Unchanged subtrees are copied
 * whole.
 */

/* The new tree under construction: arrays that grow as needed. */
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
		/* Adds a node; self values are added to it until the next one. */
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
		/* Copies a subtree unchanged. The arrays are large enough. */
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
 * Returns the tree without some frames. roots: nodes merged into the new root, named rootName.
 * hidden: by name id, 1 for frames whose value is charged to their caller; a stack without any other
 * frame is dropped. keep: by node, bit 0: part of its subtree stays, bit 1: its self value
 * stays. recursion: merges calls of a function by itself. place: optional, called with the new
 * node of each node.
 */
function merged(tree, roots, rootName, {hidden, keep, recursion, timeOrder, place}) {
	const {name, end, parent} = tree,
		made = growing(tree.sums.length, tree.n + 1),
		firstOf = facts.firstOf();
	/* Number of changed nodes before i; a subtree without any is copied. */
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

/* Paths sorted by insertion: most groups are small, and a sort has a fixed cost. */
const FEW_PATHS = 30;

/*
 * Returns the tree reversed. at: nodes, each the first frame of a path to the root; value(c,
 * k): value of the k-th path in column c. where: optional, called with the node in which a
 * path ends.
 */
function upward(tree, at, value, rootName, where) {
	const {name, parent} = tree,
		columns = tree.sums.length,
		made = growing(columns, tree.n),
		firstOf = facts.firstOf();
	const path = ints(at.length).map((_, k) => k),
		keys = floats(at.length),
		/* By path: the name of its next frame; -1 at its end. */
		next = at.map(a => (a > 0 ? firstOf[name[a]] : -1)),
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
		/*
		 * Paths that end here come first, then the others by the name of their next
		 * frame.
		 */
		if (stop - start > FEW_PATHS) {
			for (let s = start; s < stop; s++) keys[s] = (next[path[s]] + 1) * 0x8000000 + path[s];
			keys.subarray(start, stop).sort();
			for (let s = start; s < stop; s++) path[s] = keys[s] % 0x8000000;
		} else {
			for (let s = start + 1; s < stop; s++) {
				const k = path[s],
					id = next[k];
				let t = s;
				for (; t > start && next[path[t - 1]] > id; t--) path[t] = path[t - 1];
				path[t] = k;
			}
		}
		while (start < stop && next[path[start]] < 0) worth(path[start++]);
		for (let to = stop; to > start; ) {
			const id = next[path[to - 1]];
			let from = to;
			while (from > start && next[path[from - 1]] === id) {
				const k = path[--from],
					a = (at[k] = parent[at[k]]);
				next[k] = a > 0 ? firstOf[name[a]] : -1;
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
 * Returns the tree after filter steps. steps: [what, flags by name id], what being focus, hide
 * or drop, applied in order as fg-filter does: each step sees the result of the one before.
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

/* The reversed tree: the functions that spend the time, and their callers. */
function reversed(tree) {
	const from = ints(tree.n);
	let m = 0;
	for (let i = 1; i < tree.n; i++) if (isStack(tree, i)) from[m++] = i;
	return upward(tree, from.slice(0, m), (c, k) => selfOf(tree.sums[c], from[k]), 0);
}

/*
 * The callers and the callees of a function: two trees with it as their root. is: flags of
 * that function by name id. Only its outermost frame in a stack counts, so recursion is
 * counted once. Both trees store the positions of the original tree's frames in them.
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
