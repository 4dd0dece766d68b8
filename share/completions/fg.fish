# fish completion of all fg programs: options, and the values that --help lists; then files.
set -g __fg_awk '@complete.awk@'
function __fg_values # PROGRAM OPTION: its values, one in each line
    switch (basename $argv[1])/$argv[2]
        case fg-collapse/-f fg-collapse/--format
            $argv[1] --list-formats 2>/dev/null | string replace -rf -- '^([^ ]+) .*' '$1'
        case '*'
            $argv[1] --help 2>/dev/null | awk -v option=$argv[2] $__fg_awk
    end
    switch (basename $argv[1])/$argv[2]
        case fg-record/-e fg-record/--event
            cat /sys/kernel/tracing/available_events 2>/dev/null
    end
end
function __fg_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    if string match -qr -- '^--[a-z-]+=' $word
        set -l option (string replace -r -- '=.*' '' $word)
        for value in (__fg_values $before[1] $option)
            echo $option=$value
        end
    else if test (count $before) -gt 1; and string match -q -- '-*' $before[-1]
        __fg_values $before[1] $before[-1]
    end
    if string match -q -- '-*' $word
        $before[1] --help 2>/dev/null | awk -v option= $__fg_awk
    end
end
for program in fg-record fg-collapse fg-merge fg-diff fg-filter fg-render
    complete -c $program -a '(__fg_complete)'
end
