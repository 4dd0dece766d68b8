# shorten.awk: gives short names to the variables and functions of scripts that embed.awk has
# minified, read as one program, and writes each FILE to FILE.short. Names of properties
# stay, and those that no script declares: the browser's. A variable belongs to a function, not to
# a block; if functions around that one declare its name too, all get one name.

BEGIN { LETTERS = "etnraoiscludphmfgbvywkxzjqABCDEFGHIJKLMNOPQRSTUVWXYZ" }

FNR == 1 { name[++files] = FILENAME }
{ text[files] = text[files] $0 "\n" }

END {
	for (f = 1; f <= files; f++) {
		first[f] = n + 1
		scan(text[f])
	}
	first[f] = n + 1
	for (i = 1; i <= n; i++)
		if (kind[i] == "w")
			find_function(i)
		else if (tok[i] == "=>")
			add_function(kind[before[i]] == "c" ? opening[before[i]] : before[i], end_of_body(after[i]))
	place_functions()
	for (i = 1; i <= n; i++)
		if (tok[i] == "let" || tok[i] == "const")
			bind(after[i], in_function[i])
		else if (tok[i] == "=>" && kind[before[i]] == "w")
			declare(before[i], in_function[before[i]])
		else if (tok[i] == "function" && kind[after[i]] == "w")
			declare(after[i], in_function[i])
		else if (tok[i] == "catch" && tok[after[i]] == "(")
			bind(after[after[i]], in_function[i])
	for (i in parameters)
		bind(after[i], parameters[i])
	name_all()
	for (f = 1; f <= files; f++)
		for (i = first[f]; i < first[f + 1]; i++)
			printf "%s", (i in shorthand ? tok[i] ":" : "") (i in symbol ? short[symbol[i]] : tok[i]) >(name[f] ".short")
}

# Appends a token: w word, o opening and c closing bracket, s anything else.
function token(text, type) {
	tok[++n] = text
	kind[n] = type
	around[n] = level ? stack[level] : 0
	if (type == "c") {
		closing[stack[level]] = n
		around[n] = around[opening[n] = stack[level--]]
	} else if (type == "o")
		stack[++level] = n
	if (text !~ /^[ \n]$/) {
		before[n] = last
		after[last] = n
		last = n
	}
}

