/*
 * tree: frames in pre-order as typed arrays, and other trees made from them:
 * filtered, reversed, the two halves of a sandwich.
 *
 * A subtree is the range [i, end[i]), and each column is kept as running sums of
 * its self values, so that a total is sum[end[i]] - sum[i], a self value is
 * sum[i + 1] - sum[i], and sum[i] is also where the frame begins when it is drawn.
 */

function prefixSums(self) {
	const sum = floats(self.length + 1);
	for (let i = 0; i < self.length; i++) sum[i + 1] = sum[i] + self[i];
	return sum;
}

/* In a flame chart, time in which a frame ran itself between two children is a child without a name. */
const isGap = (tree, i) => tree.name[i] === picture.options.gap;

const totalOf = (tree, sum, i) => sum[tree.end[i]] - sum[i];
const selfOf = (sum, i) => sum[i + 1] - sum[i];

/* The self value with what is in gaps. */
function ownOf(tree, sum, i) {
	let own = selfOf(sum, i);
	if (picture.options.gap)
		for (let k = i + 1; k < tree.end[i]; k = tree.end[k])
			own += isGap(tree, k) ? selfOf(sum, k) : 0;
	return own;
}

/* A tree out of its pre-order names, levels and running sums (one for each column). */
function treeOf(name, level, sums) {
	const n = name.length;
	const parent = ints(n),
		end = ints(n);
	const open = [];
	let depth = 0;
	parent[0] = -1;
	for (let i = 0; i < n; i++) {
		const l = level[i];
		for (let d = open.length; d > l; d--) end[open.pop()] = i;
		if (l > 0) parent[i] = open[l - 1];
		if (l > depth) depth = l;
		open.push(i);
	}
	while (open.length) end[open.pop()] = n;
	return {n, name, level, parent, end, sums, depth};
}

/*
 * A tree that is being made: nodes in the order of their arrival, found again by
 * parent and name. In time order only the newest child of a parent is found.
 */
function sprout(columns, timeOrder, rootName) {
	let n = 0,
		name = ints(1024),
		parent = ints(1024),
		table = ints(4096).fill(-1);
	let self = Array.from({length: columns}, () => floats(1024));
	const newest = [];

	function node(above, id) {
		const twice = (array, make) => {
			const more = make(n * 2);
			more.set(array);
			return more;
		};
		if (n === name.length) {
			name = twice(name, ints);
			parent = twice(parent, ints);
			self = self.map(column => twice(column, floats));
		}
		name[n] = id;
		parent[n] = above;
		return n++;
	}

	/* Where in the hash table a child is, or would be. */
	function slot(above, id) {
		const mask = table.length - 1;
		let h = Math.imul(above, 0x9e3779b1) ^ Math.imul(id, 0x85ebca6b);
		h ^= h >>> 15;
		for (h &= mask; ; h = (h + 1) & mask) {
			const i = table[h];
			if (i < 0 || (parent[i] === above && name[i] === id)) return h;
		}
	}

	function child(above, id) {
		if (timeOrder)
			return name[newest[above]] === id
				? newest[above]
				: (newest[above] = node(above, id));
		if (n * 2 > table.length) {
			table = ints(table.length * 4).fill(-1);
			for (let i = 1; i < n; i++) table[slot(parent[i], name[i])] = i;
		}
		const h = slot(above, id);
		return table[h] < 0 ? (table[h] = node(above, id)) : table[h];
	}

	/* The finished tree: children by name (the ids are in that order), or by time. */
	function finish(names) {
		const first = ints(n),
			next = ints(n),
			order = timeOrder ? null : byKey(name, n, names);
		for (let k = n - 1; k >= 0; k--) {
			const i = order ? order[k] : k;
			if (i > 0) {
				next[i] = first[parent[i]];
				first[parent[i]] = i;
			}
		}
		const ids = ints(n),
			levels = ints(n),
			sums = self.map(() => floats(n + 1));
		for (let i = 0, l = 0, at = 0; ;) {
			ids[at] = name[i];
			levels[at] = l;
			for (let c = 0; c < columns; c++)
				sums[c][at + 1] = sums[c][at] + self[c][i];
			at++;
			if (first[i]) {
				i = first[i];
				l++;
				continue;
			}
			for (; i && !next[i]; l--) i = parent[i];
			if (!i) return treeOf(ids, levels, sums);
			i = next[i];
		}
	}

	node(-1, rootName);
	return {
		child,
		finish,
		nameOf: i => name[i],
		add: (i, value) => self.forEach((column, c) => (column[i] += value(c)))
	};
}

/* The numbers 0 .. n-1 in the order of their keys, which are below `keys`; stable. */
function byKey(key, n, keys) {
	const start = ints(keys + 1),
		order = ints(n);
	for (let i = 0; i < n; i++) start[key[i] + 1]++;
	for (let k = 0; k < keys; k++) start[k + 1] += start[k];
	for (let i = 0; i < n; i++) order[start[key[i]]++] = i;
	return order;
}

/* Whether a stack ends at node i, in any column. */
const isStack = (tree, i) => tree.sums.some(sum => sum[i + 1] > sum[i]);

