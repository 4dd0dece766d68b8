# embed.awk: the viewer's scripts in, the same program out as C strings, without comments
# (they stand on lines of their own), without what JavaScript does not need (space, the next
# `let` in a row, long words for true and false), and
# with short names for what is only a name inside: a reader reads the source, the picture
# carries this.
#
# A name has one short name wherever it stands: never a word of the language or a name of
# the browser. Properties and keys keep theirs (a shorthand {a} becomes {a:x}), but for the
# ones listed here, which no string, no link and no browser knows.

BEGIN {
	n = 0
	split("arguments async await break case catch class const constructor continue default delete " \
	    "do else extends false finally for function get if in instanceof let new null of " \
	    "return set static super switch this throw true try typeof undefined void while yield " \
	    "Array Blob Boolean DOMParser Date Float64Array Infinity Int32Array JSON Map Math NaN Number Object " \
	    "Promise RegExp ResizeObserver Set String TextEncoder URL URLSearchParams Uint16Array " \
	    "Uint8Array Worker clearTimeout document history isFinite location navigator performance " \
	    "requestAnimationFrame setTimeout window", words, " ")
	for (i in words)
		keep[words[i]] = 1
	split("blends body child classes columns deepest depth done drop end extent fgClass fgText file " \
	    "finish flags group hi hits labelPool level lo means module name nameOf names node offset " \
	    "options paint pane parent parts root rows run span sum sums tall text timeOrder tree", words, " ")
	for (i in words)
		inner[words[i]] = 1
	literal["true"] = "!0"
	literal["false"] = "!1"
	literal["undefined"] = "void 0"
	split("return typeof case of in do else", words, " ")
	for (i in words)
		operator[words[i]] = 1
}

function token(text, kind) {
	T[n] = text
	K[n++] = kind
}

# The rest of a template up to its end or its next ${, taken the line.
function template(line,    i) {
	for (i = 1; i <= length(line); i++) {
		if (substr(line, i, 1) == "\\")
			i++
		else if (substr(line, i, 1) == "`" || substr(line, i, 2) == "${") {
			inside = substr(line, i, 1) == "$"
			if (inside)
				hole[++holes] = braces
			open = 0
			i += inside
			token(chunk substr(line, 1, i), "template")
			chunk = ""
			return substr(line, i + 1)
		}
	}
	chunk = chunk line
	return ""
}

# Whether a slash after the last token begins a regular expression.
function slash_begins() {
	return n == 0 || K[n - 1] == "sign" && T[n - 1] !~ /^[])}]$/ || T[n - 1] in operator
}

{
	line = $0
	sub(/^[ \t]+/, "", line)
	if (!open && (comment || line ~ /^\/\*/)) {
		comment = line !~ /\*\/$/
		next
	}
	while (line != "") {
		if (open) {
			line = template(line)
			continue
		}
		c = substr(line, 1, 1)
		if (match(line, /^[ \t]+/))
			;
		else if (match(line, /^[A-Za-z_$][A-Za-z0-9_$]*/))
			token(substr(line, 1, RLENGTH), "word")
		else if (match(line, /^[0-9][0-9A-Za-z.]*/))
			token(substr(line, 1, RLENGTH), "number")
		else if (match(line, /^'([^'\\]|\\.)*'/) || match(line, /^"([^"\\]|\\.)*"/))
			token(substr(line, 1, RLENGTH), "string")
		else if (c == "`") {
			open = 1
			chunk = "`"
			RLENGTH = 1
		} else if (c == "/" && slash_begins() &&
		    match(line, /^\/([^\/\\[]|\\.|\[([^]\\]|\\.)*\])+\/[a-z]*/))
			token(substr(line, 1, RLENGTH), "regex")
		else if (match(line, /^(\.\.\.|=>|\+\+|--)/))
			token(substr(line, 1, RLENGTH), "sign")
		else {
			RLENGTH = 1
			if (c == "{")
				braces++
			if (c == "}" && holes && hole[holes] == braces) {
				holes--
				open = 1
				chunk = "}"
			} else {
				braces -= c == "}"
				token(c, "sign")
			}
		}
		line = substr(line, RLENGTH + 1)
	}
	if (open)
		chunk = chunk "\n"
}

