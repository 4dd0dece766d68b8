#include "fg-collapse/speedscope/jsonframe.h"

#include "fg-collapse/shape/scan.h"

void
jsonframe_begin(struct jsonframe *f)
{
	f->frame = (struct frame){0};
	text_cut(&f->function, 0);
	text_cut(&f->file, 0);
}

bool
jsonframe_take(struct jsonframe *f, struct json *j, struct str key)
{
	uint32_t line;

	if (str_is(key, "name"))
		json_keep(j, &f->function);
	else if (str_is(key, "file"))
		json_keep(j, &f->file);
	else if (str_is(key, "line"))
		f->frame.line = json_index(j, &line) ? line : 0;
	else
		return false;
	return true;
}

const struct frame *
jsonframe_end(struct jsonframe *f)
{
	f->frame.function = text_as_str(&f->function);
	f->frame.file = text_as_str(&f->file);
	return &f->frame;
}

void
jsonframe_free(struct jsonframe *f)
{
	text_free(&f->function);
	text_free(&f->file);
}
