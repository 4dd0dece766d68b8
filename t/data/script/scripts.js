// Many scripts, each with a function f that uses MS ms of CPU time, while the collector moves their
// sources; each fourth source is put together of two. Arguments: scripts, MS. f starts in line 4.
'use strict';
const vm = require('vm');
const count = +process.argv[2], ms = +process.argv[3];
globalThis.kept = [];
globalThis.used = () => process.cpuUsage().user;
for (let i = 0; i < count; i++) {
	const text = `//${i}\n\n(function outer() { return 1; })();\n(function f(ms) {
	let n = 0;
	for (const end = used() + 1000 * ms; used() < end;) {
		for (let i = 0; i < 100; i++)
			kept.push([n, n].concat(new Array(20)));
		if (kept.length > 40000)
			kept = [];
	}
	return n;
})`;
	const source = i % 4 ? Buffer.from(text).toString() : text + `// ${'x'.repeat(20000)} ${i}\n`;
	new vm.Script(source, {filename: `/scripts/${i}.js`}).runInThisContext()(ms);
}
