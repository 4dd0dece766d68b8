/*
 * ui: the page around the graph, built once, and what of it follows the state: bar,
 * breadcrumb, chips, legend. Text of the picture goes in as text nodes only.
 *
 * A button's value is the key of its command; commands.js has the rest of it.
 */

const SVG = 'http://www.w3.org/2000/svg';
const HTML = 'http://www.w3.org/1999/xhtml';

const PAGE = `
<meta name="viewport" content="width=device-width"/>
<header class="bar">
	<h1 class="title"/>
	<span class="views group"><button value="b">Base</button><button value="e">Head</button><button value="d">Diff</button></span>
	<select class="column" title="Metric"/>
	<select class="mode" title="Colours (1-4)"/>
	<button value="k">System calls</button>
	<span class="search" role="search">
		<input class="query" type="search" placeholder="Search (/)" aria-label="Search, a regular expression" spellcheck="false"/>
		<output class="found" aria-live="polite"/><button value="N">‹</button><button value="n">›</button>
	</span>
	<span class="group"><button value="0">Reset</button><button value="u">↶</button><button value="U">↷</button></span>
	<details class="menu"><summary>View ▾</summary><div class="sheet"/></details>
	<button value="?">?</button>
</header>
<div class="row"><nav class="crumbs" aria-label="Zoom"/><span class="chips"/><span class="legend"/></div>
<div class="mini">
	<svg xmlns="${SVG}" class="map" preserveAspectRatio="none" aria-hidden="true"><g class="small"/><rect class="window"/></svg>
</div>
<div class="main">
	<div class="graph" tabindex="0" role="tree" aria-label="flame graph: arrow keys walk, Enter zooms" aria-activedescendant="fg-item">
		<svg xmlns="${SVG}" class="canvas" aria-hidden="true">
			<style class="palette"/>
			<pattern id="fg-hatch" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5"/></pattern>
			<g class="frames"/><g class="dim"/><path class="hatch"/><path class="match"/><path class="thin"/>
			<g class="labels"/><rect class="hovered"/><rect class="selected"/><rect class="range" height="100%" style="display:none"/>
		</svg>
		<div id="fg-item" role="treeitem" class="item unseen"/>
	</div>
	<aside class="side">
		<div class="tabs"><button value="I">Inspector</button><button value="t">Functions</button><button value="?">Help</button><button value="x">×</button></div>
		<div class="panel"/>
	</aside>
</div>
<footer><span class="status"/><button class="open" value="I">Inspector</button><span class="live unseen" aria-live="polite"/></footer>`;

/* The elements of the page, by the first of their classes. */
const ui = {labelPool: []};

function element(ns, tag, attributes, children) {
	const e = document.createElementNS(ns, tag);
	setAll(e, attributes);
	e.append(...children.filter(c => c || c === ''));
	return e;
}

function setAll(e, attributes) {
	for (const key in attributes)
		if (attributes[key] !== undefined) e.setAttribute(key, attributes[key]);
}

const h = (tag, attributes, ...children) => element(HTML, tag, attributes, children);
const s = (tag, attributes, ...children) => element(SVG, tag, attributes, children);

/* A button of a command, which says what it does and its key. */
const keyButton = (key, text) => h('button', {value: key, title: titleOf(key)}, text);
const titleOf = key => `${COMMANDS[key].text} (${key})`;
const swatch = name =>
	s('svg', {class: 'swatch'}, s('rect', {class: name, width: 11, height: 11, rx: 3}));
const optionsOf = names => names.map(name => h('option', {}, name));

