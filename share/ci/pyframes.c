/*
 * pyframes: functions of Python for callgrind, which sees only those of the interpreter. An
 * extension module, which share/ci/pyframes builds and lets Python 3.9 and later import at its
 * start. Each stack of Python functions gets a function of its own, pyframe_N, through which the
 * interpreter evaluates the innermost one: its inclusive cost is exactly that of the stack. The
 * file $FG_PYFRAMES.PID has a line "N PARENT NAME (FILE:LINE)" for each.
 *
 * Needs no headers of Python: declares functions of the stable ABI, and finds others by name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct object object; /* PyObject */
typedef object *evaluate(void *thread, void *frame, int throw);

extern object *PyObject_GetAttrString(object *, const char *);
extern const char *PyUnicode_AsUTF8AndSize(object *, intptr_t *);
extern long PyLong_AsLong(object *);
extern void PyErr_Clear(void);
extern void PyErr_Fetch(object **, object **, object **);
extern void PyErr_Restore(object *, object *, object *);
extern void Py_IncRef(object *);
extern void Py_DecRef(object *);
extern object *PyModule_Create2(void *, int);
extern const char *Py_GetVersion(void);

#define STACKS 16384 /* further ones are a part of their caller */
#define INDEX 65536 /* a power of two */
#define BYTES 16 /* of each pyframe_N */
#define CODE_OF_311 4 /* words before f_code in the frames of Python 3.11 */

#ifdef __x86_64__
#define CALL "push %rax\n call pyframes_interpret\n pop %rcx\n ret\n"
#define JUMP "jmp *pyframes_real(%rip)\n"
#elif defined __aarch64__
#define CALL "stp x29, x30, [sp, -16]!\n bl pyframes_interpret\n ldp x29, x30, [sp], 16\n ret\n"
#define JUMP "adrp x16, pyframes_real\n ldr x16, [x16, :lo12:pyframes_real]\n br x16\n"
#else
#error "pyframes knows x86-64 and arm64"
#endif
#define TEXT(x) #x
#define NUMBER(x) TEXT(x)
__asm__(".text\n .balign 16\n .hidden pyframes_real\n"
	".type pyframes_interpret, %function\n pyframes_interpret:\n" JUMP
	".size pyframes_interpret, . - pyframes_interpret\n"
	".altmacro\n .macro pyframe n\n .balign 16\n .type pyframe_\\n, %function\n"
	"pyframe_\\n:\n" CALL ".size pyframe_\\n, . - pyframe_\\n\n .endm\n"
	".balign 16\n .globl pyframes_first\n .hidden pyframes_first\n pyframes_first:\n"
	".set i, 0\n .rept " NUMBER(STACKS) "\n pyframe %i\n .set i, i + 1\n .endr\n"
					    ".noaltmacro\n");
extern const char pyframes_first[];
evaluate *pyframes_real __attribute__((visibility("hidden"))); /* the interpreter's function */

static object *(*code_of)(void *frame); /* returns a new reference */
static struct {
	object *code;
	uint32_t parent, stack;
} entry[INDEX];
static uint32_t stacks = 1; /* 0: none */
static __thread uint32_t current;
static char *names; /* the lines so far, for forked processes */
static size_t length, size;
static int file = -1;
static const char *path; /* $FG_PYFRAMES */

static void
put(size_t from)
{
	for (ssize_t n; file >= 0 && from < length; from += (size_t)n)
		if ((n = write(file, names + from, length - from)) <= 0)
			return;
}

static void
open_file(void)
{
	char to[4096];

	if (file >= 0)
		close(file);
	snprintf(to, sizeof to, "%s.%ld", path, (long)getpid());
	file = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	put(0);
}

/* Appends an attribute of a code object, without the separators of folded stacks; false: none. */
static int
attribute(object *code, const char *key)
{
	object *value = PyObject_GetAttrString(code, key);
	const char *s = value != NULL ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
	int found = s != NULL;

	for (; s != NULL && *s != '\0' && length + 100 < size; s++)
		names[length++] = (char)(*s == ';' ? ':' : (unsigned char)*s < ' ' ? ' ' : *s);
	if (value != NULL)
		Py_DecRef(value);
	PyErr_Clear();
	return found;
}

