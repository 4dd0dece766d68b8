// As lockstep.py. Arguments: seed; how often leaf runs before it prints (so that code is compiled);
// how often it does between two stacks, whose functions it deoptimizes (--allow-natives-syntax).
'use strict';
const fs = require('fs');
Error.stackTraceLimit = Infinity;
let seed = +process.argv[2], warm = +process.argv[3] || 0;
const between = +process.argv[4] || 0;
const deoptimize = between ? new Function('f', '%DeoptimizeFunction(f)') : () => {};
const path = [], byte = Buffer.alloc(1);
function random(n) { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n; }
function leaf() {
	if (warm-- > 0)
		return;
	warm = between;
	[go, s0, s1, s7].forEach(deoptimize);
	Error.prepareStackTrace = (error, sites) => sites.filter(s => s.getFileName() == __filename)
		.map(s => `${s.getFunctionName() || '(anonymous)'}:${s.getLineNumber()}`).reverse().join(';');
	fs.writeSync(1, `0\t${path.join(';')}\t${new Error().stack}\n`); fs.readSync(0, byte, 0, 1, null);
}
function s0(d) { path.push('s0'); go(d); path.pop(); }
function s1(d) { path.push('s1'); go(d); path.pop(); }
class K {
	s2(d) { path.push('s2'); go(d); path.pop(); }
	static s3(d) { path.push('s3'); try { go(d); } finally { path.pop(); } }
}
Object.defineProperty(K.prototype, 's4', { get: function s4() { path.push('s4'); go(this.d); path.pop(); return 1; } });
function *s5(d) { path.push('s5'); go(d); path.pop(); yield 1; }
async function s6(d) { path.push('s6'); go(d); path.pop(); }
const s7 = d => { path.push('s7'); go(d); path.pop(); };
function go(d) {
	if (d-- <= 0)
		return leaf();
	switch (random(13)) {
	case 0: s0(d); break;
	case 1: s1(d); break;
	case 2: new K().s2(d); break;
	case 3: K.s3(d); break;
	case 4: { const k = new K(); k.d = d; k.s4; break; }
	case 5: for (const x of s5(d)) ; break;
	case 6: s6(d); break;
	case 7: s7(d); break;
	case 8: [1].forEach(() => s0(d)); break;
	case 9: [2, 1].sort((() => { let once = true; return () => { if (once) { once = false; s1(d); } return 0; }; })()); break;
	case 10: 'a'.replace(/a/, () => { s0(d); return 'b'; }); break;
	case 11: try { throw new Error(); } catch (e) { s1(d); } break;
	case 12: eval('s0(d)'); break;
	}
}
for (;;) { path.length = 0; go(random(14)); }
