// Spins in a function of known name, for the tests of generated code.
let counter = 0;
function burnNode() {
	for (let i = 0; i < 1e6; i++)
		counter = (counter + i) % 1000003;
}
function callNode() {
	burnNode();
	counter++;
}
// For so many ms of CPU time: on a busy machine starting would else be most of it.
const begin = process.cpuUsage().user;
while (process.cpuUsage().user - begin < 1000 * Number(process.argv[2]))
	callNode();
