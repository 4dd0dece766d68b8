/*
 * foldedframe: removes all annotations, then adds the requested ones again.
 */
#include "fg-collapse/shape/foldedframe.h"

uint32_t
foldedframe_name(struct sampler *s, struct text *work, struct str frame)
{
	if (s->options->style.annotate == ANNOTATE_ALL)
		return calltree_intern(s->tree, frame.s, frame.len);
	text_cut(work, 0);
	text_str(work, frame);
	text_cut(work, frame_drop_annotations(work->s, work->len));
	for (const struct frame_annotation *a = frame_annotations; a->letter != '\0'; a++)
		if (s->options->style.annotate & a->mask &&
		    frame_annotated(frame.s, frame.len, a->letter))
			text_puts(work, a->suffix);
	return calltree_intern(s->tree, work->s, work->len);
}
