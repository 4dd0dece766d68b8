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
function growing(tree, room) {
	const columns = tree.sums.length,
		levels = tree.depth < 65535 ? n => new Uint16Array(n) : ints;
	let n = 0,
		name = ids(room),
		level = levels(room),
		sums = Array.from({length: columns}, () => totals(room + 1));
	const need = size => {
		if (size <= name.length) return;
		const wider = (make, array) => {
			const more = make(2 * size);
			more.set(array);
			return more;
		};
		name = wider(ids, name);
		level = wider(levels, level);
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
		/* Adds nodes, each below the one before, of the names from place i on up to a 0. */
		chain(names, i, l) {
			const from = n;
			for (; names[i]; i++) {
				need(n + 2);
				name[n] = names[i];
				level[n++] = l++;
			}
			for (const sum of sums) for (let k = from; k < n; k++) sum[k + 1] = sum[from];
			return l;
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
		sum: () => sums[0][n],
		done: () => treeOf(name, level, sums, n)
	};
}

/*
 * Returns the tree without some frames. roots: nodes merged into the new root, named rootName.
 * hidden: by name id, 1 for frames whose value is charged to their caller; a stack without any other
 * frame is dropped. keep: by node, bit 0: part of its subtree stays, bit 1: its self value
 * stays. recursion: merges calls of a function by itself. place: optional, called with the new
 * node of each node. timeOrder: merges only neighbours, and self values behind a child are gaps.
 */
function merged(tree, roots, rootName, {hidden, keep, recursion, timeOrder, place}) {
	const {name, end, parent} = tree,
		made = growing(tree, tree.n + 2),
		firstOf = facts.firstOf(),
		/* Of a child: a node, or ~node for the gap of its self value. */
		nameOf = i => (i < 0 ? picture.options.gap : firstOf[name[i]]);
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
		if (one && group >= 0 && odd[group] === odd[end[group]]) {
			if (place)
				for (let i = group, k = made.count(); i < end[group]; i++) place[i] = k++;
			made.copy(tree, group, level);
			continue;
		}
		const nodes = one ? [group] : group,
			id = level ? name[nodes[0]] ?? picture.options.gap : rootName,
			children = [];
		let mixed = nodes.length > 1 || (timeOrder && keep);
		made.node(id, level);
		const into = made.count() - 1;
		const take = i => {
			if (place) place[i] = into;
			if (!(level || rootName) || (keep && !(keep[i] & 2))) return;
			if (!timeOrder || !children.length) made.addSelf(tree, i);
			else if (isStack(tree, i)) children.push(~i);
		};
		for (const node of nodes) {
			take(node < 0 ? ~node : node);
			for (let i = node + 1; i < end[node]; ) {
				const below = name[i];
				if (keep && !keep[i]) i = end[i];
				else if (
					hidden?.[below] ||
					(recursion && level && below === id) ||
					(timeOrder && !children.length && isGap(tree, i))
				) {
					mixed = true;
					take(i++);
				} else {
					children.push(i);
					i = end[i];
				}
			}
		}
		if (mixed && !timeOrder) children.sort((a, b) => nameOf(a) - nameOf(b) || a - b);
		for (let k = children.length; k--; ) {
			let from = k;
			while (mixed && from && nameOf(children[from - 1]) === nameOf(children[k])) from--;
			groups.push(from === k ? children[k] : children.slice(from, k + 1), level + 1);
			k = from;
		}
	}
	return made.done();
}

/* Paths sorted by insertion: most groups are small, and a sort has a fixed cost. */
const FEW_PATHS = 30;

/* Names of paths, at most, in memory at a time. */
const WAYS = 1 << 24;

/*
 * Returns the tree reversed. at: nodes, each the first frame of a path to the root; values[c][k]:
 * value of the k-th path in column c. where: optional, set to the nodes in which the paths
 * end.
 */
