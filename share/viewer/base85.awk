# base85.awk: encodes bytes, decimal numbers as od -An -v -tu1 prints them, as text of a quarter
# more characters, which XML and C strings (after doubling backslashes) can hold: 4 bytes are 5
# digits of base 85, most significant first; n < 4 bytes at the end are n + 1 digits. The digits
# 0 to 19 are ( to ;, 20 to 82 are @ to ~, 83 and 84 are # and $. load.js decodes it.

BEGIN {
	for (i = 0; i < 85; i++)
		digit[i] = sprintf("%c", i < 20 ? 40 + i : i < 83 ? 44 + i : i - 48)
}

function put(n,    i, v, s) {
	v = number
	for (i = n; i < 4; i++)
		v *= 256
	for (i = 0; i < 5; i++) {
		s = digit[v % 85] s
		v = int(v / 85)
	}
	printf "%s", substr(s, 1, n + 1)
	number = held = 0
	if (++groups % 20 == 0)
		printf "\n"
}

{
	for (f = 1; f <= NF; f++) {
		number = number * 256 + $f
		if (++held == 4)
			put(4)
	}
}

END {
	if (held > 0)
		put(held)
	if (groups % 20 != 0)
		printf "\n"
}
