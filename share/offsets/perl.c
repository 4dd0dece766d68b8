/* Prints the row of the headers' Perl in the table of common/runtime/perl.c. */
#include "EXTERN.h"
#include "perl.h"
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#undef printf

#define SAME(type, field, value) _Static_assert(offsetof(type, field) == (value), #field)

SAME(PerlInterpreter, Iop, 8);
SAME(PERL_SI, si_cxstack, 8);
SAME(PERL_SI, si_prev, 16);
SAME(PERL_SI, si_cxix, 32);
SAME(PERL_SI, si_type, 44);
SAME(PERL_CONTEXT, blk_oldscopesp, 40);
SAME(PERL_CONTEXT, blk_oldcop, 16);
SAME(PERL_CONTEXT, blk_sub.retop, 48);
SAME(PERL_CONTEXT, blk_sub.cv, 72);
SAME(PERL_CONTEXT, blk_eval.cur_top_env, 96);
SAME(COP, cop_line, 36);
SAME(COP, cop_file, 48);
SAME(OP, op_ppaddr, 16);
SAME(struct xpvcv, xcv_stash, 32);
SAME(struct xpvcv, xcv_start_u, 40);
SAME(struct xpvcv, xcv_gv_u, 56);
SAME(struct xpvcv, xcv_file, 64);
SAME(struct xpvcv, xcv_flags, 92);
SAME(XPVGV, xiv_u.xivu_namehek, 32);
SAME(XPVGV, xnv_u.xgv_stash, 40);
SAME(struct hek, hek_len, 4);
SAME(struct hek, hek_key, 8);
_Static_assert(sizeof(PERL_CONTEXT) == 104, "PERL_CONTEXT");
_Static_assert(CXt_SUB == 9 && CXt_FORMAT == 10 && CXt_EVAL == 11, "context types");
_Static_assert(CXp_TRYBLOCK == 0x40 && CXp_SUB_RE_FAKE == 0x80 && PERLSI_MAIN == 1, "flags");
_Static_assert(CVf_NAMED == 0x8000 && SVf_OOK == 0x2000000, "flags");

int
main(void)
{
	printf("{%d, %zu, %zu, %zu},\n", PERL_VERSION, offsetof(PerlInterpreter, Icurcop),
	    offsetof(PerlInterpreter, Icurstackinfo),
	    offsetof(PerlInterpreter, Itop_env) + 144 - sizeof(struct stat));
	return 0;
}
