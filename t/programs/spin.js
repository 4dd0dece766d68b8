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
const end = Date.now() + Number(process.argv[2]);
while (Date.now() < end)
	callNode();
