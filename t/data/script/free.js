// As free.py: fN calls f(N+1) and f(N+2) only. Functions are made again and again, so that they are
// compiled, deoptimized and collected.
'use strict';
const made = [];
let seed = 1;
function random() {
	seed = (seed * 1103515245 + 12345) & 0x7fffffff;
	return seed / 0x80000000;
}
function make(i) {
	made[i] = new Function('made', 'random', `return function f${i}(d) {
		let x = ${random() < 0.3 ? "'a'" : '0'};
		for (let k = 0; k < 9; k++) x += k;
		if (random() < 0.02) d = [{}, 'b', 1.5][Math.floor(random() * 3)];
		const r = random() < 0.5 ? made[${i + 1}](d) : made[${Math.min(13, i + 2)}](d);
		return r === x ? d : r;
	}`)(made, random);
}
made[13] = function f13(d) { return [d].map(String)[0]; };
for (let i = 12; i >= 0; i--)
	make(i);
for (;;) {
	for (let i = 0; i < 20000 * random(); i++)
		made[0](i);
	make(Math.floor(random() * 13));
}
