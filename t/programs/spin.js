// Spins in a function of known name, for the tests of JIT code.
let counter = 0;
function burnNode() {
	for (let i = 0; i < 1e6; i++)
		counter = (counter + i) % 1000003;
}
function callNode() {
	burnNode();
	counter++;
}
// Computes for that many ms of CPU time, not of elapsed time, since starting takes long on a busy machine.
const begin = process.cpuUsage().user;
while (process.cpuUsage().user - begin < 1000 * Number(process.argv[2]))
	callNode();
