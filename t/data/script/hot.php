<?php
// Runs without an end: functions and methods that JIT code calls, as f1 calls P::get.
class P { public $v = 1; function get($i) { return $this->v + $i; } }
function f1($n, $p) {
	$a = str_repeat("x", 5);
	$s = 0;
	for ($i = 0; $i < $n; $i++) {
		$s = ($s * 3 + $i) & 0xffff;
		$s += $p->get($i);
		$s ^= ord($a[$i % 5]);
	}
	return $s;
}
function f0($p) {
	$x = f1(20000, $p);
	$y = array_sum(array_map(fn($k) => $k * $k, range(1, 3000)));
	return $x + $y;
}
$p = new P;
for (;;) f0($p);
