/*
 * php: walks the execute_data of the Zend engine. Without threads (NTS) one thread runs scripts;
 * with them (ZTS) each has its own globals, at an offset in what its key of pthread_getspecific(3)
 * leads to.
 *
 * An execute_data with ZEND_CALL_TOP ends the frames of one invocation of execute_ex.
 * execute_ex has the current execute_data in a register (a global register variable, in builds with
 * GCC), so the unwound register of its native frame identifies its group.
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

#include <libelf.h>

#include "base/cli.h"
#include "kernel/recipe.h"
#include "runtime/tls.h"

#define EVALS 512 /* native frames of execute_ex */
#define TEXT_MAX 256 /* bytes of a name or a path */

#define INTERNAL_FUNCTION 1 /* ZEND_INTERNAL_FUNCTION */
#define USER_FUNCTION 2 /* ZEND_USER_FUNCTION */
#define EVAL_CODE 4 /* ZEND_EVAL_CODE */
#define CALL_TOP 0x20000 /* ZEND_CALL_TOP in This.u1.type_info */

/*
 * Offsets by version, of NTS and ZTS builds: printed by share/offsets/offsets from the headers of
 * Debian's php-dev; 8.0, 8.1 and 8.3 from declarations of these versions, and never run.
 */
static const struct layout {
	const char *version;
	uint16_t current, handler; /* executor_globals: current_execute_data, exception_op[0] */
	uint16_t function; /* zend_internal_function.handler */
	uint16_t noplines, oplines, file, line; /* zend_op_array */
} layouts[] = {
    {"7.4", 488, 888, 48, 60, 64, 136, 144},
    {"8.0", 488, 888, 56, 68, 72, 144, 152},
    {"8.1", 488, 888, 56, 68, 72, 144, 152},
    {"8.2", 488, 888, 72, 80, 88, 152, 160},
    {"8.3", 488, 888, 72, 76, 80, 144, 152},
    {"8.4", 488, 960, 88, 96, 104, 168, 176},
    {"8.5", 512, 984, 88, 96, 104, 168, 176},
    {"8.6", 512, 1024, 88, 96, 104, 168, 176},
};

#define VERSIONS "7.4 to 8.6"

/* Offsets of all these versions. */
enum {
	DATA_FUNC = 24, /* zend_execute_data: opline 0 */
	DATA_CALL_INFO = 40,
	DATA_PREVIOUS = 48,
	DATA_BYTES = 56,
	FUNC_NAME = 8, /* zend_function: type 0 */
	FUNC_SCOPE = 16,
	FUNC_BYTES = 184,
	CLASS_NAME = 8,
	STRING_INFO = 4, /* gc.u.type_info */
	STRING_LENGTH = 16,
	STRING_TEXT = 24,
	OPLINE_LINE = 24,
	OPLINE_BYTES = 32,
};

#define TYPE_STRING 6 /* IS_STRING, in the lowest four bits of STRING_INFO */
#define STRING_MAX 65536 /* bytes of a path, at most */

struct php {
	struct runtime_process *process;
	const struct layout *at;
	bool threads; /* ZTS: each thread has its globals */
	uint64_t globals; /* address of executor_globals, of the last thread that was read */
	/* With threads: address of their key, and of the offset of their globals, which is 0 at
	 * first. */
	uint64_t key, offset;
	struct tls tls;
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

/* The layout of a version, as "8.4.27"; NULL: it is unknown. */
static const struct layout *
layout_of(const char *version)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		size_t n = strlen(layouts[i].version);

		if (strncmp(version, layouts[i].version, n) == 0 && version[n] == '.')
			return &layouts[i];
	}
	return NULL;
}

static void
close_php(void *state)
{
	struct php *php = state;

	tls_close(&php->tls);
	free(php);
}

/*
 * The globals of a thread are at executor_globals_offset in what tsrm_get_ls_cache returns, the
 * value of a key that it takes from a static variable.
 */
static bool
find_threads(struct php *php, const struct runtime_module *m)
{
	const struct runtime_process *p = php->process;
	uint64_t size = 0, offset = runtime_symbol(m, "executor_globals_offset", NULL),
		 at = runtime_symbol(m, "tsrm_get_ls_cache", &size);
	const unsigned char *code = at == 0 ? NULL : runtime_file_bytes(m, at, (size_t)size);
	int64_t key =
	    code == NULL || p->cpu->php->key == NULL ? 0 : p->cpu->php->key(code, (size_t)size);

	php->threads = offset != 0;
	if (offset == 0 || key == 0 || !tls_open(&php->tls, p))
		return false;
	php->key = at + (uint64_t)key;
	php->offset = offset;
	return true;
}

