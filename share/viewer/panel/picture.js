/*
 * picture: the view as a static image, SVG or PNG: title, a description of the view, legend
 * and the whole graph. All colours and fonts are attributes, so it needs no styles and no
 * script.
 */

const EDGE = 10;

function stillPicture() {
	completeTree();
	drawn.all = true;
	draw();
	const style = getComputedStyle(ui.page),
		font = getComputedStyle(ui.labels),
		{width, height, y} = ui.canvas.viewBox.baseVal,
		ink = style.color,
		mute = getComputedStyle(ui.crumbs).color;
	const text = (x, y0, fill, words, more) =>
		s('text', {x, y: y0, fill, 'font-size': 12, 'font-family': 'sans-serif', ...more}, visible(words));
	const chips = Array.from(ui.chips.querySelectorAll('button:not(.offer)'), e => e.textContent.replace(/ ×$/, '')).filter(
		words => !ui.figure.textContent.includes(words)
	);
	const search = finding.flags && showing.search ? [`search ${showing.search}: ${ui.found.textContent}`] : [];
	const head = [
		text(EDGE, 20, ink, ui.title.textContent, {'font-size': 16, 'font-weight': 'bold'}),
		text(EDGE, 38, mute, [ui.figure.textContent, ...zoomPath().slice(-1).map(n => 'zoom: ' + frameText(facts.id(n))), ...chips, ...search].join(' · '))
	];
	let x = EDGE;
	for (const e of ui.legend.children) {
		const box = e.querySelector('rect');
		if (box) head.push(s('rect', {x, y: 47, width: 11, height: 11, fill: getComputedStyle(box).fill}));
		head.push(text(box ? x + 16 : x, 57, mute, e.textContent));
		x += 34 + 7.5 * e.textContent.length;
	}
	const below = ui.legend.children.length ? 68 : 48,
		strip = picture.options.strip ? stillStrip(below, width, mute) : {parts: [], height: 0},
		top = below + strip.height,
		graph = s('g', {transform: `translate(${EDGE} ${top - y})`});
	const add = (of, more) => {
		for (const path of of)
			if (path.getAttribute('d')) {
				const {fill, stroke, strokeWidth} = getComputedStyle(path);
				const paint = fill.startsWith('url') ? 'none' : fill;
				graph.append(s('path', {d: path.getAttribute('d'), fill: paint, stroke, 'stroke-width': strokeWidth, ...more}));
			}
	};
	add([ui.others], {'shape-rendering': 'crispEdges'});
	add(ui.frames.children, {'shape-rendering': 'crispEdges'});
	add(ui.dim.children, {'shape-rendering': 'crispEdges', 'fill-opacity': getComputedStyle(ui.dim).fillOpacity});
	add([ui.match, ui.thin]);
	const labels = s('g', {
		'font-family': font.fontFamily,
		'font-size': font.fontSize,
		'xml:space': 'preserve'
	});
	for (const e of ui.labels.children)
		labels.append(
			s('text', {x: e.getAttribute('x'), y: e.getAttribute('y'), fill: getComputedStyle(e).fill, 'fill-opacity': getComputedStyle(e).fillOpacity}, e.textContent)
		);
	graph.append(labels);
	const size = {width: width + 2 * EDGE, height: height + top + EDGE};
	const svg = s(
		'svg',
		{...size, viewBox: `0 0 ${size.width} ${size.height}`},
		s('title', {}, ui.title.textContent),
		s('rect', {width: '100%', height: '100%', fill: style.backgroundColor}),
		...head,
		...strip.parts,
		graph
	);
	drawn.all = false;
	draw();
	return {svg: new XMLSerializer().serializeToString(svg), ...size};
}

const asSvg = svg => new Blob([svg], {type: 'image/svg+xml'});

const saveSvg = () => download('profile.svg', asSvg(stillPicture().svg));

/* Limit of a canvas in most browsers. */
const MOST_PIXELS = 16000;

async function savePng() {
	const {svg, width, height} = stillPicture(),
		scale = min(max(1, window.devicePixelRatio), MOST_PIXELS / width, MOST_PIXELS / height),
		image = h('img', {}),
		url = 'data:image/svg+xml,' + encodeURIComponent(svg);
	await new Promise((done, fail) => {
		image.onload = done;
		image.onerror = fail;
		image.src = url;
	}).catch(() => say('This browser makes no picture of it'));
	const canvas = h('canvas', {width: round(width * scale), height: round(height * scale)});
	canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
	canvas.toBlob(blob => (blob ? download('profile.png', blob) : say('This picture is too large for a PNG')), 'image/png');
}
