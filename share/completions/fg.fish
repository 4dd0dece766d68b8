# fish completion of all fg programs: the options that --help lists.
function __fg_options
    set -l program (commandline -opc)[1]
    $program --help 2>/dev/null | string match -r -- '^  .*' |
        string replace -rf -- '^  (?:-\w, |    )(--[a-z][a-z-]*)\S*\s+(.*)$' '$1\t$2'
end
for program in fg-record fg-collapse fg-merge fg-diff fg-filter fg-render
    complete -c $program -n 'string match -q -- "-*" (commandline -ct)' -a '(__fg_options)'
end
