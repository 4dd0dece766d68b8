#!/bin/sh
# clang-tidy finds nothing in the programs, by its checks for bugs, CERT rules, performance and
# portability and by clang's analyzer.
# tier: soak
. "$(dirname "$0")/lib.sh"
command -v clang-tidy >/dev/null || skip_all 'there is no clang-tidy' clang-tidy
cd "$here/.." || exit 1
built=$(dirname "$UNIT")/.. # what the build made, and the flags that it was made with
[ -s "$built/flags" ] || skip_all 'the build left no flags'
defines=$(grep -oE -- '-D[A-Z_]+' "$built/flags" | sort -u)

checks='-*,clang-analyzer-*,bugprone-*,cert-*,misc-*,performance-*,portability-*'
# without CHECK REASON: leaves a check out.
without() { checks=$checks,-$1; }
without bugprone-easily-swappable-parameters 'an address and a size are both numbers'
without bugprone-implicit-widening-of-multiplication-result 'sizes are products of small constants'
without bugprone-branch-clone 'instructions and types that are treated alike have a row each'
without bugprone-macro-parentheses 'a macro that is the rest of a declaration'
without bugprone-narrowing-conversions 'a digit or letter that was calculated as int'
without bugprone-integer-division 'the part above the point and the remainder are divided apart'
without bugprone-sizeof-expression 'vec_fit takes the size of an array of pointers'
without bugprone-not-null-terminated-result 'cli_alloc has set the byte after a copy to 0'
without bugprone-signed-char-misuse 'numbers of registers, compared after a test for negative ones'
without cert-str34-c 'the same'
without bugprone-suspicious-memory-comparison 'rules of CFI are all zero, padding too, before they are filled'
without cert-exp42-c 'the same'
without cert-flp37-c 'the same'
without cert-err33-c 'output has an error flag, which is tested before a program ends'
without cert-err34-c 'lines of /proc, which the kernel wrote'
without cert-flp30-c 'sums over a grid of real numbers'
without clang-analyzer-deadcode.DeadStores 'a length that is assigned and tested in one condition'
without clang-analyzer-security.FloatLoopCounter 'the same'
without clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling 'asks for memcpy_s, which glibc does not have'
without clang-analyzer-security.insecureAPI.strcpy 'after a test of the length'
without clang-analyzer-core.NullDereference 'it assumes that a vector with elements can be NULL; the sanitizers of make check and make fuzz test that'
without clang-analyzer-core.NonNullParamChecker 'the same, of none copied from NULL'
without misc-redundant-expression 'codes of BPF instructions, of which some parts are 0'
without misc-no-recursion 'depth is limited where input decides it'
without performance-no-int-to-ptr 'addresses of other processes, for process_vm_readv'

for f in common/*/*.c common/*/*/*.c cmd/*/*.c cmd/*/*/*.c; do
	# shellcheck disable=SC2086 # a list of flags
	clang-tidy --quiet --checks="$checks" "$f" -- -std=gnu11 -D_GNU_SOURCE $defines -isystem /usr/include/bsd \
	    -Icommon -Icmd -I"$built/common" -I"$built/cmd" -I"$built" 2>"$tmp/.said" >"$tmp/found"
	status=$?
	grep -E '(warning|error): .*\[' "$tmp/found" >"$tmp/.said"
	if [ $status = 0 ] && [ ! -s "$tmp/.said" ]; then ok "$f"; else not_ok "$f"; fi
done
done_testing
