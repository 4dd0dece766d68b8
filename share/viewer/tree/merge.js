/*
 * merge: derives trees from a tree: without some frames or stacks, reversed, or the two halves
 * of a sandwich view. A tree is written in pre-order. Nodes that are merged form a group; its
 * children are collected, sorted by name and grouped in turn. Unchanged subtrees are copied
 * whole.
 */

/* For arrays of one call, so that their memory is not new each time. */
let spare = ints(0);
const scratch = n => (spare.length < n ? (spare = ints(n)) : spare);

/*
 * The new tree under construction: arrays that grow as needed. New memory takes most of the time
 * of a large tree, but capacity that is never written takes none.
 */
function growing(columns, room) {
	let n = 0,
		name = ids(room),
		level = ints(room),
		sums = Array.from({length: columns}, () => totals(room + 1));
	const need = size => {
		if (size <= name.length) return;
		const wider = (make, array) => {
			const more = make(2 * size);
			more.set(array);
			return more;
		};
		name = wider(ids, name);
		level = wider(ints, level);
		sums = sums.map(sum => wider(totals, sum));
	};
	return {
		/* Adds a node; self values are added to it until the next one. */
		node(id, l) {
			need(n + 2);
			name[n] = id;
			level[n++] = l;
			for (let c = 0; c < columns; c++) sums[c][n] = sums[c][n - 1];
		},
		/* Adds a node of a tree and its callers, each below the one before. */
		chain(tree, i, l) {
			const from = n;
			need(n + tree.level[i] + 1);
			for (; i > 0; i = tree.parent[i]) {
				name[n] = tree.name[i];
				level[n++] = l++;
			}
			for (const sum of sums) sum.fill(sum[from], from + 1, n + 1);
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
		done: () => treeOf(name, level, sums, n)
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
		made = growing(tree.sums.length, tree.n + 2),
		firstOf = facts.firstOf();
	/* Number of changed nodes before i; a subtree without any is copied. */
	const odd = scratch(tree.n + 1);
	odd[0] = 0;
	for (let i = 0; i < tree.n; i++)
		odd[i + 1] = odd[i] + Boolean(hidden?.[name[i]] || (keep && !(keep[i] & 2)) || (recursion && name[i] === name[parent[i]]));
	const groups = [roots, 0]; /* each with its level */
	while (groups.length) {
		const level = groups.pop(),
			group = groups.pop(),
			one = typeof group === 'number';
		if (one && odd[group] === odd[end[group]]) {
			if (place)
				for (let i = group, k = made.count(); i < end[group]; i++) place[i] = k++;
			made.copy(tree, group, level);
			continue;
		}
		const nodes = one ? [group] : group,
			id = level ? name[nodes[0]] : rootName,
			children = [];
		let mixed = nodes.length > 1;
		made.node(id, level);
		const into = made.count() - 1;
		const take = i => {
			if (place) place[i] = into;
			if ((level || rootName) && (!keep || keep[i] & 2)) made.addSelf(tree, i);
		};
		for (const node of nodes) {
			take(node);
			for (let i = node + 1; i < end[node]; ) {
				const below = name[i];
				if (keep && !keep[i]) i = end[i];
				else if (hidden?.[below] || (recursion && level && below === id)) {
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
			groups.push(from === k ? children[k] : children.slice(from, k + 1), level + 1);
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
		made = growing(columns, min(1 << 24, tree.n * (tree.depth + 2))),
		firstOf = facts.firstOf();
	const path = ints(at.length).map((_, k) => k),
		keys = floats(at.length),
		/* By place in path: the name of its next frame; -1 at its end. */
		next = at.map(a => (a > 0 ? firstOf[name[a]] : -1)),
		/* Groups of paths: the first, the end, the level and the name of their common frame. */
		groups = [0, at.length, 0, rootName];
	const worth = k => {
		for (let c = 0; c < columns; c++) made.add(c, value(c, k));
		if (where) where[k] = made.count() - 1;
	};
	while (groups.length) {
		const head = groups.pop(),
			level = groups.pop(),
			stop = groups.pop();
		let start = groups.pop();
		made.node(head, level);
		if (stop - start === 1) {
			const k = path[start];
			made.chain(tree, at[k], level + 1);
			worth(k);
			continue;
		}
		/*
		 * Paths that end here come first, then the others by the name of their next
		 * frame.
		 */
		if (stop - start > FEW_PATHS) {
			const some = keys.subarray(0, stop - start);
			for (let s = start; s < stop; s++) some[s - start] = (next[s] + 1) * 0x8000000 + path[s];
			some.sort();
			for (let s = start; s < stop; s++) {
				const key = some[s - start];
				path[s] = key % 0x8000000;
				next[s] = floor(key / 0x8000000) - 1;
			}
		} else {
			for (let s = start + 1; s < stop; s++) {
				const k = path[s],
					id = next[s];
				let t = s;
				for (; t > start && next[t - 1] > id; t--) {
					path[t] = path[t - 1];
					next[t] = next[t - 1];
				}
				path[t] = k;
				next[t] = id;
			}
		}
		while (start < stop && next[start] < 0) worth(path[start++]);
		for (let to = stop; to > start; ) {
			const id = next[to - 1];
			let from = to;
			while (from > start && next[from - 1] === id) {
				const k = path[--from],
					a = (at[k] = parent[at[k]]);
				next[from] = a > 0 ? firstOf[name[a]] : -1;
			}
			groups.push(from, to, level + 1, id);
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
	const from = scratch(tree.n);
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
