<?php
// As lockstep.py. Arguments: plain or fiber; seed.
[, $mode, $seed] = $argv;
mt_srand((int)$seed);
$path = [];
$want = 0;
$in = fopen('php://stdin', 'r');

function leaf()
{
    global $path, $in;
    $names = []; $line = __LINE__ + 8;
    foreach (debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS) as $f) {
        $name = (isset($f['class']) ? $f['class'] . '::' : '') . $f['function'];
        $internal = !isset($f['class']) && $name != 'eval' && function_exists($name) &&
            (new ReflectionFunction($name))->isInternal();
        $names[] = $name . ':' . ($internal ? 0 : $line);
        $line = $f['line'] ?? 0;
    }
    $names[] = '{main}:' . $line; fwrite(STDOUT, "0\t" . implode(';', $path) . "\t" . implode(';', array_reverse($names)) . ";fgets:0\n"); fgets($in);
}

class K
{
    function s2($d) { global $path; $path[] = 's2'; go($d); array_pop($path); }
    static function s3($d) { global $path; $path[] = 's3'; try { go($d); } finally { array_pop($path); } }
    function __get($n) { go($n - 1); return 1; }
    function __destruct() { global $want; if ($want > 0) { $w = $want; $want = 0; go($w - 1); } }
}

function gen($d) { go($d - 1); yield 1; go($d - 1); yield from gen2($d); }
function gen2($d) { yield 2; }
function cc($n, $f, $d) { global $path; $path[] = $n; $n($f, $d); array_pop($path); }
function s0($d) { global $path; $path[] = 's0'; go($d); array_pop($path); }
function s1($d) { global $path; $path[] = 's1'; go($d); array_pop($path); }

function go($d)
{
    global $path, $mode, $want;
    if ($d <= 0) { leaf(); return; }
    $d--;
    $o = new K;
    switch (mt_rand(0, $mode == 'fiber' ? 16 : 14)) {
    case 0: s0($d); break;
    case 1: s1($d); break;
    case 2: $o->s2($d); break;
    case 3: K::s3($d); break;
    case 4: cc('c0', 's0', $d); break;
    case 5: cc('c1', [$o, 's2'], $d); break;
    case 6: cc('c2', 'K::s3', $d); break;
    case 7: cc('c3', function ($x) { s1($x); }, $d); break;
    case 8: array_map('s0', [$d]); break;
    case 9: $a = [1, 2]; $once = 1; usort($a, function ($x, $y) use ($d, &$once) { if ($once) { $once = 0; s1($d); } return 0; }); break;
    case 10: foreach (gen($d > 3 ? 3 : $d) as $x) break; break;
    case 11: $n = (string)$d; $o->{$n}; break;
    case 12: if ($mode != 'plain') { s0($d); break; } $want = $d; unset($o); $want = 0; break;
    case 13: try { throw new Exception('x'); } catch (Exception $e) { s0($d); } break;
    case 14: eval('s1($d);'); break;
    case 15:
    case 16:
        $f = new Fiber(function () use ($d) { go($d); });
        $f->start();
        break;
    }
}

for (;;) { $path = []; go(mt_rand(0, 16)); }