static void *
open_php(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct php *php;

		if (!find_version(m, p->version, sizeof p->version))
			continue;
		if (!runtime_knows_cpu(p, p->cpu->php, "PHP"))
			return NULL;
		php = cli_alloc(1, sizeof *php);
		php->process = p;
		php->module = m->module;
		php->at = layout_of(p->version);
		php->globals = runtime_symbol(m, "executor_globals", NULL);
		php->loop = runtime_symbol(m, "execute_ex", &php->loop_size);
		php->hook = runtime_symbol(m, "zend_execute_ex", NULL);
		if (php->at != NULL && php->loop != 0 &&
		    (php->globals != 0 || find_threads(php, m)))
			return php;
		if (php->at == NULL)
			runtime_unknown(
			    p, "PHP", VERSIONS, RUNTIME_OFFSETS("php $(php-config --includes)"));
		else
			snprintf(p->reason, sizeof p->reason,
			    php->threads ? "the globals of PHP %s with threads (ZTS) are not found"
					 : "PHP %s lacks the symbols of its engine",
			    p->version);
		close_php(php);
		return NULL;
	}
	return NULL;
}

/* The address of a thread's globals; 0: it has none. */
static uint64_t
globals_of(struct php *php, const struct runtime_sample *at)
{
	uint64_t value;

	if (!php->threads)
		return php->globals;
	if (at->walked)
		return at->start;
	value = tls_specific(&php->tls, at->tid, php->key);
	return value == 0 ? 0 : value + memory_u64(php->process->memory, php->offset);
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
	if (string != 0 &&
	    memory_rest(php->process->memory, string, string + STRING_TEXT, to, s->len))
		return true;
	s->len = 0;
	return false;
}

