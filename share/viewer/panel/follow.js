/*
 * follow: updates the page around the graph and the panel from the state: pressed buttons,
 * search, breadcrumb, chips, legend.
 */

function follow() {
	for (const e of ui.buttons) {
		const on = COMMANDS[e.value].on;
		if (on) change(e, {[e.role ? 'aria-checked' : 'aria-pressed']: Boolean(on())});
		const steps = {u: past, U: future}[e.value];
		if (steps && e.disabled === steps.length > 0) e.disabled = !steps.length;
	}
	setValue(ui.mode, showing.mode);
	setValue(ui.column, showing.column);
	if (!typing.timer) setValue(ui.query, showing.search);
	change(picture.svg, {class: 'fg ' + showing.theme});
	ui.noise?.();
	setText(ui.title, visible(titleOfView()));
	showFigure();
	showFound();
	showCrumbs();
	showChips();
	showLegend();
	hide(ui.open, showing.tab !== 'none');
	showSize();
	showPanel();
	tellCommand();
}

/* A search starts when typing pauses. */
const typing = {timer: 0};

function typed() {
	clearTimeout(typing.timer);
	typing.timer = setTimeout(() => {
		typing.timer = 0;
		fg.search(ui.query.value);
	}, 120);
}

function forgetTyping() {
	clearTimeout(typing.timer);
	typing.timer = 0;
}

const timeWords = () => `${showing.time.join(' s to ')} s`;

/* Shows the total with its unit; for a differential, base, head, their change and a gauge. */
function showFigure() {
	const key = [showing.column, ...showing.time].join();
	if (showFigure.key === key) return;
	showFigure.key = key;
	const {sums, n} = picture.tree;
	if (!isDiff(picture.columns)) {
		ui.figure.textContent =
			key === firstState(picture).column
				? picture.options.figure
				: amount(wholeWidth()) + (showing.time.length ? `, ${timeWords()}` : '');
		return;
	}
	showBoth(sums.map(sum => sum[n]));
}

function showFound() {
	const {count, share, at} = matches();
	setText(
		ui.found,
		finding.flags ? `${at ? at + '/' : ''}${grouped(count)} · ${percent(share)}` : ''
	);
	setText(ui.note, finding.note);
	ui.query.classList.toggle('trouble', finding.note !== '');
}

function showCrumbs() {
	const path = zoomPath(),
		most = room.wide < 500 ? 3 : 6,
		key = [most, ...path].join(';');
	if (showCrumbs.key === key) return;
	showCrumbs.key = key;
	const crumbs = [['all', []]];
	path.forEach((name, k) => crumbs.push([frameText(facts.id(name)), path.slice(0, k + 1)]));
	const more = crumbs.length - most;
	if (more > 1) crumbs.splice(2, more, ['…', path.slice(0, more)]);
	renew(
		ui.crumbs,
		...crumbs.map(([text, to], k) =>
			actButton(
				{
					/* Long names are truncated at the end first. */
					style: `min-width:calc(${min(8, text.length) + (k && 2)}ch + 10px)`,
					title: text === '…' ? `${more} more: zoom to the last of them` : text,
					'aria-current': crumbs[k + 1] ? undefined : 'location'
				},
				shorten(text, 40),
				() => fg.zoom(to)
			)
		)
	);
}

