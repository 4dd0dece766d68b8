/* Prints the row of the headers' PHP in the table of common/runtime/php.c. */
#include <php.h>
#include <php_version.h>
#include <stddef.h>
#include <stdio.h>
#include <zend_execute.h>
#include <zend_globals.h>

#define SAME(type, field, value) _Static_assert(offsetof(type, field) == (value), #field)

SAME(zend_execute_data, func, 24);
SAME(zend_execute_data, This.u1.type_info, 40);
SAME(zend_execute_data, prev_execute_data, 48);
SAME(zend_function, common.function_name, 8);
SAME(zend_function, common.scope, 16);
SAME(zend_class_entry, name, 8);
SAME(zend_string, gc.u.type_info, 4);
SAME(zend_string, len, 16);
SAME(zend_string, val, 24);
SAME(zend_op, lineno, 24);
_Static_assert(sizeof(zend_op) == 32, "zend_op");
_Static_assert(ZEND_CALL_TOP == 0x20000, "ZEND_CALL_TOP");

int
main(void)
{
	printf("{\"%d.%d\", %zu, %zu, %zu, %zu, %zu, %zu, %zu},\n", PHP_MAJOR_VERSION,
	    PHP_MINOR_VERSION, offsetof(zend_executor_globals, current_execute_data),
	    offsetof(zend_executor_globals, exception_op[0].handler),
	    offsetof(zend_internal_function, handler), offsetof(zend_function, op_array.last),
	    offsetof(zend_function, op_array.opcodes), offsetof(zend_function, op_array.filename),
	    offsetof(zend_function, op_array.line_start));
	return 0;
}
