#include "fg-collapse/shape/jsframe.h"

#include <string.h>

#include "fg-collapse/shape/scan.h"
#include "sample/nodes.h"

uint32_t
jsframe_name(struct sampler *s, const struct frame *f, struct text *scratch)
{
	struct frame named = *f;

	if (str_starts(f->file, "file:///"))
		named.file = str_from(f->file, strlen("file://"));
	if (f->function.len > 0)
		return sample_name(s, &named);
	text_cut(scratch, 0);
	named.function = str_of("(anonymous)");
	frame_write(scratch, &named, &(struct frame_style){.source = true});
	return sample_name(s, &(struct frame){.function = text_as_str(scratch), .kind = f->kind});
}
