#include "fg-diff/answer.h"

const char *const answer_word[] = {"PASS", "FAIL", "CANNOT TELL", "CHANGED", "NO CHANGE"};

void
answer_free(struct answer *a)
{
	text_free(&a->reason);
	text_free(&a->more);
}
