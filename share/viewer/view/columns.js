/*
 * columns: the inspector's table of columns, and the function that waited. Only pictures of several
 * columns, or of off-CPU time, have this script.
 */

/* Each column's share of a frame, if there are several. */
function columnTable({pane: {tree, change}, node}) {
	const {columns} = picture;
	if (change) return '';
	const sum = list => list.reduce((a, b) => a + b),
		totals = tree.sums.map(c => totalOf(tree, c, node));
	const self = tree.sums.map(c => ownOf(tree, c, node));
	return table(
		['', 'total', 'of total', 'of self'],
		...columns.map((name, c) => [
			[isWait(columns) ? swatch('t' + c) : isBottleneck(columns) ? swatch('b' + c) : '', name],
			amount(totals[c], true),
			meter(totals[c] / sum(totals)),
			percent(self[c] / sum(self))
		])
	);
}

/* The node to which off-CPU time is charged, by the rule of fg-render's offcpu.c. */
function waiter({name, parent}, node) {
	const isWaker = () => facts.parts(name[node]).notes === 'w';
	let library = 0,
		nameless = 0,
		inside = 0;
	while (node && isWaker()) node = parent[node];
	const leaf = node;
	for (; parent[node]; node = parent[node]) {
		const origin = facts.origin(name[node]);
		if (origin === SYSTEM) {
			if (!SCHEDULER.test(facts.parts(name[node]).text)) inside ||= node;
			continue;
		}
		if (isNameless(name[node])) nameless ||= node;
		else if (origin !== LIBRARY) return node;
		else library ||= node;
	}
	const {text, module, file, notes} = facts.parts(name[node]),
		isProcess = picture.options.processes && !module && !file && !notes && text !== 'main';
	return library || nameless || (isProcess && (inside || leaf)) || node;
}

const CULPRITS = 3;

/* The functions that wait longest, most at first, at least a hundredth of the wait. */
const culprits = remember(
	() => [picture.tree],
	() => {
		const {tree} = picture,
			{of, names, first} = facts.functions(),
			waited = floats(names.length);
		let all = 0;
		tree.sums.forEach((sum, c) => {
			for (let i = 1; isOff(c) && !picture.options.reverse && i < tree.n; i++)
				if (selfOf(sum, i)) {
					waited[of[tree.name[waiter(tree, i)]]] += selfOf(sum, i);
					all += selfOf(sum, i);
				}
		});
		return Array.from(waited.keys())
			.filter(k => waited[k] > all / 100 && !isNameless(first[k]))
			.sort((a, b) => waited[b] - waited[a] || a - b)
			.slice(0, CULPRITS)
			.map(k => names[k]);
	}
);

/* wait_reason_is_scheduler() of fg-render */
const SCHEDULER = /^(schedule|__schedule|io_schedule|preempt_schedule|finish_task_switch|__switch_to)/;
