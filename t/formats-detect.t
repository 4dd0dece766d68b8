#!/bin/sh
# Unsupported input: one line states what it is, and which format to use instead.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# Binary input is not parsed as text, even if its lines look like a text format.
printf '\037\001\n@a[\n  b\n]: 1\n\n\002' >junk
status 'control bytes: no text format claims the input' 2 fg-collapse junk
# magic NAME BYTES WORDS: a known type of file that is not a profile is named in one line.
magic() {
	printf "$2" >junk
	fg-collapse junk 2>said >/dev/null
	[ "$(wc -l <said)" = 1 ] && grep -qF -- "$3" said
	check "$1 is named, with what to read instead" test $? = 0
}
magic 'a tar archive' "$(printf '%257s' '')ustar" 'looks like a tar archive, which fg-collapse cannot read; use a file of the archive (tar -xf FILE)'
magic 'a zip archive' 'PK\003\004' 'use a file of the archive (unzip FILE)'
magic 'lz4' '\004"M\030abc' 'use the output of lz4 -dc FILE'
magic 'a core dump' '\177ELF\002' 'a core dump'
magic 'an SQLite database' 'SQLite format 3\000' 'an SQLite database'
magic 'a CTF trace' '\301\037\374\301' 'a CTF trace'
magic 'an event trace of Windows' "$(printf '%72s' '' | tr ' ' a)\002\000\002\300" 'an event trace of Windows'
magic 'a heap dump of Java' 'JAVA PROFILE 1.0.2\000' 'a heap dump of Java'
magic 'old .NET' '\024\000\000\000!FastSerialization.1' 'dotnet-trace'
printf 'hello\n\001\002\n' >junk
fg-collapse junk 2>said >/dev/null
output 'an unknown format gives one line' 'fg-collapse: junk: unknown format; fg-collapse -l lists the formats, -f selects one' cat said
done_testing
