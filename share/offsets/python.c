/* Prints the layout of the installed CPython (3.11 or 3.12) as common/runtime/python.c has it. */
#define Py_BUILD_CORE
#include <Python.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#include <stddef.h>
#include <stdio.h>

#define OFFSET(name, type, field) printf("    .%s = %zu,\n", name, offsetof(type, field))

int
main(void)
{
	printf("layout_3_%d = {\n", PY_MINOR_VERSION);
	OFFSET("interpreters", _PyRuntimeState, interpreters.head);
	OFFSET("next_interpreter", PyInterpreterState, next);
	OFFSET("threads", PyInterpreterState, threads.head);
	OFFSET("next_thread", PyThreadState, next);
	OFFSET("native_id", PyThreadState, native_thread_id);
	OFFSET("cframe", PyThreadState, cframe);
	OFFSET("current", _PyCFrame, current_frame);
	OFFSET("previous_cframe", _PyCFrame, previous);
	OFFSET("code", _PyInterpreterFrame, f_code);
	OFFSET("previous", _PyInterpreterFrame, previous);
	OFFSET("instruction", _PyInterpreterFrame, prev_instr);
	OFFSET("owner", _PyInterpreterFrame, owner);
#if PY_MINOR_VERSION == 11
	OFFSET("entry", _PyInterpreterFrame, is_entry);
#endif
	OFFSET("first_line", PyCodeObject, co_firstlineno);
	OFFSET("filename", PyCodeObject, co_filename);
	OFFSET("qualname", PyCodeObject, co_qualname);
	OFFSET("line_table", PyCodeObject, co_linetable);
	OFFSET("bytecode", PyCodeObject, co_code_adaptive);
	printf("    .ascii = %zu,\n    .compact = %zu};\n", sizeof(PyASCIIObject),
	    sizeof(PyCompactUnicodeObject));
	return 0;
}
