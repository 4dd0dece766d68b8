# registers.awk: reads the registers, the tables *.def of which C makes its tables, and writes what
# else is made of them. A row is a line NAME(argument, ...), whose arguments are strings in quotes,
# macros of such strings in a header that is given before, or words.
#
#   awk -f share/registers.awk -v want=viewer FILE.def ...
#
# want=viewer    the viewer's constants, in JavaScript
# want=rows      each row, its name and arguments separated by tabs or by sep=, for tests
# want=check     nothing; two rows of one name are an error, since C finds the first one only
# want=page      FILE is a manual page: it, with its tables made again. A table is between the lines
#                    .\" TABLE made by make of FILE.def ...
#                    .\" end of TABLE
#                A new TABLE is a function here, and its name in make_table.

want == "page" && past { # the old table, up to its end
	if (index($0, ".\\\" end of ") != 1)
		next
	past = 0
}
want == "page" { page[++npage] = $0 }
want == "page" && /^\.\\" [a-z]+ made by make of / { past = 1 }
want == "page" && /^\.It / { items = items " " $0 " " }
want == "page" { next }
{
	reading = FILENAME
	read_line($0)
}

END {
	if (want == "viewer")
		write_viewer()
	else if (want == "rows")
		write_rows()
	else if (want == "check")
		check_rows()
	else
		write_page()
	if (wrong)
		exit 1
}

