# embed.awk: removes comments (on lines of their own or at the end of one), indentation and empty
# lines from the viewer's source. In scripts it also removes redundant spaces and line ends: those
# next to punctuation, outside strings and regular expressions; and semicolons before a brace; and
# writes let for const, which compresses better. A line that ends with a brace ends a statement. No
# line of a string may begin with a space, a slash and a star.
#
# Functions and constants of the files in `global` get names of two letters: those that a line declares
# in column 1, unless a property has that name anywhere: with a dot before it, a colon after it, or in
# a list.

BEGIN {
	MARKS = "[][(){}<>=+*/%!?:;,&|-]"
	WORD = "[A-Za-z0-9_$]"
	n = split(global, files, " ")
	for (i = 1; i <= n; i++) {
		before = ""
		while ((getline line <files[i]) > 0) {
			if (line ~ /^(async )?(function|const|let) [A-Za-z]/) {
				name = line
				sub(/^(async )?(function|const|let) /, "", name)
				sub(/[^A-Za-z0-9_$].*/, "", name)
				if (length(name) > 3)
					declared[++declarations] = name
			}
			sub(/^[ \t]+/, "", line)
			find_words(before line, length(before))
			before = substr(line, length(line))
		}
		close(files[i])
	}
	LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for (i = k = 1; i <= declarations; i++) {
		if (declared[i] in property || declared[i] in short)
			continue
		do
			name = substr(LETTERS, 1 + int(k / 52), 1) substr(LETTERS, 1 + k++ % 52, 1)
		while (name in words)
		short[declared[i]] = name
	}
}

# Notes the words of a line, and those that may be properties. The line begins with `skip` characters
# of the one before it.
function find_words(line, skip,   at, word, left, right) {
	for (at = skip + 1; match(substr(line, at), /[A-Za-z_$][A-Za-z0-9_$]*/); at += length(word)) {
		at += RSTART - 1
		word = substr(line, at, RLENGTH)
		words[word]
		left = substr(line, 1, at - 1)
		right = substr(line, at + length(word))
		if ((left ~ /\.$/ && left !~ /\.\.\.$/) || right ~ /^ *:/ ||
		    (left ~ /(^|[{,]) *$/ && right ~ /^ *([,}]|$)/))
			property[word]
	}
}

# The text of code with its last word shortened.
function shorten(out,   word) {
	if (!match(out, /[A-Za-z_$][A-Za-z0-9_$]*$/))
		return out
	word = substr(out, RSTART)
	if (!(word in short) || (substr(out, RSTART - 1, 1) == "." && substr(out, RSTART - 3, 3) != "..."))
		return out
	return substr(out, 1, RSTART - 1) short[word]
}

{ sub(/^[ \t]+/, "") }
inside || /^\/\*/ {
	inside = !/\*\/$/
	next
}
FILENAME !~ /\.js$/ {
	if ($0 != "")
		printf "%s%s", $0, /[,;{}]$/ ? "" : "\n"
	next
}

# A stack of open constructs, one letter each, innermost last: ` template, { code in a template, }
# brace in that code, ' or " string, / regular expression, [ class in a regular expression.
{
	out = ""
	for (i = 1; i <= length($0); i++) {
		c = substr($0, i, 1)
		top = substr(open, length(open))
		if (top !~ /['"`\/[]/ && c !~ WORD)
			out = shorten(out)
		if (top ~ /['"`\/[]/) {
			if (c == "\\")
				c = c substr($0, ++i, 1)
			else if (top == "`" && substr($0, i, 2) == "${") {
				c = "${"
				i++
				open = open "{"
			} else if (top == "/" && c == "[")
				open = open c
			else if (c == (top == "[" ? "]" : top))
				open = substr(open, 1, length(open) - 1)
		} else if (substr($0, i, 2) == "/*")
			break
		else if (c ~ /['"`]/ || (c == "/" && out ~ /(^|[(,=:?&|!;{}[]|return) ?$/))
			open = open c
		else if (substr($0, i, 6) == "const " && out !~ /[A-Za-z0-9_$.]$/) {
			c = "let"
			i += 4
		} else if (c == "{" && top != "")
			open = open "}"
		else if (c == "}" && top != "")
			open = substr(open, 1, length(open) - 1)
		else if (c == " ") {
			before = substr(out, length(out))
			after = substr($0, i + 1, 1)
			if ((before ~ MARKS || after ~ MARKS) && !(before == after && after ~ /[+-]/))
				c = ""
		}
		out = out c
	}
	if (substr(open, length(open)) !~ /['"`\/[]/)
		out = shorten(out)
	if (out == "")
		next
	if (!text && ((held == ";" && out ~ /^}/) ||
	    (held == "\n" && (last == "}" || out ~ /^[])}?:.]/))))
		held = ""
	printf "%s", held

	# Hold the end of the line, which the next line may make redundant.
	text = open ~ /`$/
	last = substr(out, length(out))
	held = text || last !~ /[,{([?:&|=>]/ ? "\n" : ""
	if (!text && last == ";") {
		held = out ~ /^(for|if|while)\(/ ? "" : ";"
		if (held != "")
			out = substr(out, 1, length(out) - 1)
	}
	printf "%s", out
}

END { printf "%s", held == ";" ? ";\n" : held }
