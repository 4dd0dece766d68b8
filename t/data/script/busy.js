// Uses a CPU for the milliseconds of its argument.
'use strict';
function spin(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s; }
function main() {
	const end = +process.argv[2] * 1000; // microseconds
	let s = 0;
	while (process.cpuUsage().user < end)
		s += [1, 2].map(x => spin(3000 + x)).length;
	return s;
}
main();
