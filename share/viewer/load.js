/*
 * load: the only script that the SVG contains as plain text. It decompresses the data (the
 * columns, the viewer, its styles), passes them to the viewer in svg.fgData, and starts it. On
 * any error the static SVG stays, with a line that states the reason.
 */
(async (svg, {nonce}) => {
	const still = svg.querySelector('#fg-static'),
		data = {};
	const all = name =>
		Array.from(svg.querySelectorAll(`[data-of=${name}]`), e => e.textContent).join('');

	function fromBase64(text) {
		if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
		const chars = atob(text),
			bytes = new Uint8Array(chars.length);
		for (let i = 0; i < bytes.length; i++) bytes[i] = chars.charCodeAt(i);
		return bytes;
	}

	/* Reads into an array of known size, which finishes before the page has loaded. */
	async function unpack(name) {
		const zipped = fromBase64(all(name));
		/* gzip ends with the size of the decompressed data. */
		const size = new DataView(zipped.buffer).getUint32(zipped.length - 4, true);
		const bytes = (data[name] = new Uint8Array(size));
		const {readable, writable} = new DecompressionStream('gzip');
		const reader = readable.getReader(),
			writer = writable.getWriter();
		const written = Promise.all([writer.write(zipped), writer.close()]);
		written.catch(() => {}); /* the reader reports the error */
		for (let at = 0, part; !(part = await reader.read()).done; at += part.value.length)
			bytes.set(part.value, at);
	}

	function showStill() {
		svg.querySelector(':scope>foreignObject')?.remove();
		still.removeAttribute('display');
	}

	/* A page saved while the viewer ran starts from the static SVG again. */
	showStill();
	for (const name of ['viewBox', 'height'])
		if (svg.dataset[name]) svg.setAttribute(name, svg.dataset[name]);

	let why = 'This browser is too old to make the picture live.';
	try {
		if (window.DecompressionStream && CSS.supports('color:light-dark(#fff,#000)')) {
			why = 'The picture is not live: its data are damaged.';
			const packed = [...svg.querySelectorAll('[data-of]')];
			/*
			 * The viewer of a small profile starts quickly: hide the static SVG,
			 * so that the graph is drawn only once.
			 */
			if (packed.reduce((n, e) => n + e.textContent.length, 0) < 200000)
				still.setAttribute('display', 'none');
			await Promise.all(Array.from(new Set(packed.map(e => e.dataset.of)), unpack));
			why = 'The picture is not live: a rule of this page forbids its script.';
			const script = document.createElementNS(svg.namespaceURI, 'script');
			script.nonce = nonce;
			const [strip, viewer] = [data.strip, data.script].map(part => new TextDecoder().decode(part));
			script.textContent = `(function(){"use strict";${strip}${viewer}})()`;
			svg.fgData = data;
			svg.append(script);
			script.remove();
			if (!svg.fgData) return; /* the viewer has taken the data */
		}
	} catch (error) {
		console.warn(error);
	}
	showStill();
	const line = document.createElementNS(svg.namespaceURI, 'text'),
		look = {class: 'dim', fill: '#5b6068', x: 10, y: svg.viewBox.baseVal.height - 2};
	for (const name in look) line.setAttribute(name, look[name]);
	line.textContent = why;
	still.append(line);
})(document.currentScript.closest('svg'), document.currentScript);
