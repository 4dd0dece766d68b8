/*
 * worker: the frames of a large picture are decoded by a worker, which runs this script too, so that
 * the page's thread has no part in it. Where a page's policy forbids workers, the page decodes them.
 */

/* Decodes the frames. parts: in base 91, by name; load.js leaves them to this script. */
async function decoded({parts, unpack, ...what}) {
	const data = {};
	await Promise.all(Object.keys(parts).map(async name => (data[name] = await unpack(parts[name]))));
	return readTree(data, what);
}

/* In the worker: answers the page's only message with the tree, or null on an error. */
async function answer({data}) {
	let tree = null;
	try {
		tree = await decoded({...data, unpack: self.fgUnpack});
	} catch {
		/* The page decodes the frames too, and reports it. */
	}
	postMessage(tree, tree && [tree.name, tree.level, tree.parent, tree.end, ...tree.sums].map(({buffer}) => buffer));
}

/* Asks a worker for the tree; undefined or null without an answer. */
async function asked(source, message) {
	const address = URL.createObjectURL(new Blob(source));
	let worker;
	try {
		worker = new Worker(address);
		return await new Promise(done => {
			worker.onmessage = ({data}) => done(data);
			worker.onerror = () => done();
			worker.postMessage(message);
		});
	} catch {
		return null; /* forbidden */
	} finally {
		worker?.terminate();
		URL.revokeObjectURL(address);
	}
}

/* In place of begin(): load.js waits for the promise in svg.fgData. */
function beginLarge() {
	if (!self.document) {
		self.onmessage = answer;
		return;
	}
	const svg = document.currentScript.closest('svg'),
		{fgData: data} = svg,
		what = readOptions(svg),
		{unpack, code} = data,
		parts = {};
	for (const {dataset, textContent} of svg.querySelectorAll('g>[data-of]')) parts[dataset.of] = (parts[dataset.of] || '') + textContent;
	const work = async () => {
		const message = {...what, names: what.names.length, parts},
			tree = (await asked(['fgUnpack=', unpack, ';', code], message)) || (await decoded({...message, unpack}));
		ids = n => new tree.name.constructor(n);
		totals = n => new tree.sums[0].constructor(n);
		svg.fgData = data;
		begin(svg, what, tree);
	};
	svg.fgData = work();
}
