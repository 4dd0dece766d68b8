/*
 * ui: the page around the graph, built once. Text from the picture is inserted as text nodes
 * only.
 *
 * A button's value is the key of its command; commands.js has the rest.
 */

const SVG = 'http://www.w3.org/2000/svg';
const HTML = 'http://www.w3.org/1999/xhtml';

const PAGE = `
<meta name="viewport" content="width=device-width"/>
<header class="bar">
	<h1 class="title"/><span class="figure"/>
	<span class="views group"><button value="b">Base</button><button value="e">Head</button><button value="B">Both</button><button value="d">Diff</button></span>
	<select class="column" aria-label="Metric"/>
	<select class="mode" aria-label="Colours" title="Colours (1-4)"/>
	<span class="search" role="search">
		<input class="query" type="search" placeholder="Search (/)" aria-label="Search, a regular expression" spellcheck="false"/>
		<output class="found" aria-live="polite"/><button value="N">‹</button><button value="n">›</button>
		<span class="hint">A regular expression. Small letters match capitals too; with a capital in it, capitals count.</span>
	</span>
	<span class="group"><button value="0">Reset</button><button value="u">↶</button><button value="U">↷</button></span>
	<details class="menu"><summary>View ▾</summary><div class="sheet"/></details>
	<button value="?">?</button>
</header>
<p class="about"><span/><span/><span/></p>
<div class="row"><nav class="crumbs" aria-label="Zoom"/><span class="chips"/><span class="note" role="status"/><span class="legend"/><span class="scale"/></div>
<div class="mini">
	<svg xmlns="${SVG}" class="map" preserveAspectRatio="none" aria-hidden="true"><g class="small"/><rect class="window"/></svg>
</div>
<div class="heatmap" tabindex="0" role="slider" aria-label="Time: arrow keys move the range that is shown, with Shift its end">
	<svg xmlns="${SVG}" class="cells" preserveAspectRatio="none" aria-hidden="true"><path class="brush"/></svg>
	<div class="marks"/>
</div>
<div class="main">
	<div class="field"><div class="axis" hidden="hidden"/><div class="graph" tabindex="0" role="tree" aria-label="flame graph: arrow keys walk, Enter zooms">
		<svg xmlns="${SVG}" class="canvas" aria-hidden="true">
			<pattern class="stripes" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5"/></pattern>
			<path class="others rest"/><g class="frames"/><g class="dim"/><path class="hatch"/><path class="match"/><path class="thin"/>
			<g class="labels"/><rect class="hovered"/><rect class="selected"/><rect class="range" height="100%" display="none"/>
		</svg>
		<canvas class="ink" aria-hidden="true" hidden="hidden"/>
		<div role="treeitem" aria-selected="true" class="item unseen"/>
	</div></div>
	<aside class="side">
		<div class="grip" role="separator" tabindex="0" aria-label="Size of the panel" title="Drag, or use the arrow keys; a double click restores the size" aria-valuemin="15" aria-valuemax="80"/>
		<div class="tabs"><button value="A">Summary</button><button value="I">Inspector</button><button value="t">Functions</button><button value="g">Tree</button><button value="x">×</button></div>
		<div class="panel" role="region" aria-label="Panel" tabindex="0"/>
		<div class="command"><code class="shell" tabindex="0" aria-label="This view as a command"/><button class="copy" value="C">Copy</button><span class="lacks"/></div>
	</aside>
</div>
<div class="tip" aria-hidden="true" hidden="hidden"/>
<div class="popup sheet" role="menu" aria-label="Frame" hidden="hidden"/>
<footer><span class="status"/><button class="open" value="A" hidden="hidden">Panel</button><span class="live unseen" aria-live="polite"/></footer>`;

/* The elements of the page, by their first class. */
const ui = {labelPool: []};

function element(ns, tag, attributes, children) {
	const e = document.createElementNS(ns, tag);
	setAll(e, attributes);
	e.append(...children.filter(c => c || c === ''));
	return e;
}

/* A content security policy against inline styles permits styles set by a script. */
function setAll(e, attributes) {
	for (const key in attributes)
		if (key === 'style') e.style.cssText = attributes[key];
		else if (attributes[key] !== undefined) e.setAttribute(key, attributes[key]);
}

/* Sets only changed attributes: writing an equal one costs layout too. */
function change(e, attributes) {
	const last = (e.fgLast ||= {});
	for (const key in attributes)
		if (last[key] !== attributes[key]) e.setAttribute(key, (last[key] = attributes[key]));
}

const setValue = (e, value) => {
	if (e.value !== value) e.value = value;
};
const hide = (e, hidden) => {
	if (e.hidden !== hidden) e.hidden = hidden;
};

function setText(e, text) {
	if (e.fgText === text) return;
	e.fgText = text;
	if (e.firstChild) e.firstChild.data = text;
	else e.textContent = text;
}

const h = (tag, attributes, ...children) => element(HTML, tag, attributes, children);
const s = (tag, attributes, ...children) => element(SVG, tag, attributes, children);

/* Text that breaks after :: / and _ first, but not at its start. */
const breakable = text => text.split(/(?<=[^:/_](?:::|[/_]))(?!$)/).flatMap((part, k) => (k ? [h('wbr'), part] : [part]));

/* A button of a command, labelled with its effect and its key. */
const keyButton = (key, text) => h('button', {value: key, title: titleOf(key)}, text);
const titleOf = key => `${COMMANDS[key].text} (${key})`;
const swatch = name =>
	s('svg', {class: 'swatch'}, s('rect', {class: name, width: 11, height: 11, rx: 3}));
