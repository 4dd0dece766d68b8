-- duckdb.sql: profiles of a fleet in DuckDB.
--
--	fg-merge -T tsv -o day/worker1 --files0-from=list1        any number of workers
--	duckdb fleet.db -c "SET VARIABLE dir = 'day/*'" -f duckdb.sql
--
-- Run it again for the next day: it adds the files that the database does not have, by name and
-- labels (fg-record writes the label start, so that runs differ), and prints how many it added and
-- skipped. Ids are hashes, so the tables of all workers fit together.
CREATE TABLE IF NOT EXISTS stacks (stack UBIGINT, frames VARCHAR[]);
CREATE TABLE IF NOT EXISTS samples (profile UBIGINT, stack UBIGINT, time DOUBLE, "column" VARCHAR, value DECIMAL(38, 9));
CREATE TABLE IF NOT EXISTS labels (profile UBIGINT, key VARCHAR, value VARCHAR);
CREATE TABLE IF NOT EXISTS profiles (profile UBIGINT, name VARCHAR);
-- A row for each function of each stack: recursion counts once. self: the stack ends there.
CREATE TABLE IF NOT EXISTS functions (stack UBIGINT, function VARCHAR, leaf VARCHAR);

-- The directory of each profile, and whether the database has it already.
CREATE OR REPLACE TEMP TABLE given AS
SELECT profile, any_value(name) AS name, parse_dirpath(min(filename)) AS dir,
	profile IN (SELECT profile FROM profiles) AS known
FROM read_csv(getvariable('dir') || '/profiles.tsv', delim = '\t', header = true, quote = '', escape = '',
	filename = true, columns = {'profile': 'UBIGINT', 'name': 'VARCHAR'})
GROUP BY profile;

BEGIN;

INSERT INTO samples
SELECT profile, stack, time, "column", value
FROM read_csv(getvariable('dir') || '/samples.tsv', delim = '\t', header = true, quote = '', escape = '', filename = true,
	columns = {'profile': 'UBIGINT', 'stack': 'UBIGINT', 'time': 'DOUBLE', 'column': 'VARCHAR', 'value': 'DECIMAL(38, 9)'})
JOIN given USING (profile) WHERE NOT known AND parse_dirpath(filename) = dir;

INSERT INTO labels
SELECT DISTINCT profile, key, value
FROM read_csv(getvariable('dir') || '/labels.tsv', delim = '\t', header = true, quote = '', escape = '',
	columns = {'profile': 'UBIGINT', 'key': 'VARCHAR', 'value': 'VARCHAR'})
JOIN given USING (profile) WHERE NOT known;

INSERT INTO stacks
SELECT stack, any_value(string_split(frames, ';'))
FROM read_csv(getvariable('dir') || '/stacks.tsv', delim = '\t', header = true, quote = '', escape = '',
	columns = {'stack': 'UBIGINT', 'frames': 'VARCHAR'})
WHERE stack NOT IN (SELECT stack FROM stacks) GROUP BY stack;

INSERT INTO functions
SELECT stack, unnest(list_distinct(frames)), frames[-1] FROM stacks
WHERE stack NOT IN (SELECT stack FROM functions);

INSERT INTO profiles SELECT profile, name FROM given WHERE NOT known;

COMMIT;

SELECT count(*) FILTER (NOT known) AS added, count(*) FILTER (known) AS skipped FROM given;

-- Profiles with a label, as (profile): SELECT * FROM labelled('version', '4.2')
CREATE OR REPLACE MACRO labelled(k, v) AS TABLE
SELECT profile FROM labels WHERE key = k AND value = v;

-- 1. Self and total by function, of everything: FROM top_functions ORDER BY self DESC LIMIT 20
CREATE OR REPLACE VIEW top_functions AS
WITH sums AS (SELECT stack, sum(value) AS value FROM samples GROUP BY stack)
SELECT function, coalesce(sum(value) FILTER (function = leaf), 0) AS self, sum(value) AS total
FROM sums JOIN functions USING (stack) GROUP BY function;

-- 2. The same by version and host
CREATE OR REPLACE VIEW functions_by_version_and_host AS
WITH sums AS (SELECT profile, stack, sum(value) AS value FROM samples GROUP BY ALL)
SELECT v.value AS version, h.value AS host, function,
	coalesce(sum(s.value) FILTER (function = leaf), 0) AS self, sum(s.value) AS total
FROM sums s JOIN functions USING (stack)
JOIN labels v ON v.profile = s.profile AND v.key = 'version'
JOIN labels h ON h.profile = s.profile AND h.key = 'host'
GROUP BY ALL;

-- 3. Top regressions between two versions, as shares of each version's total in percent:
--    FROM regressions('4.2', '4.3') LIMIT 20. fg-diff separates change from noise.
CREATE OR REPLACE MACRO regressions(older, newer) AS TABLE
WITH sums AS (
	SELECT stack, sum(s.value) FILTER (l.value = older) AS base, sum(s.value) FILTER (l.value = newer) AS head
	FROM samples s JOIN labels l ON l.profile = s.profile AND l.key = 'version'
	GROUP BY stack),
wholes AS (SELECT sum(base) AS base, sum(head) AS head FROM sums)
SELECT function, coalesce(sum(sums.base), 0) AS base, coalesce(sum(sums.head), 0) AS head,
	100 * (coalesce(sum(sums.head), 0) / any_value(wholes.head)
		- coalesce(sum(sums.base), 0) / any_value(wholes.base)) AS percent
FROM sums JOIN functions USING (stack), wholes
GROUP BY function ORDER BY percent DESC, function;

-- 4. Time series of a function: steps of a profile with time marks, and profiles by their
--    label start: FROM series('parse')
CREATE OR REPLACE MACRO series(f) AS TABLE
SELECT l.value AS start, time, sum(s.value) AS total
FROM samples s JOIN functions USING (stack)
LEFT JOIN labels l ON l.profile = s.profile AND l.key = 'start'
WHERE function = f GROUP BY ALL ORDER BY start, time;

-- 5. Back to folded stacks:
--	duckdb -noheader -list fleet.db 'FROM folded' | fg-render > fleet.svg
CREATE OR REPLACE VIEW folded AS
SELECT array_to_string(frames, ';') || ' ' || rtrim(rtrim(sum(value)::VARCHAR, '0'), '.') AS line
FROM samples JOIN stacks USING (stack) GROUP BY stack, frames;
