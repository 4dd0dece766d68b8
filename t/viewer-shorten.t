#!/bin/sh
# Short names in the script of the viewer: functions in functions, destructuring, templates,
# properties, regular expressions, variables called `of`.
# tier: full
. "$(dirname "$0")/lib.sh"
command -v node >/dev/null || skip_all 'no node' nodejs

cat >first.js <<'E2'
const LIMIT = 3, {max, min} = Math;
let picture;
function countOf(list, {least = 1, names: [, second = 'none'] = []} = {}) {
	const of = list.filter(of => of >= least),
		function_ = x => y => x + y + of.length;
	for (const [k, of] of Object.entries({a: 1, of: 2})) list.push(`${k}=${of}${`<${second}>`}`);
	for (let i = 0; i < LIMIT; i++) {
		const i2 = i * 2;
		list.push(function_(i)(i2));
	}
	return {of, list, least, function: second, max: max(...of), least2: min(least, 9)};
}
E2
cat >second.js <<'E2'
const object = {
	async later(value, of = {value}) {
		return [value, of];
	},
	LIMIT,
	countOf: (a, picture) => ({...countOf(a, {names: [0, picture]}), picture}),
	test: text => /[/'"`](\d{1,3})\}/gi.test(text) || text.replace(/'/g, "\\'").split("'").length / 2
};
function outside(e, t) {
	const inside = () => hoisted(e) + t;
	function hoisted(e) {
		try {
			return e.value ?? t.none.none;
		} catch (error) {
			return typeof error + (t?.5:1);
		}
	}
	return inside();
}
const results = [
	object.countOf([1, 2, 0.5], 'two'), object.test('"12}'), object.test("it's"),
	outside({value: 4}, 1), outside({}, 0), countOf([4]), Object.keys(object), picture
];
object.later(7).then(of => console.log(JSON.stringify([...results, of])));
E2
for f in first second; do awk -f "$here/../share/viewer/embed.awk" $f.js >$f.min; done
awk -f "$here/../share/viewer/shorten.awk" first.min second.min && cat first.min.short second.min.short >short.js
cat first.js second.js >long.js
node long.js >expected
node short.js >got 2>&1
same 'a script with short names has equal output' expected got
check 'no declared name is left' sh -c '! grep -E "function_|hoisted|results|inside|error|least2:least" short.js'
check 'the script is shorter' test "$(wc -c <short.js)" -lt "$(cat first.min second.min | wc -c)"
done_testing
