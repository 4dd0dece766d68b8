#include "threadlabel/threadlabel.h"

bool
threadlabel_text(struct memory_reader *m, uint64_t address, uint64_t n, struct text *to)
{
	char bytes[THREADLABEL_MAX];
	const size_t most = n < sizeof bytes ? (size_t)n : sizeof bytes;

	if (!memory_read(m, address, bytes, most))
		return false;
	text_add(to, bytes, most);
	return true;
}
