/*
 * load: the only script that the SVG contains as plain text. It decompresses the data (the
 * columns, the viewer, its styles), passes them to the viewer in svg.fgData, and starts it: of a
 * picture whose static SVG shows everything, at the first input; of others at once. On any error
 * the static SVG stays, with a line that states the reason.
 */
((svg, {nonce}) => {
	const still = svg.querySelector('#fg-static'),
		box = svg.viewBox.baseVal,
		inputs = 'pointermove pointerdown wheel keydown focus hashchange resize'.split(' '),
		keys = [], /* pressed before the viewer runs */
		data = {};
	const parts = () => [...svg.querySelectorAll('[data-of]')];

	/* The digits are those of base91.awk. Their number may be odd. */
	const digit = new Uint8Array(127).map((_, c) => c - 33 - (c > 38) - (c > 60) - (c > 62));
	function fromBase91(text) {
		/* The decoded bytes overwrite the characters: this starts quickest. */
		const bytes = new TextEncoder().encode(text + '!');
		for (let i = 0, at = 0, v = 0, n = 0; i < text.length; ) {
			v |= (digit[bytes[i++]] + 91 * digit[bytes[i++]]) << n;
			for (n += 13; n > 7; n -= 8, v >>= 8) bytes[at++] = v;
		}
		return bytes.subarray(0, text.length * 0.8125);
	}

	/* Reads into an array of known size, which finishes before the page has loaded. */
	async function unpack(name) {
		const of = parts().filter(e => e.dataset.of === name),
			zipped = fromBase91(of.map(e => e.textContent).join(''));
		/* gzip ends with the size of the decompressed data. */
		const length = new DataView(zipped.buffer).getUint32(zipped.length - 4, true);
		const bytes = (data[name] = new Uint8Array(length));
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

	async function run() {
		let why = 'this browser is too old';
		try {
			if (window.DecompressionStream && CSS.supports('color:light-dark(#fff,#000)')) {
				why = 'its data are damaged';
				await Promise.all(Array.from(new Set(parts().map(e => e.dataset.of)), unpack));
				why = 'a rule of this page forbids its script';
				const script = document.createElementNS(svg.namespaceURI, 'script');
				script.nonce = nonce;
				const code = parts().map(({dataset: {of}}) => (/^script/.test(of) ? new TextDecoder().decode(data[of]) : ''));
				script.textContent = `(function(){"use strict";${code.join('')}})()`;
				svg.fgData = data;
				svg.append(script);
				script.remove();
				if (!svg.fgData) return; /* the viewer has taken the data */
			}
		} catch (error) {
			console.warn(error);
		}
		if (window.fg === svg.fg) delete window.fg;
		delete svg.fg;
		showStill();
		const line = document.createElementNS(svg.namespaceURI, 'text'),
			look = {class: 'dim', fill: '#5b6068', x: 10, y: box.height - 2};
		for (const name in look) line.setAttribute(name, look[name]);
		line.textContent = `The picture is not live: ${why}.`;
		still.append(line);
	}

	let running;
	async function start() {
		for (const input of inputs) removeEventListener(input, wake, true);
		svg.removeAttribute('tabindex');
		await (running ||= run());
		/* Keys that were meant for the viewer. */
		for (const key of keys.splice(0))
			(document.activeElement || svg).dispatchEvent(new KeyboardEvent('keydown', key));
	}

	/* True if this window shows all of the static SVG, at nearly full size. */
	const fits = () => box.height <= innerHeight && box.width <= 1.1 * innerWidth;

	function wake(event) {
		const {type, target, key, ctrlKey, metaKey} = event;
		if (type === 'resize' ? fits() : type === 'focus' && target !== svg) return;
		if (type === 'keydown') {
			/* Some browsers run the viewer before the event reaches its listener. */
			event.stopImmediatePropagation();
			keys.push(event);
			/* The viewer's search, not the browser's */
			if (key === '/' || (key === 'f' && (ctrlKey || metaKey))) event.preventDefault();
		}
		start();
	}

	/* A page saved while the viewer ran starts from the static SVG again. */
	showStill();
	for (const name of ['viewBox', 'height'])
		if (svg.dataset[name]) svg.setAttribute(name, svg.dataset[name]);

	/* Characters of the data, of which the viewer has 6e4 */
	const size = parts().reduce((n, e) => n + e.textContent.length, 0);
	if (svg === document.documentElement && size < 1e5 && !location.hash && fits()) {
		svg.setAttribute('tabindex', 0);
		svg.fg = {start};
		if (!window.fg?.start) window.fg = svg.fg;
		for (const input of inputs) addEventListener(input, wake, true);
	} else {
		/*
		 * The viewer of a small profile starts quickly: hide the static SVG,
		 * so that the graph is drawn only once.
		 */
		if (size < 2e5) still.setAttribute('display', 'none');
		run();
	}
})(document.currentScript.closest('svg'), document.currentScript);
