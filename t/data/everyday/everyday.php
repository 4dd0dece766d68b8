<?php
// As everyday.py: everyday.php NAME [ROUNDS].
class Router {
	private array $routes = [];

	function add(string $verb, string $pattern, callable $handler): void {
		$this->routes[] = [$verb, explode('/', trim($pattern, '/')), $handler];
	}

	function route(string $method, string $path): array {
		$parts = explode('/', trim($path, '/'));
		foreach ($this->routes as [$verb, $pattern, $handler]) {
			if ($verb !== $method || count($pattern) !== count($parts))
				continue;
			$values = $this->match($pattern, $parts);
			if ($values !== null)
				return $handler($values);
		}
		return [404, 'not found'];
	}

	private function match(array $pattern, array $parts): ?array {
		$values = [];
		foreach ($pattern as $i => $want) {
			if ($want[0] === ':')
				$values[substr($want, 1)] = $parts[$i];
			elseif ($want !== $parts[$i])
				return null;
		}
		return $values;
	}
}

function parse_request(string $text): array {
	[$head, $body] = explode("\r\n\r\n", $text, 2);
	$lines = explode("\r\n", $head);
	[$method, $path] = explode(' ', array_shift($lines));
	$headers = [];
	foreach ($lines as $line) {
		[$name, $value] = explode(': ', $line, 2);
		$headers[strtolower($name)] = $value;
	}
	return [$method, $path, $headers, $body];
}

function show_user(array $values): array {
	$id = (int)$values['id'];
	$total = 0;
	for ($i = 0; $i < 200; $i++)
		$total += ($id * $i) % 97;
	return [200, "user $id has $total points"];
}

function list_items(array $values): array {
	$rows = [];
	for ($i = 0; $i < 40; $i++)
		$rows[] = '<li>' . htmlspecialchars((string)($i * 7 % 31)) . '</li>';
	return [200, implode('', $rows)];
}

function respond(int $status, string $body): string {
	$out = "HTTP/1.1 $status OK\r\n";
	foreach (['Content-Type' => 'text/html', 'Content-Length' => strlen($body)] as $name => $value)
		$out .= "$name: $value\r\n";
	return "$out\r\n$body";
}

function web(int $rounds): int {
	$router = new Router;
	$router->add('GET', '/users/:id', 'show_user');
	$router->add('GET', '/shop/:name/items', fn($v) => list_items($v));
	$n = 0;
	for ($i = 0; $i < $rounds; $i++)
		foreach (['/users/17', '/shop/a/items', '/none'] as $path) {
			[$method, $path] = parse_request("GET $path HTTP/1.1\r\nHost: example.org\r\nX-Id: $i\r\n\r\n");
			$n += strlen(respond(...$router->route($method, $path)));
		}
	return $n;
}

function make_orders(int $n): array {
	$orders = [];
	for ($i = 0; $i < $n; $i++) {
		$items = [];
		for ($j = 0; $j <= $i % 7; $j++)
			$items[] = ['sku' => "a$j", 'n' => $j + 1, 'price' => $j * 1.5];
		$orders[] = ['id' => $i, 'items' => $items];
	}
	return $orders;
}

function encode(mixed $value): string {
	if (!is_array($value))
		return encode_scalar($value);
	$out = [];
	if (array_is_list($value)) {
		foreach ($value as $v)
			$out[] = encode($v);
		return '[' . implode(',', $out) . ']';
	}
	foreach ($value as $k => $v)
		$out[] = '"' . $k . '":' . encode($v);
	return '{' . implode(',', $out) . '}';
}

function encode_scalar(mixed $value): string {
	return is_string($value) ? '"' . addslashes($value) . '"' : (string)$value;
}

function totals(array $orders): array {
	$sums = [];
	foreach ($orders as $order)
		foreach ($order['items'] as $item)
			$sums[$item['sku']] = ($sums[$item['sku']] ?? 0) + $item['n'] * $item['price'];
	return $sums;
}

