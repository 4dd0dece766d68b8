/*
 * php: walks the execute_data of the Zend engine, for the one thread that runs scripts.
 *
 * An execute_data with ZEND_CALL_TOP ends the frames of one invocation of execute_ex.
 * execute_ex has the current execute_data in r14 (a global register variable, in builds with
 * GCC), so the unwound r14 of its native frame identifies its group.
 *
 * Opcache's JIT code runs on the native frame of execute_ex, which jumps to it.
 *
 * An extension may set zend_execute_ex to a function of its own, as Xdebug does, which calls
 * execute_ex. While that function works, its group has no execute_ex yet.
 */
#include "runtime/php.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

#define EVALS 512 /* native frames of execute_ex */
#define TEXT_MAX 256 /* bytes of a name or a path */

#define INTERNAL_FUNCTION 1 /* ZEND_INTERNAL_FUNCTION */
#define USER_FUNCTION 2 /* ZEND_USER_FUNCTION */
#define EVAL_CODE 4 /* ZEND_EVAL_CODE */
#define CALL_TOP 0x20000 /* ZEND_CALL_TOP in This.u1.type_info */

/*
 * Offsets by version. 8.2: offsetof with php-dev's headers, compared by
 * t/data/script/offsets-php.c. The others are those of opentelemetry-ebpf-profiler
 * (interpreter/php/php.go), not verified here, and disabled.
 */
enum {
	GLOBALS_CURRENT = 488, /* executor_globals.current_execute_data */
	GLOBALS_EXCEPTION_HANDLER = 888, /* executor_globals.exception_op[0].handler */
	DATA_FUNC = 24, /* zend_execute_data: opline 0 */
	DATA_CALL_INFO = 40,
	DATA_PREVIOUS = 48,
	DATA_BYTES = 80,
	FUNC_NAME = 8, /* zend_function: type 0 */
	FUNC_SCOPE = 16,
	FUNC_HANDLER = 72,
	FUNC_OPLINES = 80, /* their number, of zend_op_array */
	FUNC_OPCODES = 88,
	FUNC_FILE = 152,
	FUNC_LINE = 160,
	FUNC_BYTES = 168,
	CLASS_NAME = 8,
	STRING_LENGTH = 16,
	STRING_TEXT = 24,
	OPLINE_LINE = 24,
	OPLINE_BYTES = 32,
};

struct php {
	struct runtime_process *process;
	uint64_t globals; /* address of executor_globals */
	uint64_t loop, loop_size; /* address and bytes of execute_ex */
	uint64_t hook; /* address of the pointer zend_execute_ex; 0: not found */
	const struct module *module; /* the file with it */
	uint64_t size; /* bytes of its native frame; 0: not seen yet */
};

static bool
is_module(const char *name)
{
	return strncmp(name, "php", 3) == 0 || strncmp(name, "libphp", 6) == 0;
}

/* The version is in a string that PHP sends as HTTP header: "X-Powered-By: PHP/8.2.36". */
static bool
find_version(const struct runtime_module *m, char *to, size_t size)
{
	static const char header[] = "X-Powered-By: PHP/";
	Elf *elf = module_elf(m->module);
	size_t n = 0, length;
	const char *file = elf == NULL ? NULL : elf_rawfile(elf, &n);
	const char *found = file == NULL ? NULL : memmem(file, n, header, sizeof header - 1);

	if (found == NULL)
		return false;
	found += sizeof header - 1;
	length = strnlen(found, (size_t)(file + n - found));
	snprintf(to, size, "%.*s", (int)(length < size ? length : size - 1), found);
	return true;
}

static void *
open_php(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct php *php;
		char version[16];

		if (!is_module(m->module->name) || !find_version(m, version, sizeof version))
			continue;
		php = cli_alloc(1, sizeof *php);
		php->process = p;
		php->module = m->module;
		php->globals = runtime_symbol(m, "executor_globals", NULL);
		php->loop = runtime_symbol(m, "execute_ex", &php->loop_size);
		php->hook = runtime_symbol(m, "zend_execute_ex", NULL);
		if (strncmp(version, "8.2.", 4) == 0 && php->globals != 0 && php->loop != 0)
			return php;
		snprintf(p->reason, sizeof p->reason,
		    strncmp(version, "8.2.", 4) != 0 ? "PHP %s is not supported (8.2 is)"
		    : runtime_symbol(m, "executor_globals_offset", NULL) != 0
			? "PHP %s with threads (ZTS) is not supported"
			: "PHP %s lacks the symbols of its engine",
		    version);
		free(php);
		return NULL;
	}
	return NULL;
}

static void
close_php(void *state)
{
	free(state);
}

/* One execute_data. */
struct data {
	uint64_t address, opline, func;
	bool internal;
	unsigned char b[FUNC_BYTES]; /* of func */
};

static uint64_t
field(const struct data *d, size_t offset)
{
	uint64_t v;

	memcpy(&v, d->b + offset, sizeof v);
	return v;
}