function upward(tree, at, values, rootName, where) {
	const {name, parent, level: levels} = tree,
		m = at.length,
		columns = values.length,
		most = max(8, floor(WAYS / m)),
		made = growing(tree, min(1 << 24, tree.n * (tree.depth + 2))),
		firstOf = facts.firstOf();
	/*
	 * The names of path k are copied to way, as many as fit before ends[k], where a 0 is: walking
	 * up the tree for each frame takes much longer. spot[k] is the place of its next frame.
	 */
	const spot = ints(m),
		ends = ints(m);
	let size = -1;
	for (let k = 0; k < m; k++) ends[k] = size += 1 + min(most, max(0, levels[at[k]]));
	const way = ids(size + 1);
	const fill = k => {
		let i = at[k],
			place = (spot[k] = ends[k] - min(most, max(0, levels[i])));
		for (; place < ends[k]; i = parent[i]) way[place++] = name[i];
		at[k] = i;
	};
	/* The name of the next frame of path k; 0 at its end. */
	const nameOf = k => {
		if (!way[spot[k]] && at[k] > 0) fill(k);
		return firstOf[way[spot[k]]];
	};
	const path = ints(m),
		/* By place in path: the name of its next frame. */
		next = ints(m),
		/* For sorting: by name, first the number of paths, then their place; copies. */
		places = ints(picture.names.length),
		path2 = ints(m),
		next2 = ints(m),
		/*
		 * Groups of paths: the first, the end, the level and the name of their common
		 * frame.
		 */
		groups = [0, m, 0, rootName];
	const worth = k => {
		for (let c = 0; c < columns; c++) made.add(c, values[c][k]);
		if (where) where[k] = made.count() - 1;
	};
	for (let k = 0; k < m; k++) {
		path[k] = k;
		next[k] = firstOf[name[at[k]]];
		/* Here in the order of memory. */
		fill(k);
	}
	while (groups.length) {
		const head = groups.pop();
		let level = groups.pop();
		const stop = groups.pop();
		let start = groups.pop();
		const first = path[start];
		made.node(head, level++);
		for (let s = start; level > 1 && s < stop; s++) {
			const k = path[s];
			if (spot[k] === ends[k]) fill(k);
			spot[k]++;
			next[s] = nameOf(k);
		}
		if (stop - start === 1) {
			for (; nameOf(first); spot[first] = ends[first]) level = made.chain(way, spot[first], level);
			worth(first);
			continue;
		}
		/* The frames that follow in all of them. */
		let run = ends[first] - spot[first];
		for (let s = start + 1; run && s < stop; s++) {
			const a = spot[first],
				b = spot[path[s]];
			let n = 0;
			while (n < run && firstOf[way[a + n]] === firstOf[way[b + n]]) n++;
			run = n;
		}
		for (let n = 0; n < run; n++) made.node(firstOf[way[spot[first] + n]], level++);
		for (let s = start; run && s < stop; s++) {
			spot[path[s]] += run;
			next[s] = nameOf(path[s]);
		}
		/*
		 * Paths that end here come first, then the others by the name of their next
		 * frame.
		 */
		if (stop - start > FEW_PATHS) {
			const met = [];
			for (let s = start; s < stop; s++) if (!places[next[s]]++) met.push(next[s]);
			let place = start;
			for (const id of ints(met).sort()) {
				place += places[id];
				places[id] = place - places[id];
			}
			for (let s = start; s < stop; s++) {
				const t = places[next[s]]++;
				path2[t] = path[s];
				next2[t] = next[s];
			}
			path.set(path2.subarray(start, stop), start);
			next.set(next2.subarray(start, stop), start);
			for (const id of met) places[id] = 0;
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
		while (start < stop && !next[start]) worth(path[start++]);
		for (let to = stop; to > start; ) {
			const id = next[to - 1];
			let from = to;
			while (from > start && next[from - 1] === id) from--;
			groups.push(from, to, level, id);
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
	const {n, name, parent, sums} = tree,
		{gap} = picture.options,
		[first, ...others] = sums,
		stacks = scratch(n);
	let m = 0;
	for (let i = 1; i < n; i++) if (first[i + 1] > first[i] || (others[0] && isStack(tree, i))) stacks[m++] = i;
	const at = stacks.slice(0, m),
		values = sums.map(sum => {
			const own = floats(m);
			for (let k = 0; k < m; k++) own[k] = selfOf(sum, stacks[k]);
			return own;
		});
	if (gap) for (let k = 0; k < m; k++) if (name[at[k]] === gap) at[k] = parent[at[k]];
	return upward(tree, at, values, 0);
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
			tree.sums.map(sum => tops.map(i => totalOf(tree, sum, i))),
			id,
			where
		),
		callees = merged(tree, tops, id, {place});
	return [
		{...callers, tops, where},
		{...callees, tops, place}
	];
}
