#include "fg-collapse/shape/pythonframe.h"

#include "fg-collapse/shape/scan.h"

void
pythonframe_text(struct text *t, struct str function, struct str file, struct str line)
{
	text_cut(t, 0);
	text_str(t, function);
	if (function.len > 0)
		text_puts(t, " (");
	text_str(t, file);
	if (line.len > 0) {
		text_char(t, ':');
		text_str(t, line);
	}
	if (function.len > 0)
		text_char(t, ')');
}

void
pythonframe_parts(struct stack *stack, struct str function, struct str file, struct str line)
{
	pythonframe_text(&stack->function, function, file, line);
	stack_frame(stack, &(struct frame){.function = text_as_str(&stack->function)});
}

bool
pythonframe_add(struct stack *stack, struct str s)
{
	struct str file, line, function = {0};
	size_t end;
	uint64_t n;

	if (!scan_word(&s, "File \""))
		return false;
	end = str_find_last(s, "\", line ");
	if (end == s.len)
		return false;
	file = (struct str){s.s, end};
	line = s = str_from(s, end + strlen("\", line "));
	if (!scan_number(&s, &n) && !scan_word(&s, "???"))
		return false;
	line.len -= s.len;
	if (str_is(line, "???"))
		line.len = 0;
	if (scan_word(&s, ", in ") || scan_word(&s, " in "))
		function = s;
	pythonframe_parts(stack, function, file, line);
	return true;
}
