/* Perl subs c0 to c3 in C that call their first argument with the second, see lockstep.pl. */
#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

#ifndef G_LIST /* before 5.36 */
#define G_LIST G_ARRAY
#endif

static __attribute__((noinline)) void
call(pTHX_ SV *f, SV *d, int flags)
{
	dSP;

	ENTER;
	SAVETMPS;
	PUSHMARK(SP);
	XPUSHs(d);
	PUTBACK;
	call_sv(f, flags);
	FREETMPS;
	LEAVE;
	__asm__ volatile("");
}

#define C(n, flags)                                              \
	static __attribute__((noinline)) void c##n(pTHX_ CV *cv) \
	{                                                        \
		dXSARGS;                                         \
		if (items != 2)                                  \
			croak("two arguments");                  \
		call(aTHX_ ST(0), ST(1), flags);                 \
		__asm__ volatile("");                            \
		XSRETURN_EMPTY;                                  \
	}

C(0, G_VOID | G_DISCARD)
C(1, G_VOID | G_DISCARD | G_EVAL)
C(2, G_SCALAR | G_DISCARD)
C(3, G_LIST | G_DISCARD | G_EVAL | G_KEEPERR)

XS_EXTERNAL(boot_Callback)
{
	dXSARGS;

	PERL_UNUSED_VAR(items);
	newXS("main::c0", c0, __FILE__);
	newXS("main::c1", c1, __FILE__);
	newXS("main::c2", c2, __FILE__);
	newXS("main::c3", c3, __FILE__);
	XSRETURN_YES;
}
