# registers.awk: reads the registers, the tables *.def of which C makes its tables, and writes what
# else is made of them. A row is a line NAME(argument, ...), whose arguments are strings in quotes
# or words.
#
#   awk -f share/registers.awk -v want=viewer FILE.def ...
#
# want=viewer    the viewer's constants, in JavaScript
# want=rows      each row, its name and arguments separated by tabs or by sep=, for tests
# want=lang      the languages of --lang for a manual page, in mdoc
# want=units, annotations, headers, waits, formats, outputs, events: as lists in mdoc

/^[A-Z_]+\(.*\)/ {
	n = 0
	rest = $0
	row = substr(rest, 1, index(rest, "(") - 1)
	rest = substr(rest, index(rest, "(") + 1)
	while (rest != "" && rest !~ /^ *\)/) {
		sub(/^[ ,]+/, "", rest)
		text = ""
		if (rest ~ /^"/) {
			while (match(rest, /^"([^"\\]|\\.)*"/)) { # neighbours are one string
				text = text substr(rest, 2, RLENGTH - 2)
				rest = substr(rest, RLENGTH + 1)
				sub(/^ +/, "", rest)
			}
			gsub(/\\"/, "\"", text)
		} else {
			match(rest, /^[^,)]*/)
			text = substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 1)
		}
		arg[++n] = text
	}
	do_row()
}

END { finish() }

# A text of mdoc's, with the characters that are its own escaped.
function mdoc(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	return text
}

# Words of a list, each with Cm, separated by commas and `or`.
function add_word(word) {
	words[++nword] = word
}

function print_words(macro,    i) {
	for (i = 1; i <= nword; i++)
		print "." macro " " words[i] (i < nword - 1 ? " ," : i == nword ? " ." : "") (i == nword - 1 ? "\nor" : "")
}

function do_row(    i, line) {
	if (want == "rows") {
		line = row
		for (i = 1; i <= n; i++)
			line = line (sep == "" ? "\t" : sep) arg[i]
		print line
	} else if (want == "viewer") {
		if (row == "LANGUAGE" && arg[5] != "") {
			line = arg[5]
			gsub(/\./, "", line)
			gsub(/ /, "|", line)
			place = place (place == "" ? "" : "|") line
		} else if (row == "UNIT")
			units = units "\t['" arg[1] "', " arg[2] ", " arg[3] "],\n"
	} else if (want == "lang" && row == "LANGUAGE")
		add_word(arg[2])
}

function finish() {
	if (want == "viewer") {
		print "/* Made of the registers by share/registers.awk. */"
		print "const PLACE_FILE = /\\.(" place ")(:\\d+)?$/;"
		print "const UNITS = [\n" units "];"
	} else if (want == "lang")
		print_words("Cm")
}