/* The line of an instruction; 0: it is not one of the function. */
static unsigned
line_of(struct php *php, const struct data *d, uint64_t opline)
{
	uint32_t n;

	memcpy(&n, d->b + php->at->noplines, sizeof n);
	if (!php->process->lines ||
	    opline - field(d, php->at->oplines) >= (uint64_t)n * OPLINE_BYTES)
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
		read_string(php, field(d, php->at->file), path, &p);
		memcpy(&first, d->b + php->at->line, sizeof first);
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
 * information of its own: as large a frame, and its execute_data is not its caller's.
 */
static bool
is_loop(struct php *php, const struct runtime_sample *at, size_t i)
{
	const struct native_frame *f = &at->native[i];
	const uint8_t data = php->process->cpu->php->data;
	uint64_t size = i + 1 < at->nnative ? f[1].sp - f->sp : 0;

	if (f->start == php->loop) {
		/* The leaf may be in its first instructions. Of JIT code only the size can differ.
		 */
		if (i > 0 && f->module == php->module)
			php->size = size;
		return true;
	}
	return size != 0 && size == php->size && f->module == php->module &&
	       f->reg[data] != f[1].reg[data];
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
 * The native frame of execute_ex with a group's innermost script function, from *next on;
 * SCRIPT_NATIVE_NONE: none. It has that function's caller while i_init_func_execute_data
 * of zend_execute.c enters it, and a function that it called while zend_leave_helper leaves that.
 */
static int32_t
loop_of(struct php *php, const struct runtime_sample *at, const struct loops *l, size_t *next,
    uint64_t innermost, uint64_t caller)
{
	for (size_t k = *next; k < l->n; k++) {
		uint64_t data = at->native[l->native[k]].reg[php->process->cpu->php->data];

		if (data != innermost && (data != caller || data == 0) &&
		    memory_u64(php->process->memory, data + DATA_PREVIOUS) != innermost)
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
 * The instruction that a function executes. The innermost function of a stack has it in a register,
 * if it runs in execute_ex itself; JIT code saves it only where PHP could report the line. 0:
 * unknown.
 */
static uint64_t
opline_of(struct php *php, const struct runtime_sample *at, const struct data *d, int32_t native)
{
	if (native != SCRIPT_NATIVE_NONE && at->native[native].module != php->module)
		return 0;
	return native == 0 ? at->native[0].reg[php->process->cpu->php->instruction] : d->opline;
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
			d[i].internal ? native_of(at, field(&d[i], php->at->function), from, end)
				      : SCRIPT_NATIVE_NONE))
			return;
	}
	if (hook != SCRIPT_NATIVE_NONE)
		*from = hook + 1;
}

/* Reads an execute_data at *address and makes *address that of its caller; false: unreadable. */
static bool
read_data(struct php *php, uint64_t *address, struct data *d, uint32_t *info)
{
	unsigned char b[DATA_BYTES];

	if (!memory_read(php->process->memory, *address, b, sizeof b))
		return false;
	d->address = *address;
	memcpy(&d->opline, b, sizeof d->opline);
	memcpy(&d->func, b + DATA_FUNC, sizeof d->func);
	memcpy(info, b + DATA_CALL_INFO, sizeof *info);
	memcpy(address, b + DATA_PREVIOUS, sizeof *address);
	return true;
}

/* Reads the function of an execute_data; false: it has none. */
static bool
read_function(struct php *php, struct data *d)
{
	/* ZEND_INCLUDE_OR_EVAL's function is freed before it is left: no type then. */
	if (d->func == 0 || !memory_read(php->process->memory, d->func, d->b, sizeof d->b))
		return false;
	d->internal = d->b[0] == INTERNAL_FUNCTION;
	return d->internal || d->b[0] == USER_FUNCTION || d->b[0] == EVAL_CODE;
}

/* True if a zend_string is one: its type, its length and the NUL that ends it. */
static bool
is_string(struct php *php, uint64_t string)
{
	struct memory_reader *m = php->process->memory;
	uint64_t length = memory_u64(m, string + STRING_LENGTH);
	char end = 1;

	return string != 0 && string % 8 == 0 && length > 0 && length < STRING_MAX &&
	       (memory_u32(m, string + STRING_INFO) & 15) == TYPE_STRING &&
	       memory_rest(m, string, string + STRING_TEXT + length, &end, 1) && end == '\0';
}

/* The outermost script's file is a zend_string, and the instruction of its call one of its own. */
static enum runtime_proof
prove(void *state, const struct runtime_sample *at)
{
	struct php *php = state;
	const uint64_t globals = globals_of(php, at);
	uint64_t address = memory_u64(php->process->memory, globals + php->at->current);
	struct data d = {0}, outermost = {0};
	uint32_t info, n;

	if (globals == 0)
		return PROOF_OPEN;
	for (unsigned steps = 0; address != 0 && steps < SCRIPT_FRAMES; steps++) {
		if (address % 8 != 0 || !read_data(php, &address, &d, &info))
			return PROOF_FAILS;
		if (read_function(php, &d) && !d.internal)
			outermost = d;
	}
	if (outermost.func == 0)
		return PROOF_OPEN;
	memcpy(&n, outermost.b + php->at->noplines, sizeof n);
	return is_string(php, field(&outermost, php->at->file)) &&
		       outermost.opline - field(&outermost, php->at->oplines) <
			   (uint64_t)n * OPLINE_BYTES
		   ? PROOF_HOLDS
		   : PROOF_FAILS;
}

static bool
read_php(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct php *php = state;
	const uint64_t globals = globals_of(php, at);
	uint64_t address;
	static struct data d[SCRIPT_FRAMES];
	struct loops loops;
	size_t n = 0, begin = 0, next = 0;
	int32_t from = 0;
	unsigned steps = 0;

	find_loops(php, at, &loops);
	if (globals == 0 || (!php->threads && at->tid != php->process->inside && loops.n == 0))
		return false; /* a library's thread */
	php->globals = globals;
	address = memory_u64(php->process->memory, globals + php->at->current);
	while (address != 0 && n < SCRIPT_FRAMES && steps++ < SCRIPT_FRAMES) {
		uint32_t info;

		if (!read_data(php, &address, &d[n], &info)) {
			s->truncated = true;
			break;
		}
		/* Generators and fibers have placeholders: internal functions without a name. */
		n += read_function(php, &d[n]) && (!d[n].internal || field(&d[n], FUNC_NAME) != 0);
		if ((info & CALL_TOP) != 0) {
			add_group(php, at, d + begin, n - begin, &loops, &next, &from, s);
			begin = n;
		}
	}
	if (n > begin)
		add_group(php, at, d + begin, n - begin, &loops, &next, &from, s);
	if (address != 0 && !s->truncated)
		s->truncated = s->limited = true;
	return s->nframe > 0;
}

/*
 * Opcache's JIT code continues execute_ex, with the same execute_data, and leaves it by jumps to
 * handlers of execute_ex, as that of exceptions (ZEND_VM_KIND_HYBRID, in builds with GCC).
 */
static uint64_t
shared_frame(void *state, const uint64_t reg[CFI_REGS])
{
	struct php *php = state;
	struct memory_reader *m = php->process->memory;
	uint64_t handler = php->globals == 0 ? 0 : memory_u64(m, php->globals + php->at->handler);
	uint64_t data = reg[php->process->cpu->php->data];
	uint8_t type;

	if (handler - php->loop >= php->loop_size || data == 0 || data % 8 != 0)
		return 0;
	type = memory_u8(m, memory_u64(m, data + DATA_FUNC));
	return type == USER_FUNCTION || type == EVAL_CODE ? handler : 0;
}

/* Registers of the recipe, and steps that others go to. */
enum {
	GLOBALS = WALK_FREE,
	DATA,
	INSTRUCTION,
	FUNCTION,
	CALLER,
	NAME,
	PATH,
	CLASS,
	CLASS_TEXT,
	WORD,
};

enum {
	FOUND = 3,
	CURRENT = 6,
	NEXT = 11,
	FUNCTIONS = 13,
	CLASSES = 16,
	PATHS = 19,
	CALLERS,
	SHORT_NAME = 22,
	SHORT_CLASS = 24,
	SHORT_PATH = 26,
	DONE = WALK_STEPS - 1
};

#define NAME_BYTES 128 /* of strings; the rest is read later */
#define PATH_BYTES 288
#define STRING_BYTES 40 /* of a string at the end of a mapping */

/*
 * Copies the execute_data from the current one on, their functions and the names of these. Two
 * registers have an execute_data and an instruction while execute_ex runs.
 */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	const struct php *php = state;
	struct memory_reader *m = php->process->memory;
	const uint64_t key = php->threads ? memory_u32(m, php->key) : 0,
		       offset = php->threads ? memory_u64(m, php->offset) : 0;
	const struct walk_step steps[] = {
	    READ(GLOBALS, WALK_THREAD_POINTER, php->tls.specific, DONE),
	    READ(GLOBALS, GLOBALS, tls_key(key), DONE),
	    SET(GLOBALS, GLOBALS, offset, FOUND),
	    [FOUND] = COPY(GLOBALS, 0, 0, DONE),
	    COPY(GLOBALS, php->at->handler, 8, 5),
	    COPY(WALK_ZERO, php->hook, 8, CURRENT),
	    [CURRENT] = COPY(GLOBALS, php->at->current, 8, DONE, {DATA, 0}),
	    USER(WORD, php->process->cpu->php->user_data),
	    COPY(WORD, 0, DATA_BYTES, 9),
	    USER(WORD, php->process->cpu->php->user_instruction),
	    COPY(WORD, 0, OPLINE_BYTES, NEXT),
	    [NEXT] = IF_ZERO(DATA, DONE),
	    COPY(DATA, 0, DATA_BYTES, DONE, {INSTRUCTION, 0}, {FUNCTION, DATA_FUNC},
		{CALLER, DATA_PREVIOUS}),
	    [FUNCTIONS] = COPY(INSTRUCTION, 0, OPLINE_BYTES, FUNCTIONS + 1),
	    COPY(FUNCTION, 0, FUNC_BYTES, CALLERS, {NAME, FUNC_NAME}, {CLASS, FUNC_SCOPE},
		{PATH, php->at->file}),
	    COPY(NAME, 0, NAME_BYTES, SHORT_NAME),
	    [CLASSES] = IF_ZERO(CLASS, PATHS),
	    COPY(CLASS, 0, CLASS_NAME + 8, PATHS, {CLASS_TEXT, CLASS_NAME}),
	    COPY(CLASS_TEXT, 0, NAME_BYTES, SHORT_CLASS),
	    [PATHS] = COPY(PATH, 0, PATH_BYTES, SHORT_PATH),
	    [CALLERS] = SET(DATA, CALLER, 0, NEXT),
	    END,
	    [SHORT_NAME] = COPY(NAME, 0, STRING_BYTES, CLASSES),
	    GO(CLASSES),
	    [SHORT_CLASS] = COPY(CLASS_TEXT, 0, STRING_BYTES, PATHS),
	    GO(PATHS),
	    [SHORT_PATH] = COPY(PATH, 0, STRING_BYTES, CALLERS),
	    GO(CALLERS),
	};

	_Static_assert(sizeof steps / sizeof *steps <= DONE, "fewer steps");
	memcpy(step, steps, sizeof steps);
	if (!php->threads)
		step[0] = (struct walk_step)SET(GLOBALS, WALK_ZERO, php->globals, FOUND);
	return !php->threads || (tls_key(key) != 0 && offset != 0);
}

const struct runtime runtime_php = {
    .name = "php",
    .versions = VERSIONS,
    .offsets = "tables of headers",
    .needs_stop = true,
    .is_module = is_module,
    .symbol = "executor_globals",
    .open = open_php,
    .prove = prove,
    .read = read_php,
    .close = close_php,
    .recipe = recipe,
    .shared_frame = shared_frame,
};