# Splits text into tokens. Code in a template is between tokens that end with ${ and begin with }.
function scan(text,   i, c, at) {
	for (i = 1; i <= length(text); i += length(c)) {
		at = substr(text, i, 100)
		c = substr(at, 1, 1)
		if (c == "`")
			template(c = quote(text, i, "`"))
		else if (c == "}" && tok[stack[level]] ~ /\$\{$/) {
			token(c, "c")
			template(c = quote(text, ++i, "`"))
		} else if (match(at, /^[A-Za-z_$][A-Za-z0-9_$]*/))
			token(c = substr(at, 1, RLENGTH), "w")
		else if (match(at, /^([0-9][A-Za-z0-9_.]*|\.\.\.|=>|\?\.[^0-9])/))
			token(c = substr(at, 1, RLENGTH - (c == "?")), "s")
		else if (c ~ /['"]/ || (c == "/" && (kind[last] == "o" || tok[last] ~ /^([,=:?&|!;]|=>|return)$/)))
			token(c = quote(text, i, c), "s")
		else
			token(c, c ~ /[[({]/ ? "o" : c ~ /[])}]/ ? "c" : "s")
	}
}

# The text from position i to the quote that ends it, or to code in a template.
function quote(text, i, end,   from, c, class) {
	for (from = i; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c == "\\")
			i++
		else if (end == "/" && c ~ /[][]/)
			class = c == "["
		else if (end == "`" && substr(text, i, 2) == "${")
			return substr(text, from, i + 2 - from)
		else if (c == end && !class && (i > from || substr(text, i - 1, 1) == "}"))
			break
	}
	while (end == "/" && substr(text, i + 1, 1) ~ /[a-z]/)
		i++
	return substr(text, from, i + 1 - from)
}

function template(text) {
	token(text, text ~ /\$\{$/ ? "o" : "s")
}

# True if a bracket opens an object or a pattern, not a block.
function is_object(open) {
	return tok[open] == "{" && tok[before[open]] ~ /^([[(,=:?|&]|\.\.\.|return|let|const)$/
}

# Notes whether a word is a property, and whether a function begins with it.
function find_function(i,   left, right, open) {
	left = tok[before[i]]
	right = tok[after[i]]
	if (left ~ /\.$/ && left != "...") {
		property[i]
		return
	}
	open = tok[i] == "function" ? (right == "(" ? after[i] : after[after[i]]) : after[i]
	if (is_object(around[i]) && left ~ /^[{,]$|^async$/) {
		if (right == ":")
			property[i]
		else if (right ~ /^[,}=]$/)
			shorthand[i]
		else if (right == "(" && tok[after[closing[open]]] == "{")
			property[i]
	}
	if ((tok[i] == "function" && right != ":") || (i in property && right == "("))
		add_function(open, closing[after[closing[open]]])
}

function add_function(from, to) {
	begins[from] = ++functions
	ends[functions] = to
	if (tok[from] == "(")
		parameters[from] = functions
}

# The last token of an arrow function whose body begins at i.
function end_of_body(i) {
	if (tok[i] == "{")
		return closing[i]
	for (;; i = after[i]) {
		if (kind[i] == "o")
			i = closing[i]
		if (!(i in after) || kind[after[i]] == "c" || tok[after[i]] ~ /^[,;]$/)
			return i
	}
}

# in_function: by token, its innermost function; outer: by function, the one around it.
function place_functions(   i, f) {
	for (i = 1; i <= n; i++) {
		if (i in begins) {
			outer[begins[i]] = f + 0
			depth[begins[i]] = depth[f] + 1
			f = begins[i]
			if (depth[f] > deepest)
				deepest = depth[f]
		}
		in_function[i] = f + 0
		while (f && ends[f] == i)
			f = outer[f]
	}
}

# Declares the names of the pattern at i, up to the end of the statement or the closing bracket.
function bind(i, f,   value, bound) {
	for (; i && kind[i] != "c" && tok[i] != ";"; i = after[i]) {
		if (bound && !value && tok[i] ~ /^(of|in)$/) {
			property[i] # a key word: variables may have these names
			return
		}
		if (kind[i] == "o") {
			if (!value)
				bind(after[i], f)
			i = closing[i]
			bound = 1
		} else if (tok[i] == ",")
			value = bound = 0
		else if (tok[i] == "=")
			value = 1
		else if (kind[i] == "w" && !value && !(i in property)) {
			declare(i, f)
			bound = 1
		}
	}
}

function declare(i, f) {
	declared[f, tok[i]]
}

# symbol: by token, the function that declares it and its name; short: by symbol, its short name.
function name_all(   i, f, home, deep) {
	for (i = 1; i <= n; i++) {
		if (kind[i] != "w" || i in property)
			continue
		home = -1
		for (f = in_function[i]; f >= 0; f = f ? outer[f] : -1)
			if ((f, tok[i]) in declared)
				home = f
		if (home < 0) {
			taken[tok[i]]
			delete shorthand[i]
			continue
		}
		symbol[i] = home SUBSEP tok[i]
		home_of[i] = home
		for (f = in_function[i]; f != home; f = outer[f])
			if (!((f, symbol[i]) in uses)) {
				uses[f, symbol[i]]
				borrowed[f, ++borrows[f]] = symbol[i]
			}
	}
	# Outer functions first: what a function uses of those around it has a name then.
	for (deep = 0; deep <= deepest; deep++)
		for (i = 1; i <= n; i++)
			if (i in symbol && depth[home_of[i]] == deep && !(symbol[i] in short))
				short[symbol[i]] = free_name(home_of[i])
}

# A name that is free in a function: of two letters in the program.
function free_name(f,   i, k, name) {
	if (!(f in next_name)) {
		next_name[f] = f ? 0 : 52
		for (i = 1; i <= borrows[f]; i++)
			busy[f, short[borrowed[f, i]]]
	}
	do {
		k = next_name[f]++
		name = (k < 52 ? "" : substr(LETTERS, int(k / 52), 1)) substr(LETTERS, 1 + k % 52, 1)
	} while (name in taken || (f, name) in busy || name ~ /^(do|if|in|as|is|of)$/)
	busy[f, name]
	return name
}