function buildPage() {
	const {svg, options, columns} = picture,
		diff = isDiff(columns);
	const xml = `<div xmlns="${HTML}" class="app ${diff ? 'diff' : ''}">${PAGE}</div>`;
	const {documentElement} = new DOMParser().parseFromString(xml, 'text/xml');
	const page = (ui.page = document.importNode(documentElement, true));
	for (const e of page.querySelectorAll('[class]')) ui[e.classList[0]] = e;
	ui.title.textContent = visible(options.title || 'Flame Graph');
	ui.title.title = [options.subtitle, options.notes].filter(Boolean).join('\n');
	ui.views.hidden = !diff;
	ui.column.hidden = diff || columns.length < 2;
	ui.column.append(...optionsOf([...columns, 'sum']));
	ui.mode.append(...optionsOf(modesOf(picture)));
	ui.column.onchange = () => fg.column(ui.column.value);
	ui.mode.onchange = () => fg.mode(ui.mode.value);
	ui.sheet.append(
		...[...'ric', ...(diff ? 'oa' : ''), ...'TSL'].map(key =>
			keyButton(key, COMMANDS[key].text)
		)
	);
	for (const e of page.querySelectorAll('button'))
		setAll(e, {
			title: titleOf(e.value),
			'aria-label': e.textContent.length < 2 ? COMMANDS[e.value].text : undefined
		});
	page.addEventListener('click', event =>
		COMMANDS[event.target.closest('button')?.value]?.run()
	);
	let typing;
	ui.query.oninput = () => {
		clearTimeout(typing);
		typing = setTimeout(() => fg.search(ui.query.value), 120);
	};
	const still = svg.querySelector('#fg-static');
	setAll(still, {display: 'none'});
	svg.dataset.viewBox = svg.getAttribute('viewBox');
	for (const name of ['viewBox', 'role', 'aria-labelledby']) svg.removeAttribute(name);
	if (svg === document.documentElement) setAll(svg, {width: '100%', height: '100%'});
	/* Before the script, so that a saved page has it when the script runs again. */
	still.after(s('foreignObject', {width: '100%', height: '100%'}, page));
	const {height, fontsize, fontwidth, fonttype, searchColor, uiColor, strokeColor, bgcolors} = options;
	ROW = height;
	CELL = fontsize * fontwidth;
	ui.labels.style.fontSize = fontsize + 'px';
	if (fonttype) ui.labels.style.fontFamily = JSON.stringify(fonttype);
	if (searchColor) page.style.setProperty('--hit', searchColor);
	if (uiColor) page.style.setProperty('--ink', uiColor);
	if (strokeColor) setAll(ui.frames, {stroke: strokeColor, 'stroke-width': 0.5});
	if (bgcolors) ui.graph.style.background = `linear-gradient(${bgcolors})`;
}

/* Everything beside the graph that shows the state. */
function follow() {
	for (const e of ui.page.querySelectorAll('button')) {
		const on = COMMANDS[e.value]?.on;
		if (on) setAll(e, {'aria-pressed': on()});
	}
	ui.mode.value = showing.mode;
	ui.column.value = showing.column;
	if (document.activeElement !== ui.query) ui.query.value = showing.search;
	for (const [key, steps] of [
		['u', past],
		['U', future]
	])
		ui.page.querySelector(`[value=${key}]`).disabled = !steps.length;
	picture.svg.setAttribute('class', 'fg ' + showing.theme);
	showFound();
	showCrumbs();
	showChips();
	ui.legend.replaceChildren(
		...mainPane().paint.means.map(([name, text]) => h('span', {}, swatch(name), text))
	);
	ui.open.hidden = showing.tab !== 'none';
	showPanel();
}

function showFound() {
	const {count, share, at} = matches();
	ui.found.textContent = finding.flags
		? `${at ? at + '/' : ''}${count.toLocaleString('en')} · ${percent(share)}`
		: '';
	ui.found.title = finding.note;
	ui.query.classList.toggle('trouble', finding.note);
}

function showCrumbs() {
	const path = zoomPath(),
		crumbs = [['all', []]];
	path.forEach((name, k) => crumbs.push([frameText(facts.id(name)), path.slice(0, k + 1)]));
	const more = crumbs.length - 6;
	if (more > 1) crumbs.splice(2, more, ['…', path.slice(0, more)]);
	ui.crumbs.replaceChildren(
		...crumbs.map(([text, to], k) => {
			const e = h(
				'button',
				{
					title: text,
					'aria-current': crumbs[k + 1] ? undefined : 'location'
				},
				shorten(text, 40)
			);
			e.onclick = () => fg.zoom(to);
			return e;
		})
	);
}

/* What takes frames out of the picture or marks them, each with a way to undo it. */
function showChips() {
	const chips = showing.filters.map(f => [
		f.replace(/:\w+:/, ' '),
		{filters: showing.filters.filter(g => g !== f)}
	]);
	for (const [key, text] of [
		['sandwich', 'callers of '],
		['mark', 'marked '],
		['range', 'a part of the width'],
		['reverse', 'reversed'],
		['recursion', 'recursion collapsed'],
		['system', 'system calls off']
	]) {
		const value = showing[key],
			untouched = firstState(picture)[key];
		if (String(value) !== String(untouched))
			chips.push([
				text +
					(typeof value === 'string'
						? value.replace(/^\w+:/, '')
						: ''),
				{...(key === 'sandwich' ? unzoomed : {}), [key]: untouched}
			]);
	}
	ui.chips.replaceChildren(
		...chips.map(([text, patch]) => {
			const e = h(
				'button',
				{title: 'Take off'},
				shorten(visible(text), 40) + ' ×'
			);
			e.onclick = () => update(patch);
			return e;
		})
	);
}

function say(text) {
	ui.live.textContent = ui.status.textContent = text;
}

async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		/* A page without that right can still copy what is selected. */
		const area = ui.page.appendChild(h('textarea', {class: 'unseen'}));
		area.value = text;
		area.select();
		document.execCommand('copy');
		area.remove();
	}
	say(what + ' copied');
}

/* Give what is shown to the next filter: folded stacks in a file. */
function save() {
	const url = URL.createObjectURL(new Blob([fg.folded()]));
	h('a', {href: url, download: 'profile.folded'}).click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}
