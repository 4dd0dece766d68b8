/*
 * Prints the layout of the headers' CPython (3.11, 3.12) as common/runtime/python.c has it; of
 * later versions the row of the indices of its _Py_DebugOffsets.
 */
#define Py_BUILD_CORE
#include <Python.h>
#if PY_MINOR_VERSION < 14
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#else
#include <internal/pycore_debug_offsets.h>
#endif
#include <stddef.h>
#include <stdio.h>

#if PY_MINOR_VERSION >= 13
#define INDEX(field) (offsetof(_Py_DebugOffsets, field) / 8)

_Static_assert(INDEX(free_threaded) == 2, "free_threaded");
_Static_assert(INDEX(runtime_state.interpreters_head) == 5, "interpreters_head");
_Static_assert(INDEX(interpreter_state.next) == 8, "next");
_Static_assert(INDEX(interpreter_state.threads_head) == 9, "threads_head");

int
main(void)
{
	printf("{%d, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu},\n",
	    PY_MINOR_VERSION, INDEX(thread_state.next), INDEX(thread_state.current_frame),
	    INDEX(thread_state.native_thread_id), INDEX(interpreter_frame.previous),
	    INDEX(interpreter_frame.executable), INDEX(interpreter_frame.instr_ptr),
	    INDEX(interpreter_frame.owner), INDEX(code_object.filename),
	    INDEX(code_object.qualname), INDEX(code_object.linetable),
	    INDEX(code_object.firstlineno), INDEX(code_object.co_code_adaptive),
	    INDEX(unicode_object.asciiobject_size));
	return 0;
}
#else

_Static_assert(sizeof(PyASCIIObject) == (PY_MINOR_VERSION < 12 ? 48 : 40), "python_str_layout");
_Static_assert(
    sizeof(PyCompactUnicodeObject) == (PY_MINOR_VERSION < 12 ? 72 : 56), "python_str_layout");

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
	printf("    .bytecode = %zu};\n", offsetof(PyCodeObject, co_code_adaptive));
	return 0;
}
#endif
