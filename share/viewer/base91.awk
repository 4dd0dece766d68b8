# base91.awk: encodes bytes, decimal numbers as od -An -v -tu1 prints them, as text of 23 % more
# characters that XML holds without escapes: 13 bits, least significant first, are 2 digits of
# base 91, least significant first; at the end up to 6 bits are one digit. The digits are the
# characters from ! to ~ without &, < and >. load.js decodes it.

BEGIN {
	for (c = 33; c < 127; c++)
		if (c != 38 && c != 60 && c != 62)
			digit[digits++] = sprintf("%c", c)
	bit = 1
}

{
	for (f = 1; f <= NF; f++) {
		number += $f * bit
		bit *= 256
		if (bit < 8192)
			continue
		v = number % 8192
		number = int(number / 8192)
		bit /= 8192
		printf "%s%s", digit[v % 91], digit[int(v / 91)]
		if (++groups % 45 == 0)
			printf "\n"
	}
}

END { print (bit > 64 ? digit[number % 91] digit[int(number / 91)] : bit > 1 ? digit[number] : "") }
