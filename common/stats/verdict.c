#include "stats/verdict.h"

bool
verdict_marks_stack(int function, double base, double head)
{
	int direction = (head > base) - (head < base);

	return direction == 0 || direction != function;
}

int
verdict_of_mark(bool marked, double base, double head)
{
	return marked ? 0 : (head > base) - (head < base);
}
