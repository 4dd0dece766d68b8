<?php
// As free.py, without new functions: PHP cannot define one twice.
function f13($d) { return $d; }
for ($i = 12; $i >= 0; $i--)
    eval("function f$i(\$d) { \$x = 0; for (\$k = 0; \$k < 3; \$k++) \$x += \$k; if (mt_rand(0, 1)) return f" . ($i + 1) . "(\$d); return f" . min(13, $i + 2) . "(\$d); }");
for (;;) f0(1);
