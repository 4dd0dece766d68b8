-- clickhouse.sql: profiles of a fleet in ClickHouse. Tables of `fg-merge -T tsv -o DIR`:
--
--	clickhouse-client --multiquery < clickhouse.sql
--	insert() {
--		tail -n +2 DIR/$1.tsv | clickhouse-client --input_format_tsv_empty_as_default=1 -q "INSERT INTO fg_$1 SELECT * FROM input('$2')
--			WHERE $3 NOT IN (SELECT $3 FROM fg_$4) FORMAT TSVRaw"
--	}
--	insert stacks 'stack UInt64, line String' stack stacks
--	insert labels 'profile UInt64, key String, value String' profile profiles
--	insert samples 'profile UInt64, stack UInt64, time Nullable(Float64), column String, value Decimal(38, 9)' profile profiles
--	insert profiles 'profile UInt64, name String' profile profiles
--
-- Ids are hashes, so that any number of workers may insert. The order matters: profiles are last,
-- so that a file whose name and labels are known is not inserted twice, and labels precede samples,
-- since fg_hours is filled from both.
CREATE TABLE IF NOT EXISTS fg_stacks (
	stack UInt64,
	line String,
	frames Array(LowCardinality(String)) MATERIALIZED splitByChar(';', line)
) ENGINE = ReplacingMergeTree ORDER BY stack;

CREATE TABLE IF NOT EXISTS fg_samples (
	profile UInt64, stack UInt64, time Nullable(Float64), column LowCardinality(String), value Decimal(38, 9)
) ENGINE = MergeTree ORDER BY (profile, stack);

CREATE TABLE IF NOT EXISTS fg_labels (
	profile UInt64, key LowCardinality(String), value String
) ENGINE = ReplacingMergeTree ORDER BY (key, value, profile);

CREATE TABLE IF NOT EXISTS fg_profiles (profile UInt64, name String) ENGINE = ReplacingMergeTree ORDER BY profile;

-- For months: sums by service, version and hour. Raw samples may then expire.
CREATE TABLE IF NOT EXISTS fg_hours (
	service LowCardinality(String), version LowCardinality(String), hour DateTime, stack UInt64, value Decimal(38, 9)
) ENGINE = SummingMergeTree(value) ORDER BY (service, version, hour, stack);

-- Fills fg_hours with each insert into fg_samples, by the labels service, version and start.
CREATE MATERIALIZED VIEW IF NOT EXISTS fg_hours_of_samples TO fg_hours AS
SELECT ifNull(service.value, '') AS service, ifNull(version.value, '') AS version,
	toStartOfHour(parseDateTimeBestEffortOrZero(ifNull(start.value, ''))) AS hour,
	s.stack AS stack, sum(s.value) AS value
FROM fg_samples AS s
LEFT JOIN (SELECT profile, any(value) AS value FROM fg_labels WHERE key = 'service' GROUP BY profile) AS service
	ON service.profile = s.profile
LEFT JOIN (SELECT profile, any(value) AS value FROM fg_labels WHERE key = 'version' GROUP BY profile) AS version
	ON version.profile = s.profile
LEFT JOIN (SELECT profile, any(value) AS value FROM fg_labels WHERE key = 'start' GROUP BY profile) AS start
	ON start.profile = s.profile
GROUP BY service, version, hour, stack;

-- 1. Self and total by function: recursion counts once
CREATE OR REPLACE VIEW fg_top AS
SELECT function, sumIf(value, function = leaf) AS self, sum(value) AS total
FROM (
	SELECT value, arrayJoin(arrayDistinct(frames)) AS function, frames[-1] AS leaf
	FROM (SELECT stack, sum(value) AS value FROM fg_samples GROUP BY stack) AS s
	INNER JOIN (SELECT stack, frames FROM fg_stacks FINAL) AS f USING (stack)
) GROUP BY function ORDER BY self DESC;

-- 2. The same by version and host
CREATE OR REPLACE VIEW fg_by_version_and_host AS
SELECT version, host, function, sumIf(value, function = leaf) AS self, sum(value) AS total
FROM (
	SELECT v.value AS version, h.value AS host, s.value AS value,
		arrayJoin(arrayDistinct(f.frames)) AS function, f.frames[-1] AS leaf
	FROM (SELECT profile, stack, sum(value) AS value FROM fg_samples GROUP BY profile, stack) AS s
	INNER JOIN (SELECT stack, frames FROM fg_stacks FINAL) AS f ON f.stack = s.stack
	INNER JOIN (SELECT profile, value FROM fg_labels FINAL WHERE key = 'version') AS v ON v.profile = s.profile
	INNER JOIN (SELECT profile, value FROM fg_labels FINAL WHERE key = 'host') AS h ON h.profile = s.profile
) GROUP BY version, host, function;

-- 3. Top regressions between two versions, in percent of each version's total:
--	SELECT * FROM fg_regressions(base = '4.2', head = '4.3') LIMIT 20
CREATE OR REPLACE VIEW fg_regressions AS
WITH sums AS (
	SELECT s.stack AS stack, sumIf(s.value, l.value = {base:String}) AS base,
		sumIf(s.value, l.value = {head:String}) AS head
	FROM fg_samples AS s
	INNER JOIN (SELECT profile, value FROM fg_labels FINAL WHERE key = 'version') AS l ON l.profile = s.profile
	GROUP BY stack)
SELECT function, sum(base) AS base_total, sum(head) AS head_total,
	100 * (toFloat64(head_total) / (SELECT toFloat64(sum(head)) FROM sums)
		- toFloat64(base_total) / (SELECT toFloat64(sum(base)) FROM sums)) AS percent
FROM (
	SELECT base, head, arrayJoin(arrayDistinct(f.frames)) AS function
	FROM sums INNER JOIN (SELECT stack, frames FROM fg_stacks FINAL) AS f ON f.stack = sums.stack
) GROUP BY function ORDER BY percent DESC;

-- 4. Time series of a function: SELECT * FROM fg_series(f = 'parse')
CREATE OR REPLACE VIEW fg_series AS
SELECT l.value AS start, s.time AS time, sum(s.value) AS total
FROM fg_samples AS s
INNER JOIN (SELECT stack, frames FROM fg_stacks FINAL) AS f ON f.stack = s.stack
LEFT JOIN (SELECT profile, value FROM fg_labels FINAL WHERE key = 'start') AS l ON l.profile = s.profile
WHERE has(f.frames, {f:String}) GROUP BY start, time ORDER BY start, time;

-- 5. Back to folded stacks:
--	clickhouse-client -q 'SELECT line FROM fg_folded FORMAT TSVRaw' | fg-render > fleet.svg
CREATE OR REPLACE VIEW fg_folded AS
SELECT concat(f.line, ' ', toString(sum(s.value))) AS line
FROM fg_samples AS s INNER JOIN (SELECT stack, line FROM fg_stacks FINAL) AS f ON f.stack = s.stack
GROUP BY s.stack, f.line;
