<?php
// heaptruth.php: as heaptruth.c, of strings, with a header of 24 bytes and a byte at the end.
$mean = (float)($argv[1] ?? 524288);

class Figures {
	public $bytes = [0, 0], $variance = [0, 0], $blocks = 0, $blocks_variance = 0;
	function took($n, $live) {
		global $mean;
		$p = -expm1(-$n / $mean);
		for ($k = 0; $k <= (int)$live; $k++) {
			$this->bytes[$k] += $n;
			$this->variance[$k] += $n * $n * (1 - $p) / $p;
		}
		$this->blocks++;
		$this->blocks_variance += (1 - $p) / $p;
	}
}

function small($n) { return str_repeat('x', $n); }
function middle($n) { return str_repeat('x', $n); }
function large($n) { return str_repeat('x', $n); }

$kept = array_fill(0, 60000, null);
$figures = ['small' => new Figures, 'middle' => new Figures, 'large' => new Figures];
$x = 1;
for ($i = 0; $i < 60000; $i++) {
	$x = ($x * 1103515245 + 12345) & 0xffffffff;
	if ($i % 600 == 0) { $f = 'large'; $n = 50000 + ($x >> 8) % 500000; $block = large($n); }
	else if ($i % 10 == 0) { $f = 'middle'; $n = 500 + ($x >> 8) % 8000; $block = middle($n); }
	else { $f = 'small'; $n = 2 + ($x >> 8) % 400; $block = small($n); }
	$live = intdiv($i, 600) % 2 == 0;
	$figures[$f]->took(($n + 25 + 7) & ~7, $live);
	if ($live)
		$kept[$i] = $block;
}
$block = null;
foreach ($figures as $name => $f) {
	printf("%s allocated %d %.0f\n", $name, $f->bytes[0], $f->variance[0]);
	printf("%s allocations %d %.0f\n", $name, $f->blocks, $f->blocks_variance);
	printf("%s live %d %.0f\n", $name, $f->bytes[1], $f->variance[1]);
}
fflush(STDOUT);
posix_kill(posix_getpid(), 9);
