#!/bin/sh
# Formats with stacks that a tool aggregated.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

printf '@us[\n    f+1\n    main+2\n, a]: 40\n' | fg-collapse >got
printf '%s\n' '# unit: us 0' 'a;main;f 40' >want
same 'bpftrace: a sum is not a period' want got
# A single function of gprof or a single row of VTune is not a period either, and so on.
printf '%s\n' '{"head": {"callFrame": {"functionName": "f"}, "selfSize": 640, "children": []}}' | fg-collapse >got
printf 'desc: I1 cache\nevents: Ir\nfl=a.c\nfn=f\n1 5\nsummary: 5\n' | fg-collapse -f cachegrind >>got 2>said
grep -c '^# period' got >counted
output 'a single sum gives no period in other formats' 0 cat counted
text 'bpftrace: keys before and behind, two stacks' --no-annotate 'bash;kprobe:vfs_read;main;f;entry_SYSCALL_64;sys_read 9' <<'EOF'
@[bash, 12,
    sys_read+1
    entry_SYSCALL_64+3
,
    f+2
    main+3
, kprobe:vfs_read]: 7
@[bash, 12,
    f+9
    main+9
,
    sys_read+9
    entry_SYSCALL_64+9
, kprobe:vfs_read]: 2
EOF
text 'bpftrace: stats, averages and histograms' '-e ns --pid' 'sh-7;main 40
sh-7;main;g 6' <<'EOF'
@ns[
    main+3
, sh, 7]: count 3, average 13, total 40

@other[
    main+3
]: 1
@ns[
    g+1
    main+3
, sh, 7]:
[0]                    1 |@@@                                                 |
[2, 4)                 5 |@@@@@@@@@                                           |

@start[7]: 12345678
EOF
fg-collapse -e ns in >got 2>said
check 'bpftrace: entries without a stack are reported' grep -q 'in: 1 map entries without a stack' said
# Frames that an entry shares with the previous one are parsed once, unless the following frames
# make them kernel frames, or the shared text is only the end of a longer line.
text 'bpftrace: neighbours that end alike' '' 'a;main;f 1
a;main;f;g 2
a;main;x;main_[k];f_[k];g_[k] 32
b;main;f;entry_SYSCALL_64_[k];do_it_[k] 4
b;xmain;f;g 8
c;main;f;g 16' <<'EOF'
@[
    f+1
    main+2
, a]: 1
@[
    g+1
    f+1
    main+2
, a]: 2
@[
    do_it+1
    entry_SYSCALL_64+2
,
    f+1
    main+2
, b]: 4
@[
    g+1
    f+1
    xmain+2
, b]: 8
@[
    g+1
    f+1
    main+2
,
, c]: 16
@[
    g+1
    f+1
    main+2
,
    x+1
    main+2
, a]: 32
EOF
fg-collapse -f bpftrace >got 2>said <<'EOF'
@[
    f+1
    main+2
, a]: 1
@[
    f+1
    main+2
, a]: x
EOF
check 'bpftrace: a fault names its line behind lines that were passed at once' grep -q '^fg-collapse: stdin:5: ' said
done_testing