function json(int $rounds): int {
	$n = 0;
	for ($i = 0; $i < $rounds; $i++) {
		$orders = make_orders(60);
		$n += count(totals(json_decode(encode($orders), true))) + strlen(json_encode($orders));
	}
	return $n;
}

function make_log(int $n): array {
	$lines = [];
	for ($i = 0; $i < $n; $i++)
		$lines[] = sprintf('10.0.%d.%d - user%d [01/Jan/2026:00:00:00] "GET /page/%d?q=%d" %d %d', $i % 7, $i % 250, $i % 9, $i % 40, $i, 200 + $i % 3 * 100, $i * 37);
	return $lines;
}

function match_lines(array $lines): array {
	$found = [];
	foreach ($lines as $line)
		if (preg_match('/(\S+) - (\w+) \[([^\]]+)\] "(\w+) (\S+)" (\d{3}) (\d+)/', $line, $m))
			$found[] = $m;
	return $found;
}

function anonymize(array $lines): array {
	return array_map(fn($line) => preg_replace_callback('/\d+/', 'hide', $line), $lines);
}

function hide(array $m): string {
	$out = '';
	for ($i = strlen($m[0]); $i > 0; $i--)
		$out .= '#';
	return $out;
}

function by_status(array $rows): array {
	$counts = [];
	foreach ($rows as $row)
		$counts[$row[6]] = ($counts[$row[6]] ?? 0) + (int)$row[7];
	return $counts;
}

function regex(int $rounds): int {
	$lines = make_log(200);
	$n = 0;
	for ($i = 0; $i < $rounds; $i++)
		$n += count(by_status(match_lines($lines))) + count(anonymize($lines));
	return $n;
}

function shuffled(int $n): array {
	$seed = 7;
	$rows = [];
	for ($i = 0; $i < $n; $i++) {
		$seed = ($seed * 1103515245 + 12345) & 0x7fffffff;
		$rows[] = [$seed % 1000, 'name' . $seed % 77];
	}
	return $rows;
}

function compare_rows(array $a, array $b): int {
	return strcmp($a[1], $b[1]) ?: $b[0] - $a[0];
}

function insertion(array $rows): array {
	for ($i = 1; $i < count($rows); $i++) {
		$x = $rows[$i];
		for ($j = $i; $j > 0 && $rows[$j - 1][0] > $x[0]; $j--)
			$rows[$j] = $rows[$j - 1];
		$rows[$j] = $x;
	}
	return $rows;
}

function quicksort(array $rows): array {
	if (count($rows) < 2)
		return $rows;
	$pivot = $rows[intdiv(count($rows), 2)][0];
	$less = $same = $more = [];
	foreach ($rows as $row)
		if ($row[0] < $pivot)
			$less[] = $row;
		elseif ($row[0] > $pivot)
			$more[] = $row;
		else
			$same[] = $row;
	return array_merge(quicksort($less), $same, quicksort($more));
}

function sorting(int $rounds): int {
	$n = 0;
	for ($i = 0; $i < $rounds; $i++) {
		$rows = shuffled(1000);
		$n += count(quicksort($rows)) + count(insertion(array_slice($rows, 0, 150)));
		usort($rows, 'compare_rows');
	}
	return $n;
}

class Template {
	private array $parts;

	function __construct(string $text) {
		$this->parts = preg_split('/\{\{(.*?)\}\}/', $text, -1, PREG_SPLIT_DELIM_CAPTURE);
	}

	function render(array $values): string {
		$out = '';
		foreach ($this->parts as $i => $part)
			$out .= $i % 2 ? $this->escape((string)$values[trim($part)]) : $part;
		return $out;
	}

	private function escape(string $value): string {
		static $entity = ['<' => '&lt;', '>' => '&gt;', '&' => '&amp;'];
		$out = '';
		for ($i = 0; $i < strlen($value); $i++)
			$out .= $entity[$value[$i]] ?? $value[$i];
		return $out;
	}
}

