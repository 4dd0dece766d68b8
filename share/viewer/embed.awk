# embed.awk: the viewer's source in, the same without comments (which stand on lines of
# their own, or end one), indentation and empty lines out, and of scripts without spaces
# that say nothing: those beside a mark, outside of texts and of patterns, and the ends of
# lines after one. No line of a text that matters begins with a space, a slash and a star.

BEGIN { MARKS = "[][(){}<>=+*/%!?:;,&|-]" }

{ sub(/^[ \t]+/, "") }
inside || /^\/\*/ {
	inside = !/\*\/$/
	next
}
FILENAME !~ /\.js$/ {
	if ($0 != "")
		print
	next
}

# What is open, the innermost last, each a letter: ` a template, { code in one and } a
# brace in that code; ' or " a text, / a pattern, [ a class in a pattern.
{
	out = ""
	for (i = 1; i <= length($0); i++) {
		c = substr($0, i, 1)
		top = substr(open, length(open))
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
		else if (c == "{" && top != "")
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
	if (out != "")
		printf "%s%s", out, open !~ /`$/ && out ~ /[,;{([?:&|=>]$/ ? "" : "\n"
}