static bool
read_string(struct php *php, uint64_t string, char to[TEXT_MAX], struct str *s)
{
	uint64_t length = memory_u64(php->process->memory, string + STRING_LENGTH);

	*s = (struct str){to, length < TEXT_MAX ? (size_t)length : TEXT_MAX};
	if (string != 0 && memory_read(php->process->memory, string + STRING_TEXT, to, s->len))
		return true;
	s->len = 0;
	return false;
}

/* The line of an instruction; 0: it is not one of the function. */
static unsigned
line_of(struct php *php, const struct data *d, uint64_t opline)
{
	uint32_t n;

	memcpy(&n, d->b + FUNC_OPLINES, sizeof n);
	if (!php->process->lines || opline - field(d, FUNC_OPCODES) >= (uint64_t)n * OPLINE_BYTES)
		return 0;
	return memory_u32(php->process->memory, opline + OPLINE_LINE);
}

static uint32_t
name_of(struct php *php, const struct data *d, uint64_t opline)
{
	struct memory_reader *m = php->process->memory;
	char name[TEXT_MAX], class[TEXT_MAX], path[TEXT_MAX], full[TEXT_MAX * 2 + 3];
	struct str n = {0}, c = {0}, p = {0};
	unsigned first = 0, line = 0;

	if (field(d, FUNC_NAME) == 0)
		n = d->b[0] == EVAL_CODE ? str_of("eval") : str_of("{main}");
	else if (!read_string(php, field(d, FUNC_NAME), name, &n))
		return 0;
	if (field(d, FUNC_NAME) != 0 && field(d, FUNC_SCOPE) != 0 &&
	    read_string(php, memory_u64(m, field(d, FUNC_SCOPE) + CLASS_NAME), class, &c)) {
		int length =
		    snprintf(full, sizeof full, "%.*s::%.*s", (int)c.len, c.s, (int)n.len, n.s);

		n = (struct str){full, (size_t)length};
	}
	if (!d->internal) {
		read_string(php, field(d, FUNC_FILE), path, &p);
		memcpy(&first, d->b + FUNC_LINE, sizeof first);
		line = line_of(php, d, opline);
	}
	return script_name_add(php->process->names, n, p, first, line);
}

struct loops {
	int32_t native[EVALS];
	size_t n;
};

/*
 * True if a native frame is execute_ex, or its part for rare cases, which has call frame
 * information of its own: as large a frame, and r14 is not that of its caller.
 */
static bool
is_loop(struct php *php, const struct runtime_sample *at, size_t i)
{
	const struct native_frame *f = &at->native[i];
	uint64_t size = i + 1 < at->nnative ? f[1].sp - f->sp : 0;

	if (f->start == php->loop) {
		/* The leaf may be in its first instructions. Of JIT code only the size can differ.
		 */
		if (i > 0 && f->module == php->module)
			php->size = size;
		return true;
	}
	return size != 0 && size == php->size && f->module == php->module &&
	       f->reg[NATIVE_R14] != f[1].reg[NATIVE_R14];
}

static void
find_loops(struct php *php, const struct runtime_sample *at, struct loops *l)
{
	l->n = 0;
	for (size_t i = 0; i < at->nnative && l->n < EVALS; i++)
		if (is_loop(php, at, i))
			l->native[l->n++] = (int32_t)i;
}

/*
 * The native frame of execute_ex with a group's innermost script function in r14, from *next on;
 * SCRIPT_NATIVE_NONE: there is none. r14 has that function's caller while i_init_func_execute_data
 * of zend_execute.c enters it, and a function that it called while zend_leave_helper leaves that.
 */
static int32_t
loop_of(struct php *php, const struct runtime_sample *at, const struct loops *l, size_t *next,
    uint64_t innermost, uint64_t caller)
{
	for (size_t k = *next; k < l->n; k++) {
		uint64_t r14 = at->native[l->native[k]].reg[NATIVE_R14];

		if (r14 != innermost && (r14 != caller || r14 == 0) &&
		    memory_u64(php->process->memory, r14 + DATA_PREVIOUS) != innermost)
			continue;
		*next = k + 1;
		return l->native[k];
	}
	return SCRIPT_NATIVE_NONE;
}

/*
 * The native frame of an extension's zend_execute_ex that will call execute_ex for a group: the
 * outermost one between native frame `from` and the next execute_ex.
 */
static int32_t
hook_of(struct php *php, const struct runtime_sample *at, const struct loops *l, size_t next,
    int32_t from)
{
	uint64_t hook = php->hook != 0 ? memory_u64(php->process->memory, php->hook) : 0;
	int32_t to = next < l->n ? l->native[next] : (int32_t)at->nnative;

	if (hook != 0 && hook != php->loop)
		while (to-- > from)
			if (at->native[to].start == hook)
				return to;
	return SCRIPT_NATIVE_NONE;
}

/* The native frame of an internal function between two invocations of execute_ex. */
static int32_t
native_of(const struct runtime_sample *at, uint64_t handler, int32_t *from, int32_t to)
{
	for (int32_t i = *from; i < to && (size_t)i < at->nnative; i++)
		if (handler != 0 && at->native[i].start == handler) {
			*from = i + 1;
			return i;
		}
	return SCRIPT_NATIVE_NONE;
}

