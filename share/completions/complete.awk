# Reads --help of an fg program for shell completion.
#   awk -v option=     prints every option, a tab, and its description
#   awk -v option=-T   prints the values of -T, or nothing: words behind its =, or those that its
#                      description lists
/^  +-/ {
	line = $0
	sub(/^ +/, "", line)
	text = line
	if (!sub(/^[^ ]+( -[^ ]+)*  +/, "", text) && !sub(/^-[^ ]+( --?[^ ]+)*  +/, "", text))
		text = ""
	spec = substr(line, 1, length(line) - length(text))
	n = split(spec, word, /[ ,]+/)
	for (i = 1; i <= n; i++) {
		name = word[i]
		if (name !~ /^-/)
			continue
		sub(/[=[].*/, "", name)
		if (option == "")
			print name "\t" text
		else if (name == option && spec ~ /=/ && literals(substr(spec, index(spec, "=") + 1)))
			continue
		else if (name == option && spec ~ /=/ && spec !~ /=(FILE|NAMES)/)
			values(text)
	}
}
# Prints the words among `drop|merge|only` or `base|label:KEY]`; returns their number.
function literals(text,    n, i, word, found) {
	sub(/[] ].*/, "", text)
	n = split(text, word, "|")
	for (i = 1; i <= n; i++)
		if (word[i] ~ /^[a-z]+$/) {
			print word[i]
			found++
		}
	return found
}
# A list of words: `siblings by name, weight (heaviest first) or input`, `background: grey or
# blue`; the text before a colon is the heading of the list.
function values(text,    part, parts, n, i, k, item, found, m, w) {
	gsub(/\([^)]*\)/, "", text)
	sub(/;.*/, "", text)
	gsub(/ or /, ", or ", text)
	parts = split(text, part, /: /)
	for (k = 1; k <= parts; k++) {
		n = split(part[k], item, / *, */)
		for (i = 1; i <= n; i++) {
			sub(/ +$/, "", item[i])
			m = split(item[i], w, / +/)
			if (i == n && k < parts || m > 1 && w[1] != "or" && w[m - 1] !~ /^(by|off)$/)
				continue
			if (w[m] ~ /^[a-z][a-z0-9:_-]*$/ && w[m] != "or")
				found = found w[m] "\n"
		}
	}
	if (split(found, w, "\n") > 2)
		printf "%s", found
}
