-- duckdb.sql: profiles of a fleet in DuckDB.
--
--	fg-merge -T tsv -o day/worker1 --files0-from=list1        any number of workers
--	duckdb fleet.db -c "SET VARIABLE dir = 'day/*'" -f duckdb.sql
--
-- Ids are hashes of contents, so the tables of all workers fit together.
CREATE TABLE stacks AS
SELECT stack, any_value(string_split(frames, ';')) AS frames
FROM read_csv(getvariable('dir') || '/stacks.tsv', delim = '\t', header = true, quote = '', escape = '',
	columns = {'stack': 'UBIGINT', 'frames': 'VARCHAR'})
GROUP BY stack;

CREATE TABLE samples AS
SELECT * FROM read_csv(getvariable('dir') || '/samples.tsv', delim = '\t', header = true, quote = '', escape = '',
	columns = {'profile': 'UBIGINT', 'stack': 'UBIGINT', 'time': 'DOUBLE', 'column': 'VARCHAR', 'value': 'DECIMAL(38, 9)'});

CREATE TABLE labels AS
SELECT DISTINCT * FROM read_csv(getvariable('dir') || '/labels.tsv', delim = '\t', header = true, quote = '', escape = '',
	columns = {'profile': 'UBIGINT', 'key': 'VARCHAR', 'value': 'VARCHAR'});

CREATE TABLE profiles AS
SELECT DISTINCT * FROM read_csv(getvariable('dir') || '/profiles.tsv', delim = '\t', header = true, quote = '', escape = '',
	columns = {'profile': 'UBIGINT', 'name': 'VARCHAR'});

-- Profiles with a label, as (profile): SELECT * FROM labelled('version', '4.2')
CREATE MACRO labelled(k, v) AS TABLE
SELECT profile FROM labels WHERE key = k AND value = v;

-- A row for each function of each stack: recursion counts once. self: the stack ends there.
CREATE TABLE functions AS
SELECT stack, unnest(list_distinct(frames)) AS function, frames[-1] AS leaf FROM stacks;

-- 1. Self and total by function, of everything: FROM top_functions ORDER BY self DESC LIMIT 20
CREATE VIEW top_functions AS
WITH sums AS (SELECT stack, sum(value) AS value FROM samples GROUP BY stack)
SELECT function, coalesce(sum(value) FILTER (function = leaf), 0) AS self, sum(value) AS total
FROM sums JOIN functions USING (stack) GROUP BY function;

-- 2. The same by version and host
CREATE VIEW functions_by_version_and_host AS
WITH sums AS (SELECT profile, stack, sum(value) AS value FROM samples GROUP BY ALL)
SELECT v.value AS version, h.value AS host, function,
	coalesce(sum(s.value) FILTER (function = leaf), 0) AS self, sum(s.value) AS total
FROM sums s JOIN functions USING (stack)
JOIN labels v ON v.profile = s.profile AND v.key = 'version'
JOIN labels h ON h.profile = s.profile AND h.key = 'host'
GROUP BY ALL;

-- 3. Top regressions between two versions, as shares of each version's total in percent:
--    FROM regressions('4.2', '4.3') LIMIT 20. fg-diff separates change from noise.
CREATE MACRO regressions(older, newer) AS TABLE
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
CREATE MACRO series(f) AS TABLE
SELECT l.value AS start, time, sum(s.value) AS total
FROM samples s JOIN functions USING (stack)
LEFT JOIN labels l ON l.profile = s.profile AND l.key = 'start'
WHERE function = f GROUP BY ALL ORDER BY start, time;

-- 5. Back to folded stacks:
--	duckdb -noheader -list fleet.db 'FROM folded' | fg-render > fleet.svg
CREATE VIEW folded AS
SELECT array_to_string(frames, ';') || ' ' || rtrim(rtrim(sum(value)::VARCHAR, '0'), '.') AS line
FROM samples JOIN stacks USING (stack) GROUP BY stack, frames;
