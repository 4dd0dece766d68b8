// Runs share/recipes/clickhouse.sql in an embedded ClickHouse, with the insert commands of its
// opening comment for the tables of each directory, then queries:
// node clickhouse.mjs NODE_MODULES clickhouse.sql DIR[,DIR ...] QUERY... prints rows, tabs between fields.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
const [root, recipe, dirs, ...queries] = process.argv.slice(2);
const { Session } = createRequire(root + '/')('chdb');
const session = new Session();
const text = readFileSync(recipe, 'utf8');
const run = sql => session.query(sql, 'TSVRaw');
function createAll() {
	for (const sql of text.split(/;\n/))
		if (sql.replace(/^--.*$/gm, '').trim() !== '') run(sql);
}
// The shell function `insert` of the comment, with its arguments $1 to $4.
const [, setting, template] = /clickhouse-client --(\S+) -q "(INSERT[^"]*) FORMAT TSVRaw"/.exec(text.replace(/\n--\s*/g, '\n'));
const inserts = [...text.matchAll(/^--\tinsert (\S+) '([^']+)' (\S+) (\S+)$/gm)];
createAll();
createAll(); // a second time: nothing is an error
// The embedded engine has no standard input: the file itself takes the place of input().
for (const dir of dirs.split(',').filter(Boolean))
	for (const [, ...argument] of inserts) {
		const sql = template.replace(/\$(\d)/g, (all, n) => argument[n - 1]);
		const file = resolve(dir, `${argument[0]}.tsv`);
		run(sql.replace(/input\(('[^']*')\)/, `file('${file}', TSVRaw, $1)`) +
			` SETTINGS input_format_tsv_skip_first_lines = 1, ${setting}`);
	}
for (const sql of queries) process.stdout.write(run(sql));
session.cleanup();
