#include "fg-collapse/speedscope/jsonframe.h"

#include "fg-collapse/shape/jsonfields.h"

static void
read_exact(struct json *j, void *to)
{
	struct jsonframe *f = to;
	struct str s;

	f->is_exact = json_text(j, &s);
	if (f->is_exact)
		text_str(&f->exact, s);
}

static const struct json_field fields[] = {
    JSON_NEEDED_FIELD("name", TEXT, struct jsonframe, function),
    JSON_FIELD("file", TEXT, struct jsonframe, file),
    JSON_FIELD("line", INDEX, struct jsonframe, line),
    JSON_READ("fg", read_exact),
};

const struct frame *
jsonframe_read(struct jsonframe *f, struct json *j)
{
	f->function.len = f->file.len = f->exact.len = f->line = 0;
	f->is_exact = false;
	f->named = json_fields(j, fields, f) == NULL;
	f->frame = (struct frame){
	    .function = text_as_str(&f->function), .file = text_as_str(&f->file), .line = f->line};
	return &f->frame;
}

void
jsonframe_free(struct jsonframe *f)
{
	json_fields_free(fields, f);
	text_free(&f->exact);
}
