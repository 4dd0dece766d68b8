# embed.awk: removes comments (on lines of their own or at the end of one), indentation and empty
# lines from the viewer's source. In scripts it also removes redundant spaces and line ends: those
# next to punctuation, outside strings and regular expressions; and semicolons before a brace; and
# writes let for const, which compresses better. A line that ends with a brace ends a statement. No
# line of a string may begin with a space, a slash and a star.

BEGIN {
	MARKS = "[][(){}<>=+*/%!?:;,&|-]"
	WORD = "[A-Za-z0-9_$]"
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

END { printf "%s", (held == ";" ? ";\n" : held) }