const addSelf = (made, i, tree, from) => made.add(i, c => selfOf(tree.sums[c], from));

/*
 * The tree without some frames. drop: by name id, 1 for frames whose value goes to
 * their caller. focus: list of such arrays; a stack stays that has a frame of each.
 * recursion: a function called by itself is drawn once.
 */
function pruned(tree, names, {drop, focus, recursion, timeOrder}) {
	const made = sprout(tree.sums.length, timeOrder, 0);
	const place = ints(tree.n);
	let keep = null;
	if (focus.length) {
		const all = (1 << focus.length) - 1,
			seen = ints(tree.n);
		keep = bytes(tree.n);
		for (let i = 0; i < tree.n; i++) {
			let s = i ? seen[tree.parent[i]] : 0;
			focus.forEach((f, k) => (s |= f[tree.name[i]] << k));
			seen[i] = s;
		}
		for (let i = tree.n - 1; i >= 0; i--) {
			if (seen[i] === all && isStack(tree, i)) keep[i] = 2;
			if (keep[i] && i) keep[tree.parent[i]] |= 1;
		}
	}
	for (let i = 0; i < tree.n; i++) {
		if (keep && !keep[i]) {
			i = tree.end[i] - 1;
			continue;
		}
		if (i) {
			const above = place[tree.parent[i]],
				name = tree.name[i];
			place[i] =
				drop[name] || (recursion && above && made.nameOf(above) === name)
					? above
					: made.child(above, name);
		}
		if (!keep || keep[i] & 2) addSelf(made, place[i], tree, i);
	}
	return made.finish(names);
}

/* The tree read from the leaves: who spends the time, and who calls them. */
function reversed(tree, names) {
	const made = sprout(tree.sums.length, false, 0);
	for (let i = 0; i < tree.n; i++) {
		if (!isStack(tree, i)) continue;
		let node = 0;
		for (let a = i; a > 0; a = tree.parent[a]) node = made.child(node, tree.name[a]);
		addSelf(made, node, tree, i);
	}
	return made.finish(names);
}

/*
 * The callers and the callees of a function: two trees with it as their root. Its
 * outermost frame in a stack counts, so that recursion is counted once.
 */
function sandwiched(tree, names, id) {
	const callers = sprout(tree.sums.length, false, id),
		callees = sprout(tree.sums.length, false, id);
	const place = ints(tree.n);
	for (let i = 0; i < tree.n; i++) {
		if (tree.name[i] !== id) continue;
		let node = 0;
		for (let a = tree.parent[i]; a > 0; a = tree.parent[a])
			node = callers.child(node, tree.name[a]);
		callers.add(node, c => totalOf(tree, tree.sums[c], i));
		addSelf(callees, 0, tree, i);
		place[i] = 0;
		const end = tree.end[i];
		for (i++; i < end; i++) {
			place[i] = callees.child(place[tree.parent[i]], tree.name[i]);
			addSelf(callees, place[i], tree, i);
		}
		i--;
	}
	return [callers.finish(names), callees.finish(names)];
}

/*
 * Sums by key, where key[name id] is below `keys`: self and total for each column,
 * and how many frames. A total counts a stack once however often the key is in it.
 */
function tally(tree, key, keys) {
	const sums = tree.sums;
	const self = sums.map(() => floats(keys));
	const total = sums.map(() => floats(keys));
	const count = ints(keys),
		until = ints(keys);
	for (let i = 0; i < tree.n; i++) {
		const gap = isGap(tree, i),
			id = tree.name[gap ? tree.parent[i] : i],
			end = tree.end[i];
		const k = key ? key[id] : id,
			outer = !gap && i >= until[k];
		count[k] += !gap;
		if (outer) until[k] = end;
		for (let c = 0; c < sums.length; c++) {
			const sum = sums[c];
			self[c][k] += sum[i + 1] - sum[i];
			if (outer) total[c][k] += sum[end] - sum[i];
		}
	}
	return {self, total, count};
}

/* The node under `root` that a path of name ids leads to, as far as it goes. */
function descend(tree, path) {
	let node = 0;
	for (const id of path) {
		let i = node + 1;
		while (i < tree.end[node] && tree.name[i] !== id) i = tree.end[i];
		if (i >= tree.end[node]) break;
		node = i;
	}
	return node;
}

/* Nodes from below the root down to node. */
function lineage(tree, node) {
	const path = [];
	for (let a = node; a > 0; a = tree.parent[a]) path.push(a);
	return path.reverse();
}

/* The stacks below node as folded text; write(value) gives a self value's decimal. */
function foldedText(tree, names, node, columns, write) {
	const lines = columns.length > 1 ? ['# columns: ' + columns.join(' ')] : [];
	const path = lineage(tree, node).map(a => names[tree.name[a]]);
	for (let i = node; i < tree.end[node]; i++) {
		path.length = max(0, tree.level[i] - 1);
		if (i && !isGap(tree, i)) path.push(names[tree.name[i]]);
		if (path.length && isStack(tree, i))
			lines.push(
				path.join(';') +
					' ' +
					tree.sums.map(sum => write(selfOf(sum, i))).join(' ')
			);
	}
	return lines.join('\n') + '\n';
}
