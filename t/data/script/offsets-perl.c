/* Prints offsets of the installed Perl 5.36 as common/runtime/perl.c has them. */
#include "EXTERN.h"
#include "perl.h"
#include <stddef.h>
#include <stdio.h>
#undef printf

#define OFFSET(name, type, field) printf("%s %zu\n", name, offsetof(type, field))

int
main(void)
{
	OFFSET("INTERPRETER_OP", PerlInterpreter, Iop);
	OFFSET("INTERPRETER_COP", PerlInterpreter, Icurcop);
	OFFSET("INTERPRETER_STACK", PerlInterpreter, Icurstackinfo);
	OFFSET("INTERPRETER_ENVIRONMENT", PerlInterpreter, Itop_env);
	OFFSET("STACK_CONTEXTS", PERL_SI, si_cxstack);
	OFFSET("STACK_PREVIOUS", PERL_SI, si_prev);
	OFFSET("STACK_INDEX", PERL_SI, si_cxix);
	OFFSET("STACK_TYPE", PERL_SI, si_type);
	OFFSET("CONTEXT_SCOPE", PERL_CONTEXT, blk_oldscopesp);
	OFFSET("CONTEXT_COP", PERL_CONTEXT, blk_oldcop);
	OFFSET("CONTEXT_RETOP", PERL_CONTEXT, blk_sub.retop);
	OFFSET("CONTEXT_CV", PERL_CONTEXT, blk_sub.cv);
	OFFSET("CONTEXT_ENV", PERL_CONTEXT, blk_eval.cur_top_env);
	printf("CONTEXT_SIZE %zu\n", sizeof(PERL_CONTEXT));
	OFFSET("COP_LINE", COP, cop_line);
	OFFSET("COP_FILE", COP, cop_file);
	OFFSET("OP_FUNCTION", OP, op_ppaddr);
	OFFSET("CV_STASH", struct xpvcv, xcv_stash);
	OFFSET("CV_START", struct xpvcv, xcv_start_u);
	OFFSET("CV_NAME", struct xpvcv, xcv_gv_u);
	OFFSET("CV_FILE", struct xpvcv, xcv_file);
	OFFSET("CV_FLAGS", struct xpvcv, xcv_flags);
	OFFSET("GV_NAME", XPVGV, xiv_u.xivu_namehek);
	OFFSET("GV_STASH", XPVGV, xnv_u.xgv_stash);
	OFFSET("HEK_LENGTH", struct hek, hek_len);
	OFFSET("HEK_KEY", struct hek, hek_key);
	return 0;
}
