/* PHP functions c0 to c3 in C that call their first argument with the second, see lockstep.php. */
#include <php.h>

static ZEND_NAMED_FUNCTION(call)
{
	zval *f, *d, result;

	if (zend_parse_parameters(ZEND_NUM_ARGS(), "zz", &f, &d) != SUCCESS)
		return;
	ZVAL_UNDEF(&result);
	call_user_function(NULL, NULL, f, &result, 1, d);
	zval_ptr_dtor(&result);
	(void)return_value;
}

#define C(n)                                        \
	ZEND_FUNCTION(c##n)                         \
	{                                           \
		call(execute_data, return_value);   \
		__asm__ volatile(""); /* no jump */ \
	}

C(0)
C(1)
C(2)
C(3)

ZEND_BEGIN_ARG_INFO_EX(arguments, 0, 0, 2)
ZEND_ARG_INFO(0, f)
ZEND_ARG_INFO(0, d)
ZEND_END_ARG_INFO()

static const zend_function_entry functions[] = {ZEND_FE(c0, arguments) ZEND_FE(c1, arguments)
	ZEND_FE(c2, arguments) ZEND_FE(c3, arguments) ZEND_FE_END};

zend_module_entry callback_module_entry = {STANDARD_MODULE_HEADER, "callback", functions, NULL,
    NULL, NULL, NULL, NULL, "1", STANDARD_MODULE_PROPERTIES};

ZEND_GET_MODULE(callback)
