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
	/*
	 * Text in base 91 to decompressed bytes, in a worker too: it uses nothing of this script. The
	 * digits are those of base91.awk. Their number may be odd.
	 */
	async function unpack(text) {
		const digit = new Uint8Array(127).map((_, c) => c - 33 - (c > 38) - (c > 60) - (c > 62)),
			/* The decoded bytes overwrite the characters: this starts quickest. */
			zipped = new TextEncoder().encode(text + '!'),
			end = text.length * 0.8125,
			{readable, writable} = new DecompressionStream('gzip'),
			reader = readable.getReader(),
			writer = writable.getWriter();
		for (let i = 0, at = 0, v = 0, n = 0; i < text.length; ) {
			v |= (digit[zipped[i++]] + 91 * digit[zipped[i++]]) << n;
			/* 13 bits are at least a byte, and with 3 more another. */
			zipped[at++] = v;
			v >>= 8;
			if ((n += 5) > 7) {
				zipped[at++] = v;
				v >>= 8;
				n -= 8;
			}
		}
		/*
		 * Reads into an array of known size, which finishes before the page has loaded: gzip
		 * ends with the size of the decompressed data. The reader reports the errors.
		 */
		const bytes = new Uint8Array(new DataView(zipped.buffer).getUint32(end - 4, true));
		Promise.all([writer.write(zipped.subarray(0, end)), writer.close()]).catch(() => {});
		for (let at = 0, part; !(part = await reader.read()).done; at += part.value.length)
			bytes.set(part.value, at);
		return bytes;
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
				/* Not those of the frames of a large picture, which the viewer decodes (worker.js). */
				for (const {dataset: {of}, textContent} of svg.querySelectorAll(':scope>[data-of]'))
					data[of] = (data[of] || '') + textContent;
				const names = Object.keys(data);
				await Promise.all(names.map(async of => (data[of] = await unpack(data[of]))));
				const script = document.createElementNS(svg.namespaceURI, 'script'),
					code = names.map(of => (/^script/.test(of) ? new TextDecoder().decode(data[of]) : ''));
				script.nonce = nonce;
				data.code = script.textContent = `(function(){"use strict";${code.join('')}})()`;
				data.unpack = unpack;
				svg.fgData = data;
				svg.append(script);
				script.remove();
				if (svg.fgData !== data && !(await svg.fgData)) return; /* the viewer has taken the data */
				why = 'a rule of this page forbids its script';
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

	/* Characters, of which the viewer has 6e4; those of a large picture take long to count. */
	const size = svg.querySelector('g>[data-of]') ? Infinity : svg.textContent.length;
	if (svg === document.documentElement && size < 1.1e5 && !location.hash && fits()) {
		svg.setAttribute('tabindex', 0);
		svg.fg = {start};
		if (!window.fg?.start) window.fg = svg.fg;
		for (const input of inputs) addEventListener(input, wake, true);
	} else {
		/*
		 * The viewer of a small profile starts quickly: hide the static SVG,
		 * so that the graph is drawn only once.
		 */
		if (size < 2.2e5) still.setAttribute('display', 'none');
		run();
	}
})(document.currentScript.closest('svg'), document.currentScript);