static void
name_stack(object *code, uint32_t stack, uint32_t parent)
{
	object *error[3], *line; /* a generator may be resumed to raise an exception */
	size_t from = length;

	if (size - length < 8192) {
		char *more = realloc(names, size + (1 << 20));

		if (more == NULL)
			return;
		names = more;
		size += 1 << 20;
	}
	PyErr_Fetch(&error[0], &error[1], &error[2]);
	length += (size_t)sprintf(names + length, "%u %u ", stack, parent);
	if (!attribute(code, "co_qualname")) /* from 3.11 on */
		attribute(code, "co_name");
	length += (size_t)sprintf(names + length, " (");
	attribute(code, "co_filename");
	line = PyObject_GetAttrString(code, "co_firstlineno");
	length +=
	    (size_t)sprintf(names + length, ":%ld)\n", line != NULL ? PyLong_AsLong(line) : 0);
	if (line != NULL)
		Py_DecRef(line);
	PyErr_Clear();
	PyErr_Restore(error[0], error[1], error[2]);
	put(from);
}

/* The stack of a code object that the current one calls; the current one if there are too many. */
static uint32_t
find_stack(object *code)
{
	size_t at = ((uintptr_t)code >> 4) + (size_t)current * 40503;

	for (at &= INDEX - 1; entry[at].code != NULL; at = (at + 1) & (INDEX - 1))
		if (entry[at].code == code && entry[at].parent == current)
			return entry[at].stack;
	if (stacks == STACKS)
		return current;
	Py_IncRef(code); /* its address stays its own */
	entry[at].code = code;
	entry[at].parent = current;
	entry[at].stack = stacks++;
	name_stack(code, entry[at].stack, current);
	return entry[at].stack;
}

static object *
evaluate_frame(void *thread, void *frame, int throw)
{
	object *code = code_of(frame), *result;
	uint32_t caller = current, stack = find_stack(code);

	Py_DecRef(code);
	if (stack == caller)
		return pyframes_real(thread, frame, throw);
	current = stack;
	result =
	    ((evaluate *)(uintptr_t)(pyframes_first + (size_t)stack * BYTES))(thread, frame, throw);
	current = caller;
	return result;
}

static object *
code_of_311(void *frame)
{
	object *code = ((object **)frame)[CODE_OF_311];

	Py_IncRef(code);
	return code;
}

static void *
find(const char *symbol)
{
	return dlsym(RTLD_DEFAULT, symbol);
}

static void
install(void)
{
	void *(*interpreter)(void) = (void *(*)(void))find("PyInterpreterState_Get");
	void (*set)(void *, evaluate *) =
	    (void (*)(void *, evaluate *))find("_PyInterpreterState_SetEvalFrameFunc");
	const char *version = Py_GetVersion();

	path = getenv("FG_PYFRAMES");
	pyframes_real = (evaluate *)find("_PyEval_EvalFrameDefault");
	code_of = (object * (*)(void *)) find("PyUnstable_InterpreterFrame_GetCode");
	if (strncmp(version, "3.11.", 5) == 0)
		code_of = code_of_311;
	else if (strncmp(version, "3.9.", 4) == 0 || strncmp(version, "3.10.", 5) == 0)
		code_of = (object * (*)(void *)) find("PyFrame_GetCode");
	if (path == NULL || interpreter == NULL || set == NULL || pyframes_real == NULL ||
	    code_of == NULL)
		return;
	open_file();
	pthread_atfork(NULL, NULL, open_file);
	set(interpreter(), evaluate_frame);
}

/* struct PyModuleDef of the stable ABI. */
static struct {
	struct {
		intptr_t references;
		void *type, *init;
		intptr_t index;
		void *copy;
	} base;
	const char *name, *doc;
	intptr_t size;
	void *methods, *slots, *traverse, *clear, *free;
} definition = {.base = {.references = 1}, .name = "pyframes", .size = -1};

object *PyInit_pyframes(void);
object *
PyInit_pyframes(void)
{
	install();
	return PyModule_Create2(&definition, 1013);
}
