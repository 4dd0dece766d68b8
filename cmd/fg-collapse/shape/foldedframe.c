/*
 * foldedframe: annotations are taken out, and those that are wanted put back.
 */
#include "fg-collapse/shape/foldedframe.h"

uint32_t
foldedframe_name(struct sampler *s, struct str frame)
{
	static const char letters[] = "kjilw"; /* in the order of ANNOTATE_* */
	struct text t = {0};
	uint32_t name;

	if (s->options->style.annotate == ANNOTATE_ALL)
		return calltree_intern(s->tree, frame.s, frame.len);
	text_str(&t, frame);
	text_cut(&t, frame_drop_annotations(t.s, t.len));
	for (unsigned i = 0; letters[i] != '\0'; i++)
		if (s->options->style.annotate & 1u << i &&
		    frame_annotated(frame.s, frame.len, letters[i]))
			text_printf(&t, "_[%c]", letters[i]);
	name = calltree_intern(s->tree, t.s, t.len);
	text_free(&t);
	return name;
}
