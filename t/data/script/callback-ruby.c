/* Ruby methods c0 to c5 in C that call back, for the lockstep tests of t/unit/script.c. */
#include <ruby.h>

#define KEEP __asm__ volatile("") /* a call, not a jump */
#define C(n) __attribute__((noinline)) static VALUE c##n(VALUE self, VALUE d)

C(0)
{
	VALUE v = rb_funcall(self, rb_intern("s0"), 1, d);

	KEEP;
	return v;
}

static VALUE
call_s1(VALUE d)
{
	return rb_funcall(rb_gv_get("$main"), rb_intern("s1"), 1, d);
}

C(1)
{
	int state = 0;
	VALUE v = rb_protect(call_s1, d, &state);

	(void)self;
	KEEP;
	return v;
}

C(2)
{
	VALUE v = rb_yield(d);

	(void)self;
	KEEP;
	return v;
}

static VALUE
nothing(VALUE d)
{
	return d;
}

C(3)
{
	VALUE v = rb_ensure(call_s1, d, nothing, d);

	(void)self;
	KEEP;
	return v;
}

C(4)
{
	VALUE v = rb_rescue(call_s1, d, nothing, d);

	(void)self;
	KEEP;
	return v;
}

C(5)
{
	VALUE v = rb_eval_string("$block.call");

	(void)self;
	(void)d;
	KEEP;
	return v;
}

void
Init_callback(void)
{
	rb_define_method(rb_cObject, "c0", c0, 1);
	rb_define_method(rb_cObject, "c1", c1, 1);
	rb_define_method(rb_cObject, "c2", c2, 1);
	rb_define_method(rb_cObject, "c3", c3, 1);
	rb_define_method(rb_cObject, "c4", c4, 1);
	rb_define_method(rb_cObject, "c5", c5, 1);
}
