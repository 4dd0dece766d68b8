/*
 * foldedframe: removes all annotations, then adds the requested ones again.
 */
#include "fg-collapse/shape/foldedframe.h"

uint32_t
foldedframe_name(struct sampler *s, struct text *work, struct str frame)
{
	static const char letters[] = FRAME_ANNOTATIONS;

	if (s->options->style.annotate == ANNOTATE_ALL)
		return calltree_intern(s->tree, frame.s, frame.len);
	text_cut(work, 0);
	text_str(work, frame);
	text_cut(work, frame_drop_annotations(work->s, work->len));
	for (unsigned i = 0; letters[i] != '\0'; i++)
		if (s->options->style.annotate & 1u << i &&
		    frame_annotated(frame.s, frame.len, letters[i]))
			text_printf(work, "_[%c]", letters[i]);
	return calltree_intern(s->tree, work->s, work->len);
}