/*
 * The instruction that a function executes. The innermost function of a stack has it in r15, if it
 * runs in execute_ex itself; JIT code saves it only where PHP could report the line. 0: unknown.
 */
static uint64_t
opline_of(struct php *php, const struct runtime_sample *at, const struct data *d, int32_t native)
{
	if (native != SCRIPT_NATIVE_NONE && at->native[native].module != php->module)
		return 0;
	return native == 0 ? at->native[0].reg[NATIVE_R15] : d->opline;
}

/* Adds a group of n frames, innermost first. */
static void
add_group(struct php *php, const struct runtime_sample *at, const struct data *d, size_t n,
    const struct loops *l, size_t *next, int32_t *from, struct script_stack *s)
{
	size_t first = 0, second;
	int32_t native, hook, end;

	while (first < n && d[first].internal)
		first++;
	for (second = first + 1; second < n && d[second].internal;)
		second++;
	native = first < n ? loop_of(php, at, l, next, d[first].address,
				 second < n ? d[second].address : 0)
			   : SCRIPT_NATIVE_NONE;
	hook = native == SCRIPT_NATIVE_NONE ? hook_of(php, at, l, *next, *from) : native;
	if (!script_group(s, hook))
		return;
	if (hook != native) /* it calls the script's function: nothing is replaced */
		s->group[s->ngroup - 1].nnative = 0;
	end = hook != SCRIPT_NATIVE_NONE ? hook : (int32_t)at->nnative;
	for (size_t i = 0; i < n; i++) {
		uint64_t opline = s->nframe == 0 ? opline_of(php, at, &d[i], native) : d[i].opline;

		if (!script_frame(s, name_of(php, &d[i], opline),
			d[i].internal ? native_of(at, field(&d[i], FUNC_HANDLER), from, end)
				      : SCRIPT_NATIVE_NONE))
			return;
	}
	if (hook != SCRIPT_NATIVE_NONE)
		*from = hook + 1;
}

static bool
read_php(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct php *php = state;
	struct memory_reader *m = php->process->memory;
	uint64_t address = memory_u64(m, php->globals + GLOBALS_CURRENT);
	static struct data d[SCRIPT_FRAMES];
	struct loops loops;
	size_t n = 0, begin = 0, next = 0;
	int32_t from = 0;
	unsigned steps = 0;

	find_loops(php, at, &loops);
	if (at->tid != php->process->pid && loops.n == 0)
		return false; /* a library's thread */
	while (address != 0 && n < SCRIPT_FRAMES && steps++ < SCRIPT_FRAMES) {
		unsigned char b[DATA_BYTES];
		uint32_t info;
		struct data *it = &d[n];

		if (!memory_read(m, address, b, sizeof b)) {
			s->truncated = true;
			break;
		}
		it->address = address;
		memcpy(&it->opline, b, sizeof it->opline);
		memcpy(&it->func, b + DATA_FUNC, sizeof it->func);
		memcpy(&info, b + DATA_CALL_INFO, sizeof info);
		memcpy(&address, b + DATA_PREVIOUS, sizeof address);
		/* ZEND_INCLUDE_OR_EVAL's function is freed before it is left: no type then. */
		if (it->func != 0 && memory_read(m, it->func, it->b, sizeof it->b) &&
		    (it->b[0] == INTERNAL_FUNCTION || it->b[0] == USER_FUNCTION ||
			it->b[0] == EVAL_CODE)) {
			it->internal = it->b[0] == INTERNAL_FUNCTION;
			/*
			 * Generators and fibers have placeholders: internal functions without a
			 * name.
			 */
			if (!it->internal || field(it, FUNC_NAME) != 0)
				n++;
		}
		if ((info & CALL_TOP) != 0) {
			add_group(php, at, d + begin, n - begin, &loops, &next, &from, s);
			begin = n;
		}
	}
	if (n > begin)
		add_group(php, at, d + begin, n - begin, &loops, &next, &from, s);
	return s->nframe > 0;
}

/*
 * Opcache's JIT code continues execute_ex, with the execute_data in r14, and leaves it by jumps to
 * handlers of execute_ex, as that of exceptions (ZEND_VM_KIND_HYBRID, in builds with GCC).
 */
static uint64_t
shared_frame(void *state, const uint64_t reg[16])
{
	struct php *php = state;
	struct memory_reader *m = php->process->memory;
	uint64_t handler = memory_u64(m, php->globals + GLOBALS_EXCEPTION_HANDLER);
	uint64_t data = reg[NATIVE_R14];
	uint8_t type;

	if (handler - php->loop >= php->loop_size || data == 0 || data % 8 != 0)
		return 0;
	type = memory_u8(m, memory_u64(m, data + DATA_FUNC));
	return type == USER_FUNCTION || type == EVAL_CODE ? handler : 0;
}

const struct runtime runtime_php = {
    .name = "php",
    .needs_stop = true,
    .is_module = is_module,
    .open = open_php,
    .read = read_php,
    .close = close_php,
    .shared_frame = shared_frame,
};
