/* Perl within another program: subs s6 and s7, which call back. For lockstep-mixed.py. */
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

static void (*callback)(void);

XS(call_back)
{
	dXSARGS;

	PERL_UNUSED_VAR(items);
	callback();
	XSRETURN_EMPTY;
}

PerlInterpreter *
mixed_perl(void (*function)(void))
{
	static char *arguments[] = {"", "-e", "0", NULL};
	static char **argv = arguments, *none[] = {NULL}, **env = none;
	static int argc = 3;
	PerlInterpreter *my_perl;

	callback = function;
	PERL_SYS_INIT3(&argc, &argv, &env);
	my_perl = perl_alloc();
	perl_construct(my_perl);
	perl_parse(my_perl, NULL, argc, argv, NULL);
	newXS("main::go", call_back, "mixed");
	eval_pv("sub s6 { go(); return 1 } sub s7 { eval { go() }; return 1 }", 1);
	return my_perl;
}

void
mixed_call(PerlInterpreter *my_perl, const char *name)
{
	dSP;

	PUSHMARK(SP);
	call_pv(name, G_VOID | G_DISCARD | G_NOARGS);
}
