<?php
// Samples a PHP program with Excimer, as folded stacks in the file $OUT: auto_prepend_file.
$profiler = new ExcimerProfiler;
$profiler->setPeriod(0.001);
$profiler->setEventType(EXCIMER_CPU);
$profiler->start();
register_shutdown_function(function () use ($profiler) {
	$profiler->stop();
	file_put_contents(getenv('OUT'), $profiler->getLog()->formatCollapsed());
});
