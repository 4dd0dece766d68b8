// Runs share/recipes/duckdb.sql on the tables of a directory, then queries:
// node duckdb.mjs NODE_MODULES duckdb.sql DIR[,DIR ...] QUERY... prints rows, tabs between fields.
// Several directories are loaded one after the other, into one database.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
const [root, recipe, dir, ...queries] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(root + '/')('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const times = process.env.TIMES;
async function run(sql) {
	const begin = performance.now();
	const reader = await connection.runAndReadAll(sql);
	if (times) console.error(`${(performance.now() - begin).toFixed(0)} ms\t${sql.trim().split('\n').find(l => !l.startsWith('--'))}`);
	return reader.getRowsJson();
}
for (const one of dir.split(',')) {
	await run(`SET VARIABLE dir = '${one.replaceAll("'", "''")}'`);
	for (const sql of readFileSync(recipe, 'utf8').split(/;\n/))
		if (sql.replace(/^--.*$/gm, '').trim() !== '') {
			const rows = await run(sql);
			if (/AS skipped/.test(sql) && process.env.LOADED) for (const row of rows) console.log(row.join('\t'));
		}
}
for (const sql of queries)
	for (const row of await run(sql)) console.log(row.map(v => v ?? '').join('\t'));