/* Shows the filters and marks, each with a button to undo it. */
function showChips() {
	const chips = showing.filters.map(entry => {
		const {what, kind, name} = filterParts(entry);
		return [
			kind === 'native' ? 'only ' + name : FILTERS[what] + (kind === 'module' ? 'module ' : '') + name,
			{filters: showing.filters.filter(f => f !== entry)}
		];
	});
	for (const [key, text] of [
		['sandwich', 'callers of '],
		['mark', 'marked '],
		['time', timeWords()],
		['range', 'a part of the width'],
		['reverse', 'reversed'],
		['recursion', 'recursion collapsed'],
		['system', 'system calls off']
	]) {
		const value = showing[key],
			untouched = firstState(picture)[key];
		if (String(value) !== String(untouched))
			chips.push([
				text + (key === 'mark' ? groupParts(value)[1] : typeof value === 'string' ? value : ''),
				{...(key === 'sandwich' ? unzoomed : {}), [key]: untouched}
			]);
	}
	const key = [showing.search, ...chips.map(([text]) => text)].join('\n');
	if (showChips.key === key) return;
	showChips.key = key;
	const found = showing.search ? ['focus', 'hide', 'drop'] : [];
	renew(
		ui.chips,
		...chips.map(([text, patch]) =>
			actButton({title: 'Remove'}, shorten(visible(text), 40) + ' ×', () => update(patch))
		),
		...found.map(what =>
			actButton(
				{class: 'offer', title: FILTERS[what] + 'the matches of the search'},
				`${what} found`,
				() => {
					const words = fg[what](searchAsFilter(showing.search), 'match');
					if (typeof words === 'string') say(words);
					else update({search: ''}, 'replace');
				}
			)
		)
	);
}

/* A part of the legend that filters: act(true) is to hide it. */
function legendButton(parts, pressed, act, title = 'Only this; with Shift: not this') {
	const e = actButton({title, 'aria-pressed': pressed || undefined}, '', event => {
		const words = act(event.shiftKey);
		if (typeof words === 'string') say(words);
	});
	e.append(...parts);
	return e;
}

const originButton = ([name, text]) =>
	legendButton([swatch(name), text], shownOrigins().includes(text), hide => fg.origin(text, hide));

/* The functions of the profile's languages; of other frames there are too. */
const languageButton = languages =>
	legendButton([languages], showing.filters.includes(hideNative()), hide => {
		const entries = [hideNative(), 'hide:language:' + languages];
		return exchange(entries, entries[+hide]);
	});

/* Stacks with a kind of function, or without: without these frames, or (`drop`) these stacks. */
const stacksButton = (parts, name, kind, without = 'hide') => {
	const entries = ['focus', without].map(what => `${what}:${kind}:${name}`);
	return legendButton(
		parts,
		showing.filters.includes(entries[0]),
		hide => exchange(entries, entries[+hide]),
		'Only stacks with these; with Shift: without these'
	);
};

/* The threads, or the labels that are in their place. */
function threadButtons() {
	const threads = (picture.options.threads || []).map(id => [facts.functionOf(id), frameText(id)]),
		kind = threads.some(([, text]) => text.includes('=')) ? '' : h('i', {}, 'thread: ');
	return threads.map(([name, text]) => stacksButton([kind && kind.cloneNode(true), shorten(text, 30)], name, 'function', 'drop'));
}

/* The modules with most self value. */
const moduleButtons = () =>
	(picture.options.modules || [])
		.map(id => facts.parts(id).module)
		.map((name, k) => stacksButton([!k && h('i', {}, 'modules: '), shorten(visible(name), 30)].filter(Boolean), name, 'module'));

/* Sets one of some filters that exclude each other, or none if one is set. */
function exchange(entries, wanted) {
	const {what, kind, name} = filterParts(wanted),
		rest = showing.filters.filter(entry => !entries.includes(entry));
	if (rest.length < showing.filters.length) return update({filters: rest});
	return kind === 'native' ? fg.native() : fg[what](name, kind);
}

function showLegend() {
	const {means, strength} = mainPane().paint,
		key = [...means, strength, ...showing.filters].join();
	if (showLegend.key === key) return;
	showLegend.key = key;
	renew(
		ui.legend,
		...means.map(([name, text], kind) =>
			showing.mode === 'origin'
				? originButton([name, text])
				: showing.mode === 'differential' && kind < SAME
					? stacksButton([swatch(name), text], CHANGES[kind], 'change')
					: h('span', {}, swatch(name), text)
		),
		...(showing.mode === 'origin' && picture.options.languages ? [languageButton(picture.options.languages)] : []),
		...(['origin', 'wait'].includes(showing.mode) ? [...threadButtons(), ...moduleButtons()] : []),
		...(showing.mode === 'wait' ? culprits().map(name => stacksButton([h('i', {}, 'waits: '), shorten(visible(name), 30)], name, 'function')) : []),
		...(strength ? [h('i', {}, strength)] : [])
	);
}
