/*
 * Prints the row of the headers' CRuby in the table of common/runtime/ruby.c. HEADER declares its
 * structures: rb_mjit_min_header-N.h of ruby-dev up to 3.2, vm_core.h of a built source tree later.
 */
#include HEADER
#include <ruby/version.h>
#include <stddef.h>
#include <stdio.h>

#define SAME(type, field, value) _Static_assert(offsetof(type, field) == (value), #field)

typedef struct rb_iseq_constant_body body;

#if RUBY_API_VERSION_MAJOR < 3
#define EMBEDDED as.ary
#else
#define EMBEDDED as.embed.ary
#endif

SAME(rb_execution_context_t, tag, 24);
SAME(struct rb_iseq_struct, body, 16);
SAME(body, iseq_encoded, 8);
SAME(body, location.pathobj, 64);
SAME(body, location.base_label, 72);
SAME(body, location.label, 80);
SAME(body, location.first_lineno, 88);
SAME(rb_callable_method_entry_t, owner, 32);
SAME(rb_callable_method_entry_t, def, 16);
SAME(rb_method_definition_t, body.cfunc.func, 8);
SAME(rb_method_definition_t, original_id, 32);

int
main(void)
{
	const struct rb_iseq_constant_body *b = NULL;

	printf("{\"%d.%d.\", %zu, %zu, %zu, %zu, %zu, %s, %zu, %s, 1 << %d},\n",
	    RUBY_API_VERSION_MAJOR, RUBY_API_VERSION_MINOR, sizeof(rb_control_frame_t),
	    offsetof(body, insns_info.body), offsetof(body, insns_info.size),
	    offsetof(body, insns_info.succ_index_table), sizeof(struct iseq_insn_info_entry),
	    sizeof b->location.first_lineno == sizeof(VALUE) ? "true" : "false",
	    offsetof(struct RString, EMBEDDED),
	    offsetof(struct RString, EMBEDDED) == 16 ? "false" : "true",
	    __builtin_ctzl(RUBY_FL_SINGLETON));
	return 0;
}
