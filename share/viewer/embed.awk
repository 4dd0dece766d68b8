# embed.awk: the viewer's source in, the same without comments (which stand on lines of
# their own), indentation and empty lines out. No line of a text that matters begins with
# a space, a slash and a star.

{ sub(/^[ \t]+/, "") }
inside || /^\/\*/ {
	inside = !/\*\/$/
	next
}
/./