# Stores a row: kind[i] is its name, arg[i, 1] ... are its arguments.
function read_line(rest,    n, text, word) {
	if (rest ~ /^#define [A-Z_]+HELP_[A-Z_0-9]+ "/) {
		word = substr(rest, 9)
		sub(/ .*/, "", word)
		sub(/^[^"]*"/, "", rest)
		sub(/"$/, "", rest)
		string[word] = rest
		return
	}
	if (rest ~ /^#include "/ && match(rest, /"[^"]+\.def"/)) {
		read_file("common/" substr(rest, RSTART + 1, RLENGTH - 2))
		return
	}
	if (rest !~ /^[A-Z_]+\(.*\)/)
		return
	kind[++nrow] = substr(rest, 1, index(rest, "(") - 1)
	origin[nrow] = reading
	rest = substr(rest, index(rest, "(") + 1)
	while (rest != "" && rest !~ /^ *\)/) {
		sub(/^[ ,]+/, "", rest)
		text = ""
		while (rest != "" && rest !~ /^[,)]/) { # neighbours are one string
			if (match(rest, /^"([^"\\]|\\.)*"/)) {
				word = substr(rest, 2, RLENGTH - 2)
				gsub(/\\"/, "\"", word)
			} else {
				match(rest, /^([^,()"]|\([^)]*\))*/)
				word = substr(rest, 1, RLENGTH)
				if (RLENGTH == 0)
					break
				sub(/ +$/, "", word)
				if (word in string)
					word = string[word]
			}
			text = text word
			rest = substr(rest, RLENGTH + 1)
			sub(/^ +/, "", rest)
		}
		arg[nrow, ++n] = text
	}
	args[nrow] = n
}

function read_file(file,    line, before) {
	before = reading
	reading = file
	while ((getline line <file) > 0)
		read_line(line)
	close(file)
	reading = before
}

function write_rows(    i, j, line) {
	for (i = 1; i <= nrow; i++) {
		line = kind[i]
		for (j = 1; j <= args[i]; j++)
			line = line (sep == "" ? "\t" : sep) arg[i, j]
		print line
	}
}

# The columns of words that find a row.
function names_in(kind) {
	return kind == "OPTION" ? "1 2" : kind == "LANGUAGE" ? "2 5 6" : kind == "LIBRARY" ? "" \
	    : kind ~ /^(UNIT|OUTPUT|VERSION|.*_WAIT)$/ ? "1" : "2"
}

# Each name is of one row of its kind in its file; one of common/base is of no other file's. Two
# options with one handler are one option, whose letter both rows have.
function check_rows(    i, j, k, c, n, w, word, column, key, own, of, place, does) {
	for (i = 1; i <= nrow; i++) {
		place = origin[i] ~ /common\/base\/[^\/]*$/ ? "" : origin[i]
		does = ""
		for (j = 5; j <= args[i]; j++)
			does = does " " arg[i, j]
		n = split(names_in(kind[i]), column, " ")
		for (c = 1; c <= n; c++) {
			w = split(arg[i, column[c]], word, " ")
			for (k = 1; k <= w; k++) {
				key = place SUBSEP kind[i] SUBSEP word[k]
				own = (key in of) ? of[key] : of["" SUBSEP kind[i] SUBSEP word[k]]
				if (word[k] != "0" && own != "" && !(word[k] ~ /^'/ && own == does)) {
					print origin[i] ": two rows " kind[i] " have the name " word[k] >"/dev/stderr"
					wrong = 1
				}
				of[key] = does == "" ? " " : does
			}
		}
	}
}

function write_viewer(    i, places, units, notes, kinds, letters) {
	for (i = 1; i <= nrow; i++)
		if (kind[i] == "LANGUAGE" && arg[i, 5] != "")
			places = places " " arg[i, 5]
		else if (kind[i] == "UNIT")
			units = units "\t['" arg[i, 1] "', " arg[i, 2] ", " arg[i, 3] "],\n"
		else if (kind[i] == "ANNOTATION") {
			notes = notes (notes == "" ? "" : ", ") arg[i, 2] ": '" arg[i, 4] "'"
			letters = letters arg[i, 2]
			kinds[arg[i, 3]] = arg[i, 2]
		}
	gsub(/\./, "", places)
	sub(/^ /, "", places)
	gsub(/ /, "|", places)
	print "/* Made of the registers by share/registers.awk. */"
	print "const PLACE_FILE = /\\.(" places ")(:\\d+)?$/;"
	print "const UNITS = [\n" units "];"
	print "const NOTES = {" notes "};"
	print "const NOTE = '(_\\\\[[" letters "]\\\\])';"
	printf "const KIND_NOTES = '"
	for (i = 1; i in kinds; i++)
		printf "%s", kinds[i]
	print "';"
}

# A text of mdoc's, with the characters that are its own escaped.
function mdoc(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/\302\265/, "\\[u00B5]", text)
	gsub(/\316\274/, "\\[u03BC]", text)
	return text
}

# Prints a text in lines of at most 78 characters.
function print_text(text,    n, i, word, line) {
	n = split(mdoc(text), word, / /)
	for (i = 1; i <= n; i++) {
		if (line != "" && length(line) + length(word[i]) > 77) {
			print line
			line = ""
		}
		if (line == "" && word[i] ~ /^[.']/)
			word[i] = "\\&" word[i]
		line = line (line == "" ? "" : " ") word[i]
	}
	print line
}

# Column c of the rows with a name, each with a macro, separated by commas and `or`; without those
# in `except`.
function print_words(row, c, macro, joiner, except,    i, n, word) {
	for (i = 1; i <= nrow; i++)
		if (kind[i] == row && arg[i, c] != except)
			word[++n] = arg[i, c]
	for (i = 1; i <= n; i++)
		print "." macro " " mdoc(word[i]) (i < n - 1 ? " ," : i == n ? " ." : "") (i == n - 1 ? "\n" joiner : "")
}

# A list of rows: column c is the item, which `macro` precedes, column d its text.
function print_list(row, c, d, macro, width,    i) {
	print ".Bl -tag -width " width " -compact"
	for (i = 1; i <= nrow; i++)
		if (kind[i] == row) {
			print ".It " macro " " mdoc(arg[i, c])
			print_text(arg[i, d])
		}
	print ".El"
}

# The units, each with its other spellings.
function print_units(    i, names) {
	print ".Bl -tag -width GB -compact"
	for (i = 1; i <= nrow; i++)
		if (kind[i] == "UNIT") {
			names = mdoc(arg[i, 1])
			print ".It Li " substr(names, 1, index(names, " ") - 1)
			names = substr(names, index(names, " ") + 1)
			gsub(/ /, " , ", names)
			print ".Li " names
		}
	print ".El"
}

# True if an item of the page is of this option.
function is_described(name) {
	return index(items, " -" name " ") > 0
}

# Of the options of a program those that the page does not describe.
function print_options(    i, name, value) {
	for (i = 1; i <= nrow; i++) {
		if (kind[i] != "OPTION" || is_described(arg[i, 2]))
			continue
		name = mdoc(arg[i, 2])
		value = tolower(arg[i, 3])
		if (value == "null")
			value = ""
		if (value ~ /^\[/)
			value = " Ns Op = Ns Ar " mdoc(substr(value, 2, length(value) - 2))
		else if (value != "")
			value = " Ns = Ns Ar " mdoc(value)
		print ".It " (arg[i, 1] == "0" ? "" : "Fl " substr(arg[i, 1], 2, 1) " , ") "Fl \\-" name value
		print_text(toupper(substr(arg[i, 4], 1, 1)) substr(arg[i, 4], 2) ".")
	}
}

# A row for each option of all programs: its letter, yes, alias or - for each program.
function print_sides(    i, j, n, program, name, cell, names, sorted, line, of, k) {
	n = split("record collapse merge diff filter render", program, " ")
	for (i = 1; i <= nrow; i++) {
		if (kind[i] != "OPTION")
			continue
		name = arg[i, 2]
		if (!(name in names))
			names[name] = sorted[++k] = name
		of = origin[i]
		sub(/^cmd\/fg-/, "", of)
		sub(/\/.*/, "", of)
		for (j = 1; j <= n; j++)
			if (of == program[j] || of == "common")
				cell[name, j] = arg[i, 4] ~ /^alias for / ? "alias" \
				    : arg[i, 1] == "0" ? "yes" : "Fl " substr(arg[i, 1], 2, 1)
	}
	for (i = 2; i <= k; i++) { # by insertion, since awk has no sort
		name = sorted[i]
		for (j = i; j > 1 && sorted[j - 1] > name; j--)
			sorted[j] = sorted[j - 1]
		sorted[j] = name
	}
	print ".Bl -column \"--truncate-text-right\" \"record\" \"collapse\" \"alias \" \"alias \" \"alias \" \"render\""
	print ".It option Ta record Ta collapse Ta merge Ta diff Ta filter Ta render"
	for (i = 1; i <= k; i++) {
		line = ".It Fl -" sorted[i]
		for (j = 1; j <= n; j++)
			line = line " Ta " ((sorted[i], j) in cell ? cell[sorted[i], j] : "\\&-")
		print line
	}
	print ".El"
}

function make_table(table) {
	if (table == "languages")
		print_words("LANGUAGE", 2, "Cm", "or")
	else if (table == "waits")
		print_words("WAIT", 2, "Cm", "or")
	else if (table == "annotations")
		print_list("ANNOTATION", 5, 6, "Li", "\"module`function\"")
	else if (table == "suffixes")
		print_words("ANNOTATION", 5, "Ql", "and")
	else if (table == "letters")
		print_list("ANNOTATION", 2, 6, "Cm", "i")
	else if (table == "headers")
		print_list("HEADER", 2, 3, "Li", "compared")
	else if (table == "units")
		print_units()
	else if (table == "formats")
		print_list("FORMAT", 2, 3, "Cm", "java-exceptions")
	else if (table == "outputs")
		print_list("OUTPUT", 1, 3, "Cm", "interactive")
	else if (table == "reports")
		print_list("REPORT", 2, 3, "Cm", "markdown")
	else if (table == "options")
		print_options()
	else if (table == "sides")
		print_sides()
	else {
		print "registers.awk: " FILENAME ": no table " table >"/dev/stderr"
		wrong = 1
	}
}

function write_page(    i, j, n, file) {
	for (i = 1; i <= npage; i++) {
		print page[i]
		if (page[i] !~ /^\.\\" [a-z]+ made by make of /)
			continue
		n = split(page[i], file, " ")
		nrow = 0
		for (j = 7; j <= n; j++)
			read_file(file[j])
		make_table(file[2])
	}
}