# Whether a brace opens an object or a pattern, not statements.
function is_object(i) {
	return T[i - 1] !~ /^([)};{]|=>|else|do|try|finally|catch)$/ && i > 0
}

# What a word is: a name inside, a property or key, or both in one.
function role_of(i) {
	if (T[i - 1] == ".")
		return "property"
	if (where[i] != "object" || T[i - 1] !~ /^[{,]$/ || T[i + 1] !~ /^[:,}=(]$/)
		return "name"
	return T[i + 1] ~ /^[:(]$/ ? "property" : "both"
}

# Whether a declaration ends here that the next one can go on with: let a=1;let b=2.
# declaring[] is kept by depth, level[] is each token's.
function is_declared_on(i) {
	if (T[i] == "let" || T[i] == "{")
		declaring[level[i]] = T[i] == "let" && where[i] != "list"
	if (T[i] != ";" || !declaring[level[i]])
		return 0
	return declaring[level[i]] = T[i + 1] == "let"
}

# The k-th short name.
function short(k,    s) {
	for (s = ""; k >= 0; k = int(k / 52) - 1)
		s = substr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", k % 52 + 1, 1) s
	return s
}

function put(text) {
	if (text ~ /^[A-Za-z0-9_$]/ && last ~ /[A-Za-z0-9_$]$/ || (text ~ /^[+-]/ && last == text))
		text = " " text
	if (text == "}" && last ~ /[;,]/) # no loop here has an empty body
		out = substr(out, 1, length(out) - 1)
	if (text == ">" && out ~ /\]\]$/) # which would end the CDATA section
		text = " >"
	out = out text
	last = substr(text, length(text))
	if (length(out) > 2000 && text ~ /^[;{]$/)
		flush()
}

function flush() {
	gsub(/[\\"]/, "\\\\&", out)
	gsub(/\n/, "\\n", out)
	if (out != "")
		print "\"" out "\\n\""
	out = last = ""
}

# Shorten the words that save the most first; seen[] is how often each stands as a name,
# both[] how often its property has to be written beside it.
function name_words(    w, f, m, i, j, s, words, bucket) {
	for (w in seen)
		if (!(w in keep) && length(w) > 1)
			bucket[seen[w]] = bucket[seen[w]] " " w
	for (f = n; f > 0; f--) {
		m = split(bucket[f], words, " ")
		for (i = 2; i <= m; i++)
			for (j = i; j > 1 && words[j] < words[j - 1]; j--) {
				w = words[j]
				words[j] = words[j - 1]
				words[j - 1] = w
			}
		for (i = 1; i <= m; i++) {
			w = words[i]
			do
				s = short(next_short++)
			while (s in keep || s in used)
			if (seen[w] * (length(w) - length(s)) > both[w] * (length(s) + 1))
				name[w] = s
		}
	}
}

END {
	for (i = 0; i < n; i++) {
		if (T[i] == "const")
			T[i] = "let"
		if (K[i] == "word" && T[i] in literal) {
			T[i] = literal[T[i]]
			K[i] = "literal"
		}
		if (T[i] == "{" && K[i] == "sign")
			kind[++depth] = is_object(i) ? "object" : "block"
		else if (T[i] ~ /^[[(]$/ && K[i] == "sign")
			kind[++depth] = "list"
		else if (T[i] ~ /^[])}]$/ && K[i] == "sign")
			depth--
		where[i] = kind[depth]
		level[i] = depth
		if (K[i] != "word")
			continue
		used[T[i]] = 1
		role[i] = T[i] in inner ? "name" : role_of(i)
		if (role[i] != "property")
			seen[T[i]]++
		if (role[i] == "both")
			both[T[i]]++
	}
	name_words()
	print "\"(function(){\\\"use strict\\\";\""
	for (i = 0; i < n; i++) {
		if (is_declared_on(i)) {
			put(",")
			i++
			continue
		}
		short_name = K[i] == "word" && role[i] != "property" && T[i] in name ? name[T[i]] : ""
		if (short_name == "")
			put(T[i])
		else if (role[i] == "both")
			put(T[i] ":" short_name)
		else
			put(short_name)
	}
	flush()
	print "\"})();\\n\""
}