const optionsOf = names => names.map(name => h('option', {}, name));

/* A button without a command, with a function for its click. */
function actButton(attributes, text, act) {
	const e = h('button', attributes, text);
	e.onclick = act;
	return e;
}

/* Height of the interactive viewer in a page, pixels, if the page's window has them. */
const LIVE = 600;

function buildPage() {
	const {svg, options, columns} = picture,
		diff = isDiff(columns);
	/* Two pictures may be in one page. */
	const own = 'fg-' + document.querySelectorAll('.app').length;
	const xml = `<div xmlns="${HTML}" class="app ${diff ? 'diff' : ''}">${PAGE}</div>`;
	const {documentElement} = new DOMParser().parseFromString(xml, 'text/xml');
	const page = (ui.page = document.importNode(documentElement, true));
	for (const e of page.querySelectorAll('[class]')) ui[e.classList[0]] = e;
	ui.sheet = ui.menu.querySelector('.sheet');
	page.id = own;
	ui.item.id = own + '-item';
	ui.graph.setAttribute('aria-activedescendant', ui.item.id);
	ui.stripes.id = own + '-stripes';
	ui.hatch.setAttribute('fill', `url(#${ui.stripes.id})`);
	ui.hint.id = own + '-hint';
	ui.query.setAttribute('aria-describedby', ui.hint.id);
	[options.subtitle, options.notes, diff && comparedLabels()].forEach((text, k) => (ui.about.children[k].textContent = visible(text || '')));
	ui.about.hidden = !ui.about.textContent;
	ui.views.hidden = !diff;
	ui.column.hidden = diff || columns.length < 2;
	ui.column.append(...optionsOf([...columns, 'sum']));
	ui.mode.append(...optionsOf(modesOf(picture)));
	ui.heatmap.hidden = !options.strip;
	if (options.strip) buildStrip();
	ui.column.onchange = () => fg.column(ui.column.value);
	ui.mode.onchange = () => fg.mode(ui.mode.value);
	ui.sheet.append(
		...[...'kpOricwl', ...(diff ? 'oa' : ''), ...'TSVPL'].map(key => {
			const e = keyButton(key, COMMANDS[key].text);
			if (COMMANDS[key].on) setAll(e, {role: 'checkbox'});
			return e;
		})
	);
	if (diff) ui.sheet.append(noiseSlider());
	ui.buttons = Array.from(page.querySelectorAll('button'));
	for (const e of ui.buttons)
		setAll(e, {
			title: titleOf(e.value),
			'aria-label': e.textContent.length < 2 ? COMMANDS[e.value].text : undefined
		});
	page.addEventListener('click', event => {
		const {value} = event.target.closest('button') || {};
		if (value) obey(value);
	});
	const still = svg.querySelector('#fg-static');
	setAll(still, {display: 'none'});
	svg.dataset.viewBox = svg.getAttribute('viewBox');
	for (const name of ['viewBox', 'role', 'aria-labelledby']) svg.removeAttribute(name);
	const height = svg.getAttribute('height');
	svg.dataset.height = height;
	/* Embedded in a page, a low static SVG is too small for the viewer. */
	setAll(svg, ownsPage() ? {width: '100%', height: '100%'} : {height: max(height, min(LIVE, 0.9 * innerHeight)) || height});
	/* Before the script, so that a saved page has it when the script runs again. */
	still.after(s('foreignObject', {width: '100%', height: '100%'}, page));
	const {width, fontsize, fontwidth, fonttype, searchColor, uiColor, strokeColor, bgcolors} = options;
	ROW = options.height;
	CELL = fontsize * fontwidth;
	if (width) page.style.maxWidth = width + 'px';
	ui.labels.style.fontSize = fontsize + 'px';
	if (fonttype) ui.labels.style.fontFamily = JSON.stringify(fonttype);
	if (searchColor) page.style.setProperty('--hit', searchColor);
	if (uiColor) page.style.setProperty('--ink', uiColor);
	if (strokeColor) setAll(ui.frames, {stroke: strokeColor, 'stroke-width': 0.5});
	if (bgcolors)
		ui.graph.style.background = `linear-gradient(${bgcolors.map(c => `light-dark(${c},var(--bg))`)})`;
}

/* Shows a message until the next movement of keyboard or pointer replaces it. */
function say(text) {
	setText(ui.status, text);
	setText(ui.live, text);
}

/* Replaces the contents of a part of the page; the focus moves to the replacement. */
function renew(part, ...children) {
	const held = document.activeElement,
		inside = held && held !== part && part.contains(held);
	const able = () => Array.from(part.querySelectorAll('button,select,a,[tabindex]'));
	const at = inside ? able().indexOf(held) : -1,
		{value, tagName} = held || {};
	part.replaceChildren(...children);
	if (!inside) return;
	const now = able();
	const same =
		(value && now.find(e => e.value === value && e.tagName === tagName)) ||
		now[min(at, now.length - 1)];
	(same || ui.graph).focus({preventScroll: true});
}

async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		/* Without permission for the clipboard, a selection can still be copied. */
		const held = document.activeElement,
			area = ui.page.appendChild(h('textarea', {class: 'unseen'}));
		area.value = text;
		area.select();
		document.execCommand('copy');
		area.remove();
		held?.focus({preventScroll: true});
	}
	say(what + ' copied');
}

/* Saves the view as a file of folded stacks, for another filter. */
function save() {
	settle();
	const parts = [];
	eachPart(part => parts.push(new Blob([part])));
	download('profile.folded', new Blob(parts));
}

function download(name, blob) {
	const url = URL.createObjectURL(blob);
	h('a', {href: url, download: name}).click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}