function template(int $rounds): int {
	$n = 0;
	for ($i = 0; $i < $rounds; $i++) {
		$template = new Template('<td>{{name}}</td><td>{{ price }}</td><td>{{note}}</td>');
		for ($j = 0; $j < 20; $j++)
			$n += strlen($template->render(['name' => 'a<b', 'price' => $j, 'note' => 'x & y']));
	}
	return $n;
}

abstract class TestCase {
	protected int $passed = 0;

	function assertSame(mixed $want, mixed $have): void {
		if ($want === $have)
			$this->passed++;
	}

	function run(): int {
		foreach (get_class_methods($this) as $name)
			if (str_starts_with($name, 'test'))
				$this->$name();
		return $this->passed;
	}
}

class Tests extends TestCase {
	function testRoman(): void {
		for ($i = 1; $i < 60; $i++)
			$this->assertSame('', trim(roman($i), 'MDCLXVI'));
	}

	function testDistance(): void {
		$this->assertSame(2, distance('flame graphs', 'frame graph'));
	}

	function testLevenshtein(): void {
		$this->assertSame(2, levenshtein('flame graphs', 'frame graph'));
	}
}

function roman(int $n): string {
	$out = '';
	foreach ([1000 => 'M', 900 => 'CM', 500 => 'D', 400 => 'CD', 100 => 'C', 90 => 'XC', 50 => 'L', 40 => 'XL', 10 => 'X', 9 => 'IX', 5 => 'V', 4 => 'IV', 1 => 'I'] as $value => $digit)
		for (; $n >= $value; $n -= $value)
			$out .= $digit;
	return $out;
}

function distance(string $a, string $b): int {
	$row = range(0, strlen($b));
	for ($i = 1; $i <= strlen($a); $i++) {
		$last = $row[0];
		$row[0] = $i;
		for ($j = 1; $j <= strlen($b); $j++) {
			$cost = $last + ($a[$i - 1] === $b[$j - 1] ? 0 : 1);
			$last = $row[$j];
			$row[$j] = min($row[$j] + 1, $row[$j - 1] + 1, $cost);
		}
	}
	return $row[strlen($b)];
}

function tests(int $rounds): int {
	$n = 0;
	for ($i = 0; $i < $rounds; $i++)
		$n += (new Tests)->run();
	return $n;
}

function split_row(string $line): array {
	$fields = [];
	$field = '';
	$quoted = false;
	for ($i = 0; $i < strlen($line); $i++) {
		$c = $line[$i];
		if ($c === '"') {
			$quoted = !$quoted;
		} elseif ($c === ',' && !$quoted) {
			$fields[] = $field;
			$field = '';
		} else {
			$field .= $c;
		}
	}
	$fields[] = $field;
	return $fields;
}

function group(array $rows): array {
	$sums = [];
	foreach ($rows as $row) {
		$key = "$row[0] $row[1]";
		$sums[$key] = ($sums[$key] ?? 0) + (int)$row[2];
	}
	return $sums;
}

function table(int $rounds): int {
	$lines = [];
	for ($i = 0; $i < 100; $i++)
		$lines[] = 'region' . $i % 5 . ',' . ($i % 12 + 1) . ',' . $i * 3 % 101 . ",\"note, $i\"";
	$n = 0;
	for ($i = 0; $i < $rounds; $i++)
		$n += count(group(array_map('str_getcsv', $lines))) + count(group(array_map('split_row', $lines)));
	return $n;
}

function product(array $a, array $b): array {
	$n = count($a);
	$out = [];
	for ($i = 0; $i < $n; $i++)
		for ($j = 0; $j < $n; $j++) {
			$sum = 0;
			for ($k = 0; $k < $n; $k++)
				$sum += $a[$i][$k] * $b[$k][$j];
			$out[$i][$j] = $sum;
		}
	return $out;
}

function primes(int $n): int {
	$sieve = array_fill(0, $n, true);
	for ($i = 2; $i < $n; $i++)
		if ($sieve[$i])
			for ($j = $i * $i; $j < $n; $j += $i)
				$sieve[$j] = false;
	return count(array_filter($sieve));
}

