# bash completion of all fg programs: the options that --help lists, then files.
_fg()
{
	local word=${COMP_WORDS[COMP_CWORD]}

	COMPREPLY=()
	if [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$("$1" --help 2>/dev/null |
			grep -oE -- '(^|[ ,])--?[A-Za-z][A-Za-z0-9-]*' | tr -d ' ,')" -- "$word"))
	fi
}
complete -o default -F _fg fg-record fg-collapse fg-merge fg-diff fg-filter fg-render
