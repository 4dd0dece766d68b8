#!/bin/sh
# Frames of Ruby scripts equal those that the program itself reports, merged with native frames in
# the right order.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

ruby -e 'exit RUBY_VERSION >= "3.1" && RUBY_VERSION < "3.5" && RUBY_ENGINE == "ruby"' 2>/dev/null ||
	skip_all "no Ruby 3.1 to 3.4" ruby
ruby -e 'exit RUBY_VERSION < "3.4"' || export RESCUED=1
headers=$(ruby -rrbconfig -e 'c = RbConfig::CONFIG; print "-I#{c["rubyhdrdir"]} -I#{c["rubyarchhdrdir"]}"')
# shellcheck disable=SC2086
${CC:-cc} -w -O1 -g -shared -fPIC $headers -o callback.so "$data/callback-ruby.c" 2>/dev/null ||
	skip_all "no headers of Ruby (ruby-dev)" ruby-dev

for mode in plain thread fiber; do
	lockstep "Ruby, $mode" 350 ruby "$data/lockstep.rb" $mode 1 "$PWD"
done
if ruby --yjit -e 0 2>/dev/null; then
	for mode in plain fiber; do
		lockstep "Ruby with YJIT, $mode" 350 \
		    ruby --yjit --yjit-call-threshold=2 "$data/lockstep.rb" $mode 1 "$PWD"
	done
	free_running "Ruby with YJIT" 1000 ruby --yjit "$data/free.rb"
	rated "Ruby with YJIT: stacks of a running program reach the thread's first function" \
	    awk '/^stops/ { bad = $9 > 5 } END { exit bad }' read
else
	skip "Ruby with YJIT" "this Ruby has none"
fi
free_running Ruby 1500 ruby "$data/free.rb"
free_running "Ruby, methods in C with blocks" 500 ruby "$data/sort.rb"

min=$(ruby -rrbconfig -e 'c = RbConfig::CONFIG; print Dir["#{c["rubyarchhdrdir"]}/rb_mjit_min_header-*.h"].first')
if [ -n "$min" ]; then
	# shellcheck disable=SC2086
	offsets_are ruby $headers -DHEADER="\"$min\""
else
	skip "the table of Ruby: its headers" "no headers" ruby-dev
fi
done_testing
