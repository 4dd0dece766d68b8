# bash completion of all fg programs: options, and the values that --help lists; then files.
_fg_awk='@complete.awk@'
_fg_values() # PROGRAM OPTION: its values, one in each line
{
	case ${1##*/}/$2 in
	fg-collapse/-f | fg-collapse/--format) "$1" --list-formats 2>/dev/null | sed -n 's/^\([^ ]*\) .*/\1/p' ;;
	*) "$1" --help 2>/dev/null | awk -v option="$2" "$_fg_awk" ;;
	esac
	case ${1##*/}/$2 in
	fg-record/-e | fg-record/--event) cat /sys/kernel/tracing/available_events 2>/dev/null ;;
	esac
}
_fg()
{
	local IFS=$' \t\n' word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} values

	COMPREPLY=()
	# --option=value is three words, where = splits words.
	[[ $word == = ]] && word=
	[[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]}
	if [[ $option == -* && $option != -- ]]; then
		values=$(_fg_values "$1" "$option")
		if [[ -n $values ]]; then
			COMPREPLY=($(compgen -W "$values" -- "$word"))
			return
		fi
	fi
	[[ $word == -* ]] && COMPREPLY=($(compgen -W "$("$1" --help 2>/dev/null |
		awk -v option= "$_fg_awk" | cut -f 1)" -- "$word"))
}
complete -o default -F _fg fg-record fg-collapse fg-merge fg-diff fg-filter fg-render
