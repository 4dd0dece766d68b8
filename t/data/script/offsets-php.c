/* Prints offsets of the installed PHP 8.2 as common/runtime/php.c has them. */
#include <php.h>
#include <stddef.h>
#include <stdio.h>
#include <zend_execute.h>
#include <zend_globals.h>

#define OFFSET(name, type, field) printf("%s %zu\n", name, offsetof(type, field))

int
main(void)
{
	OFFSET("GLOBALS_CURRENT", zend_executor_globals, current_execute_data);
	OFFSET("GLOBALS_EXCEPTION_HANDLER", zend_executor_globals, exception_op[0].handler);
	OFFSET("DATA_FUNC", zend_execute_data, func);
	OFFSET("DATA_CALL_INFO", zend_execute_data, This.u1.type_info);
	OFFSET("DATA_PREVIOUS", zend_execute_data, prev_execute_data);
	printf("DATA_BYTES %zu\n", sizeof(zend_execute_data));
	OFFSET("FUNC_NAME", zend_function, common.function_name);
	OFFSET("FUNC_SCOPE", zend_function, common.scope);
	OFFSET("FUNC_HANDLER", zend_internal_function, handler);
	OFFSET("FUNC_OPLINES", zend_function, op_array.last);
	OFFSET("FUNC_OPCODES", zend_function, op_array.opcodes);
	OFFSET("FUNC_FILE", zend_function, op_array.filename);
	OFFSET("FUNC_LINE", zend_function, op_array.line_start);
	OFFSET("CLASS_NAME", zend_class_entry, name);
	OFFSET("STRING_LENGTH", zend_string, len);
	OFFSET("STRING_TEXT", zend_string, val);
	OFFSET("OPLINE_LINE", zend_op, lineno);
	printf("OPLINE_BYTES %zu\n", sizeof(zend_op));
	return 0;
}