function escapes(float $x, float $y): int {
	$a = $b = 0.0;
	for ($i = 0; $i < 40 && $a * $a + $b * $b <= 4; $i++)
		[$a, $b] = [$a * $a - $b * $b + $x, 2 * $a * $b + $y];
	return $i;
}

function numbers(int $rounds): int {
	$m = [];
	for ($i = 0; $i < 20; $i++)
		for ($j = 0; $j < 20; $j++)
			$m[$i][$j] = $i * $j % 7;
	$n = 0;
	for ($r = 0; $r < $rounds; $r++) {
		$n += product($m, $m)[3][4] + primes(3000);
		for ($x = 0; $x < 12; $x++)
			for ($y = 0; $y < 12; $y++)
				$n += escapes($x / 6 - 1.5, $y / 6 - 1);
	}
	return $n;
}

class Node {
	public ?Node $left = null, $right = null;

	function __construct(public int $key) {}

	function insert(int $key): void {
		$side = $key < $this->key ? 'left' : 'right';
		if ($this->$side)
			$this->$side->insert($key);
		else
			$this->$side = new Node($key);
	}

	function find(int $key): bool {
		for ($node = $this; $node && $node->key !== $key;)
			$node = $key < $node->key ? $node->left : $node->right;
		return $node !== null;
	}

	function depth(): int {
		return 1 + max($this->left?->depth() ?? 0, $this->right?->depth() ?? 0);
	}
}

function tree(int $rounds): int {
	$n = 0;
	for ($r = 0; $r < $rounds; $r++) {
		$root = new Node(500);
		for ($i = 0; $i < 300; $i++)
			$root->insert($i * 617 % 1009);
		for ($i = 0; $i < 600; $i++)
			$n += $root->find($i) ? 1 : 0;
		$n += $root->depth();
	}
	return $n;
}

class Cache {
	private array $data = [];

	function __construct(private int $limit) {}

	function get(string $key, callable $make): mixed {
		if (isset($this->data[$key]))
			return $this->data[$key];
		if (count($this->data) >= $this->limit)
			array_shift($this->data);
		return $this->data[$key] = $make($key);
	}
}

function stem(string $word): array {
	foreach (['ing', 'ed', 'es', 's'] as $end)
		if (str_ends_with($word, $end) && strlen($word) > strlen($end) + 2)
			$word = substr($word, 0, -strlen($end));
	$hash = 0;
	for ($i = 0; $i < strlen($word); $i++)
		$hash = ($hash * 31 + ord($word[$i])) & 0xffff;
	return [$word, $hash];
}

function count_words(string $text, Cache $cache): array {
	$counts = [];
	foreach (explode(' ', strtolower($text)) as $word) {
		$key = $cache->get(trim($word, '.,;'), 'stem')[0];
		$counts[$key] = ($counts[$key] ?? 0) + 1;
	}
	return $counts;
}

function words(int $rounds): int {
	$all = [];
	for ($i = 0; $i < 12; $i++)
		foreach (['walk', 'record', 'sample', 'frame'] as $w)
			foreach (['', 'ing', 'ed', 's.'] as $e)
				$all[] = $w . $e . $i % 9;
	$text = implode(' ', $all);
	$cache = new Cache(60);
	$n = 0;
	for ($i = 0; $i < $rounds; $i++) {
		$counts = count_words($text, $cache);
		arsort($counts);
		$n += count(array_slice($counts, 0, 10));
	}
	return $n;
}

const PROGRAMS = ['web' => ['web', 130000], 'json' => ['json', 4400], 'regex' => ['regex', 3300], 'sort' => ['sorting', 830],
	'template' => ['template', 90000], 'tests' => ['tests', 53000], 'table' => ['table', 6800], 'numbers' => ['numbers', 3000],
	'tree' => ['tree', 4600], 'words' => ['words', 14000]];
[$program, $rounds] = PROGRAMS[$argv[1]];
echo $program((int)($argv[2] ?? $rounds)), "\n";
