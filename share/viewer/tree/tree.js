/*
 * tree: frames in pre-order as typed arrays. A subtree is the range [i, end[i]). Each column
 * is stored as running sums of its self values. So a total is sum[end[i]] - sum[i], a self
 * value is sum[i + 1] - sum[i], and sum[i] is also the left edge of the drawn frame.
 */

function prefixSums(self, sum = floats(self.length + 1)) {
	for (let i = 0; i < self.length; i++) sum[i + 1] = sum[i] + self[i];
	return sum;
}

/* In a flame chart, self time between two children is a gap: a child without a name. */
const isGap = (tree, i) => tree.name[i] === picture.options.gap;

const totalOf = (tree, sum, i) => sum[tree.end[i]] - sum[i];
const selfOf = (sum, i) => sum[i + 1] - sum[i];

/* The self value including gaps. */
function ownOf(tree, sum, i) {
	let own = selfOf(sum, i);
	if (picture.options.gap)
		for (let k = i + 1; k < tree.end[i]; k = tree.end[k])
			own += isGap(tree, k) ? selfOf(sum, k) : 0;
	return own;
}

/*
 * Builds a tree of n nodes from pre-order names, levels and running sums (one per column). The
 * arrays may be longer.
 */
function treeOf(name, level, sums, n = name.length) {
	const parent = ints(n),
		end = ints(n);
	let open = ints(256);
	let depth = 0,
		at = 0;
	parent[0] = -1;
	for (let i = 0; i < n; i++) {
		const l = level[i];
		while (at > l) end[open[--at]] = i;
		if (l > 0) parent[i] = open[l - 1];
		if (l > depth) {
			depth = l;
			if (l >= open.length) {
				const more = ints(l * 2);
				more.set(open);
				open = more;
			}
		}
		open[at++] = i;
	}
	while (at) end[open[--at]] = n;
	return {n, name, level, parent, end, sums, depth};
}

/* True if a stack ends at node i, in any column. */
function isStack({sums}, i) {
	for (let c = 0; c < sums.length; c++) if (sums[c][i + 1] > sums[c][i]) return true;
	return false;
}

/*
 * Sums by key, where key[name id] is below `keys`: self and total per column, and the number
 * of frames. A total counts a stack once, even if the key is in it several times.
 */
function tally(tree, key, keys) {
	const sums = tree.sums;
	const self = sums.map(() => floats(keys));
	const total = sums.map(() => floats(keys));
	const count = ints(keys),
		until = ints(keys);
	for (let i = 0; i < tree.n; i++) {
		const gap = isGap(tree, i),
			k = key[tree.name[gap ? tree.parent[i] : i]],
			end = tree.end[i];
		if (k < 0) continue;
		const outer = !gap && i >= until[k];
		if (!gap) count[k]++;
		if (outer) until[k] = end;
		for (let c = 0; c < sums.length; c++) {
			const sum = sums[c];
			self[c][k] += sum[i + 1] - sum[i];
			if (outer) total[c][k] += sum[end] - sum[i];
		}
	}
	return {self, total, count};
}

/* The node at the end of a path of name ids, or the last one on it that exists. */
function descend(tree, path) {
	const firstOf = facts.firstOf();
	let node = 0;
	for (const id of path) {
		let i = node + 1;
		while (i < tree.end[node] && firstOf[tree.name[i]] !== firstOf[id]) i = tree.end[i];
		if (i >= tree.end[node]) break;
		node = i;
	}
	return node;
}

/* The nodes on the path to a node, without the root. */
function lineage(tree, node) {
	const path = [];
	for (let a = node; a > 0; a = tree.parent[a]) path.push(a);
	return path.reverse();
}
