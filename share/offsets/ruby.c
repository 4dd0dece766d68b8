/* Prints offsets of the installed CRuby 3.1 as common/runtime/ruby.c has them. */
#include HEADER
#include <stddef.h>
#include <stdio.h>

#define OFFSET(name, type, field) printf("%s %zu\n", name, offsetof(type, field))

typedef struct rb_iseq_constant_body body;

int
main(void)
{
	OFFSET("CONTEXT_TAG", rb_execution_context_t, tag);
	printf("CONTROL_SIZE %zu\n", sizeof(rb_control_frame_t));
	OFFSET("ISEQ_BODY", struct rb_iseq_struct, body);
	OFFSET("BODY_ENCODED", body, iseq_encoded);
	OFFSET("BODY_PATH", body, location.pathobj);
	OFFSET("BODY_BASE_LABEL", body, location.base_label);
	OFFSET("BODY_LABEL", body, location.label);
	OFFSET("BODY_FIRST_LINE", body, location.first_lineno);
	OFFSET("BODY_LINES", body, insns_info.body);
	OFFSET("BODY_LINES_SIZE", body, insns_info.size);
	OFFSET("BODY_SUCCINCT", body, insns_info.succ_index_table);
	OFFSET("TAG_PREVIOUS", struct rb_vm_tag, prev);
	OFFSET("METHOD_OWNER", rb_callable_method_entry_t, owner);
	OFFSET("METHOD_DEFINITION", rb_callable_method_entry_t, def);
	OFFSET("DEFINITION_FUNCTION", rb_method_definition_t, body.cfunc.func);
	OFFSET("DEFINITION_ID", rb_method_definition_t, original_id);
	OFFSET("CLASS_EXTENSION", struct RClass, ptr);
	OFFSET("EXTENSION_VARIABLES", rb_classext_t, iv_tbl);
	OFFSET("TABLE_COUNT", struct st_table, entries_bound);
	OFFSET("TABLE_ENTRIES", struct st_table, entries);
	return 0;
}
