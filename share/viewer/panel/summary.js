/*
 * summary: the page that the panel opens on: the sentences of fg-render -T markdown, each
 * name a link that shows its place.
 */

function showSummary() {
	if (showPanel.last === 'summary') return;
	renew(
		ui.panel,
		h('h2', {class: 'answer'}, ui.title.textContent),
		...picture.summary.map(parts =>
			h(
				'p',
				{},
				...parts.map(part => (typeof part === 'string' ? visible(part) : placeLink(...part)))
			)
		)
	);
}

/* A link to the place of a node of the picture's tree. Its address can be copied. */
function placeLink(id, node) {
	const path = namesTo(picture.tree, node),
		name = frameText(id);
	const e = h('a', {title: name}, shorten(name, 60));
	e.href = toHash({...firstState(picture), zoom: path, tab: 'summary'});
	e.onclick = event => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		showPlace(path);
	};
	return e;
}

/* Go to a frame of the whole picture; where filters have taken it out, they are taken off. */
function showPlace(path) {
	const there = () => {
		const pane = mainPane(),
			node = descend(pane.tree, path.map(facts.id));
		return !isSandwich() && pane.tree.level[node] === path.length ? {pane, node} : null;
	};
	if (!there() || showing.reverse) fg.reset();
	settle();
	const at = there();
	if (!at) return;
	const zoom = closer(at);
	select(at, true);
	if (zoom) fg.zoom(zoom);
}
