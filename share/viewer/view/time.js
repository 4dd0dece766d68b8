/*
 * time: with --heatmap, the time steps of the samples, each with its frames and their self
 * values; and the tree of the samples in a range of time.
 */

const SECOND = 1e9; /* the strip's times are in ns */

/* The state's range of time in ns, or []. */
const timeRange = () => showing.time.map(v => round(v * SECOND));

/* ns in the format of the state and its link: seconds, all digits. */
const inSeconds = ns => String(Number((ns / SECOND).toFixed(9)));

/* {at: by step, its ns; begin: its first entry; node, value: by entry}; decoded on first use. */
function readTimes() {
	const {packedTimes, options} = picture,
		all = varints(packedTimes, floats),
		count = all.length,
		at = [],
		begin = [],
		node = ints(count / 2),
		value = floats(count / 2);
	let n = 0,
		step = 0;
	for (let i = 0; i < count; ) {
		step += all[i++];
		at.push(step * options.strip.step);
		begin.push(n);
		for (let left = all[i++], id = 0; left--; n++) {
			node[n] = id += all[i++];
			value[n] = all[i++];
		}
	}
	begin.push(n);
	return {at, begin, node, value};
}

/* The part of the picture's tree in the state's range of time. */
function treeInTime() {
	const {tree} = picture,
		{n, end} = tree,
		{at, begin, node, value} = (picture.times ||= readTimes()),
		[from, to] = timeRange(),
		self = floats(n);
	for (let k = 0; k < at.length; k++)
		if (at[k] >= from && at[k] < to)
			for (let e = begin[k]; e < begin[k + 1]; e++) self[node[e]] += value[e];
	const sum = prefixSums(self),
		name = ids(n),
		level = ints(n);
	let m = 0;
	for (let i = 0; i < n; i++)
		if (!i || sum[end[i]] > sum[i]) {
			name[m] = tree.name[i];
			level[m] = tree.level[i];
			self[m++] = self[i];
		}
	return treeOf(name, level, [prefixSums(self.subarray(0, m), totals(m + 1))], m);
}
