/*
 * perl: walks the context stacks of a Perl interpreter, one interpreter per thread.
 *
 * A context that returns to C (retop is NULL) ends the contexts of one invocation of
 * Perl_runops_standard. So does an eval with its JMPENV in docatch's frame. The last op of a block
 * of sort, of a regular expression or of List::Util has no next op: a sub that it calls has no
 * retop either, but the block's context ends the invocation.
 */
#include "runtime/perl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "kernel/recipe.h"
#include "runtime/tls.h"

#define STACKS 200 /* nested stackinfos: sorts, overloaded operators, ties */
#define LOOPS 512 /* native frames of Perl_runops_standard */
#define CONTEXTS 3000 /* per stackinfo */
#define TEXT_MAX 256 /* bytes of a name or a path */

/*
 * Offsets in PerlInterpreter by version, with ithreads: printed by share/offsets/offsets from the
 * headers of Debian's libperl. Those of 5.34 and 5.38 follow from their neighbours and the changes
 * between these, and were never run. PL_top_env is behind a struct stat; its offset is that of
 * x86-64, where this has STAT_BYTES.
 */
#define STAT_BYTES 144
static const struct layout {
	unsigned version; /* 36: 5.36 */
	uint16_t cop, stack, environment; /* PL_curcop, PL_curstackinfo, PL_top_env */
} layouts[] = {
    {32, 224, 240, 776},
    {34, 208, 224, 760},
    {36, 208, 224, 760},
    {38, 208, 224, 776},
    {40, 208, 224, 776},
    {42, 208, 224, 776},
};

#define VERSIONS "5.32 to 5.42"
#define LAST_ARRAY_AUX 34 /* up to 5.34 the names of a hash are after its array */

/* Offsets of all these versions. */
enum {
	INTERPRETER_OP = 8, /* PL_op */
	INTERPRETER_BYTES = 8192, /* more than it has */
	STACK_CONTEXTS = 8, /* PERL_SI */
	STACK_PREVIOUS = 16,
	STACK_INDEX = 32,
	STACK_TYPE = 44,
	STACK_BYTES = 48,
	CONTEXT_COP = 16, /* PERL_CONTEXT: cx_type 0 */
	CONTEXT_SCOPE = 40, /* blk_oldscopesp */
	CONTEXT_RETOP = 48,
	CONTEXT_CV = 72,
	CONTEXT_ENV = 96,
	CONTEXT_SIZE = 104,
	COP_LINE = 36,
	COP_FILE = 48,
	COP_BYTES = 56,
	OP_FUNCTION = 16, /* op_ppaddr */
	CV_STASH = 32, /* struct xpvcv */
	CV_START = 40,
	CV_NAME = 56,
	CV_FILE = 64,
	CV_FLAGS = 92,
	CV_BYTES = 96,
	GV_NAME = 32, /* XPVGV */
	GV_STASH = 40,
	HEK_LENGTH = 4,
	HEK_KEY = 8,
	HASH_AUX = 32, /* xpvhv_with_aux: xhv_name_u; up to 5.34 after the array */
	HASH_MAX = 24, /* xpvhv.xhv_max */
	HASH_ARRAY = 16, /* HV.sv_u */
	AUX_COUNT = 28,
};

#define TYPE_MASK 0xf
#define TYPE_SUB 9
#define TYPE_FORMAT 10
#define TYPE_EVAL 11
#define EVAL_BLOCK 0x60 /* CXp_TRYBLOCK and others: not eval of a string */
#define SUB_FAKE 0x80 /* CXp_SUB_RE_FAKE: code in a pattern, of the sub that matches */
#define STACK_MAIN 1 /* PERLSI_MAIN */
#define NAMED 0x8000 /* CVf_NAMED */
#define OOK 0x2000000 /* SVf_OOK: the hash has a name */

struct perl {
	struct runtime_process *process;
	const struct layout *at;
	struct tls tls;
	uint64_t key; /* address of PL_thr_key */
	uint64_t loop, entersub; /* Perl_runops_standard, function of the op entersub */
	uint64_t run, call, eval; /* perl_run, Perl_call_sv, Perl_eval_sv */
	uint64_t nextstate, dbstate; /* op functions of COPs */
	uint64_t names, functions, bytes; /* PL_op_name, PL_ppaddr, size of the first */
};

static bool
is_module(const char *name)
{
	return strncmp(name, "perl", 4) == 0 || strncmp(name, "libperl", 7) == 0;
}

static uint8_t
version_part(const struct runtime_module *m, const char *symbol)
{
	uint64_t address = runtime_symbol(m, symbol, NULL);
	const uint8_t *byte = address == 0 ? NULL : runtime_file_bytes(m, address, 1);

	return byte == NULL ? 0 : *byte;
}

static const struct layout *
layout_of(const struct runtime_module *m, unsigned version)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (layouts[i].version == version && version_part(m, "PL_revision") == 5)
			return &layouts[i];
	return NULL;
}

static uint64_t
environment_offset(const struct perl *pl)
{
	return pl->at->environment + pl->process->cpu->stat_bytes - STAT_BYTES;
}

/* The function of an op by its name; from 5.38 on, functions of ops are not exported. */
static uint64_t
function_of(const struct perl *pl, const char *op)
{
	struct memory_reader *m = pl->process->memory;
	char name[16];

	for (uint64_t i = 0; i < pl->bytes / 8; i++)
		if (memory_string(m, memory_u64(m, pl->names + 8 * i), name, sizeof name) &&
		    strcmp(name, op) == 0)
			return memory_u64(m, pl->functions + 8 * i);
	return 0;
}

/*
 * False if the functions of ops are not known yet: their tables hold no addresses before the
 * dynamic linker has relocated them, and a program may be examined earlier. Read from the process
 * beside copies, too, as nothing changes them later.
 */
static bool
find_functions(struct perl *pl)
{
	if (pl->nextstate != 0)
		return true;
	memory_read_later(pl->process->memory);
	pl->entersub = function_of(pl, "entersub");
	pl->dbstate = function_of(pl, "dbstate");
	pl->nextstate = function_of(pl, "nextstate");
	memory_is_proved(pl->process->memory, 0);
	return pl->nextstate != 0;
}

static void *
open_perl(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct perl *pl;
		unsigned version;

		if ((version = version_part(m, "PL_version")) == 0)
			continue;
		snprintf(p->version, sizeof p->version, "%u.%u.%u", version_part(m, "PL_revision"),
		    version, version_part(m, "PL_subversion"));
		if (layout_of(m, version) == NULL) {
			runtime_unknown(p, "Perl", VERSIONS,
			    RUNTIME_OFFSETS("perl $(perl -MExtUtils::Embed -e ccopts)"));
			return NULL;
		}
		pl = cli_alloc(1, sizeof *pl);
		pl->process = p;
		pl->at = layout_of(m, version);
		pl->key = runtime_symbol(m, "PL_thr_key", NULL);
		pl->loop = runtime_symbol(m, "Perl_runops_standard", NULL);
		pl->names = runtime_symbol(m, "PL_op_name", &pl->bytes);
		pl->functions = runtime_symbol(m, "PL_ppaddr", NULL);
		pl->run = runtime_symbol(m, "perl_run", NULL);
		pl->call = runtime_symbol(m, "Perl_call_sv", NULL);
		pl->eval = runtime_symbol(m, "Perl_eval_sv", NULL);
		if (pl->key != 0 && pl->loop != 0 && pl->names != 0 && pl->functions != 0 &&
		    tls_open(&pl->tls, p))
			return pl;
		snprintf(p->reason, sizeof p->reason, "%s",
		    pl->key == 0 ? "Perl without ithreads is not supported"
				 : "Perl lacks symbols, or its C library is not glibc");
		tls_close(&pl->tls);
		free(pl);
		return NULL;
	}
	return NULL;
}

static void
close_perl(void *state)
{
	struct perl *pl = state;

	tls_close(&pl->tls);
	free(pl);
}

/* Reads a shared string: HEK. */
static bool
read_key(struct perl *pl, uint64_t hek, char to[TEXT_MAX], size_t *n)
{
	uint32_t length = memory_u32(pl->process->memory, hek + HEK_LENGTH);

	*n = length < TEXT_MAX ? length : TEXT_MAX;
	if (hek != 0 && memory_rest(pl->process->memory, hek, hek + HEK_KEY, to, *n))
		return true;
	*n = 0;
	return false;
}

static bool
read_package(struct perl *pl, uint64_t stash, char to[TEXT_MAX], size_t *n)
{
	struct memory_reader *m = pl->process->memory;
	uint64_t body = memory_u64(m, stash), aux = body + HASH_AUX, name;

	if (pl->at->version <= LAST_ARRAY_AUX)
		aux = memory_u64(m, stash + HASH_ARRAY) + 8 * (memory_u64(m, body + HASH_MAX) + 1);
	name = memory_u64(m, aux);
	*n = 0;
	if (stash == 0 || (memory_u32(m, stash + 12) & OOK) == 0)
		return false;
	if ((int32_t)memory_u32(m, aux + AUX_COUNT) != 0)
		name = memory_u64(m, name); /* the first of several names */
	return read_key(pl, name, to, n);
}

/* A context that is a frame of the language, or the end of a stackinfo. */
struct context {
	uint8_t type; /* 0: only an end */
	bool ends; /* end of a stackinfo other than the main one */
	bool block; /* eval of a block, not of a string */
	bool last; /* the last op of a block called it, which is context 0 of the stackinfo */
	uint64_t retop, env, cop, cv;
};

static struct str
read_file(struct perl *pl, uint64_t address, char to[TEXT_MAX])
{
	if (address == 0 || !memory_string(pl->process->memory, address, to, TEXT_MAX))
		return (struct str){NULL, 0};
	return str_of(to);
}

/* Names a CV, Package::sub; line is the line that ran in it. */
static uint32_t
name_of_sub(struct perl *pl, uint64_t cv, unsigned line)
{
	struct memory_reader *m = pl->process->memory;
	char package[TEXT_MAX], sub[TEXT_MAX], path[TEXT_MAX], full[TEXT_MAX * 2 + 2];
	unsigned char b[CV_BYTES];
	uint64_t body = memory_u64(m, cv), name, stash, start, file, function;
	uint32_t flags, added;
	size_t npackage, nsub;
	unsigned first = 0;
	int n;

	if (!memory_read(m, body, b, sizeof b))
		return 0;
	memory_read_later(m);
	memcpy(&flags, b + CV_FLAGS, sizeof flags);
	memcpy(&name, b + CV_NAME, sizeof name);
	memcpy(&stash, b + CV_STASH, sizeof stash);
	memcpy(&start, b + CV_START, sizeof start);
	memcpy(&file, b + CV_FILE, sizeof file);
	if ((flags & NAMED) == 0 && name != 0) { /* a GV */
		uint64_t gv = memory_u64(m, name);

		name = memory_u64(m, gv + GV_NAME);
		stash = memory_u64(m, gv + GV_STASH);
	}
	if (!read_package(pl, stash, package, &npackage))
		npackage = (size_t)snprintf(package, sizeof package, "main");
	if (!read_key(pl, name, sub, &nsub))
		nsub = (size_t)snprintf(sub, sizeof sub, "__ANON__");
	n = snprintf(full, sizeof full, "%.*s::%.*s", (int)npackage, package, (int)nsub, sub);
	function = memory_u64(m, start + OP_FUNCTION);
	if (start != 0 && (function == pl->nextstate || function == pl->dbstate))
		first = memory_u32(m, start + COP_LINE);
	added = script_name_add(pl->process->names, (struct str){full, (size_t)n},
	    read_file(pl, file, path), first, pl->process->lines ? line : 0);
	return memory_is_proved(m, body) ? added : 0;
}

/* Names a context; cop is the statement that ran in it. The eval of a block is nameless. */
static uint32_t
name_of(struct perl *pl, const struct context *c, uint64_t cop)
{
	unsigned line = cop != 0 ? memory_u32(pl->process->memory, cop + COP_LINE) : 0;
	char path[TEXT_MAX];

	if (c->type != TYPE_EVAL)
		return name_of_sub(pl, c->cv, line);
	return script_name_add(pl->process->names, str_of("(eval)"),
	    read_file(pl, memory_u64(pl->process->memory, cop + COP_FILE), path), 0,
	    pl->process->lines ? line : 0);
}

/* Depth of the scopes before a context. C code between two contexts has a scope: pp_entersub. */
static int32_t
scope_of(const unsigned char context[CONTEXT_SIZE])
{
	int32_t scope;

	memcpy(&scope, context + CONTEXT_SCOPE, sizeof scope);
	return scope;
}

/* Reads the contexts of a stackinfo; copies by a recipe have one each. */
static bool
read_array(struct perl *pl, uint64_t at, size_t n, unsigned char b[CONTEXTS][CONTEXT_SIZE])
{
	struct memory_reader *m = pl->process->memory;

	if (memory_read(m, at, b, n * CONTEXT_SIZE))
		return true;
	for (size_t i = 0; i < n; i++)
		if (!memory_read(m, at + i * CONTEXT_SIZE, b[i], CONTEXT_SIZE))
			return false;
	return true;
}

static size_t
read_contexts(struct perl *pl, uint64_t stack, struct context *c, size_t most, bool *truncated)
{
	struct memory_reader *m = pl->process->memory;
	static unsigned char b[CONTEXTS][CONTEXT_SIZE];
	size_t n = 0;

	for (unsigned k = 0; stack != 0 && k < STACKS; k++) {
		unsigned char si[STACK_BYTES];
		uint64_t contexts;
		int32_t index, type;

		if (!memory_read(m, stack, si, sizeof si)) {
			*truncated = true;
			break;
		}
		memcpy(&contexts, si + STACK_CONTEXTS, sizeof contexts);
		memcpy(&stack, si + STACK_PREVIOUS, sizeof stack);
		memcpy(&index, si + STACK_INDEX, sizeof index);
		memcpy(&type, si + STACK_TYPE, sizeof type);
		if (index < 0)
			continue;
		if (index >= CONTEXTS || !read_array(pl, contexts, (size_t)index + 1, b)) {
			*truncated = true;
			break;
		}
		for (int32_t i = index; i >= 0; i--) {
			unsigned char kind = b[i][0] & TYPE_MASK;
			bool frame = kind == TYPE_FORMAT || kind == TYPE_EVAL ||
				     (kind == TYPE_SUB && (b[i][0] & SUB_FAKE) == 0);

			if (!frame && i > 0)
				continue;
			if (n == most) {
				*truncated = true;
				return n;
			}
			c[n] = (struct context){.type = frame ? kind : 0,
			    .ends = i == 0 && type != STACK_MAIN,
			    .block = (b[i][0] & EVAL_BLOCK) != 0,
			    .last =
				i > 0 && type != STACK_MAIN && scope_of(b[i]) == scope_of(b[0])};
			memcpy(&c[n].cop, b[i] + CONTEXT_COP, 8);
			memcpy(&c[n].retop, b[i] + CONTEXT_RETOP, 8);
			memcpy(&c[n].cv, b[i] + CONTEXT_CV, 8);
			memcpy(&c[n].env, b[i] + CONTEXT_ENV, 8);
			n++;
		}
	}
	return n;
}

/* True if C code called this context and continues after it. */
static bool
returns_to_c(const struct context *c)
{
	return c->ends || (c->retop == 0 && !c->last &&
			      (c->type == TYPE_SUB || c->type == TYPE_FORMAT ||
				  (c->type == TYPE_EVAL && !c->block)));
}

/* The end of the contexts, from k on, that C code called together; *called: there are any. */
static size_t
end_of_call(const struct context *c, size_t n, size_t k, bool *called)
{
	while (k < n && !returns_to_c(&c[k]))
		k++;
	*called = k < n;
	if (k == n)
		return n;
	/* call_sv with G_EVAL has an eval of its own around the sub. */
	if (!c[k].ends && k + 1 < n && c[k + 1].type == TYPE_EVAL && c[k + 1].retop == 0 &&
	    c[k + 1].block)
		return k + 2;
	return k + 1;
}

/* Invocations of Perl_runops_standard, innermost first. */
struct loop {
	size_t native;
	enum { LOOP_CALL, LOOP_RUN, LOOP_CATCH } kind; /* by call_sv, sort...; perl_run; docatch */
};

/* True if a JMPENV is in a native frame: docatch of pp_ctl.c has one. */
static bool
has_environment(struct perl *pl, const struct runtime_sample *at, size_t i, uint64_t environment)
{
	uint64_t end = i + 1 < at->nnative ? at->native[i + 1].sp : UINT64_MAX;

	for (int n = 0; n < STACKS && environment != 0 && environment < end; n++) {
		if (environment >= at->native[i].sp)
			return true;
		environment = memory_u64(pl->process->memory, environment); /* je_prev */
	}
	return false;
}

/* Finds the loops; *calls is the number that C code other than perl_run and docatch started. */
static size_t
find_loops(struct perl *pl, const struct runtime_sample *at, uint64_t environment,
    struct loop loop[LOOPS], size_t *calls)
{
	size_t n = 0;

	*calls = 0;
	for (size_t i = 0; i < at->nnative && n < LOOPS; i++) {
		uint64_t caller = i + 1 < at->nnative ? at->native[i + 1].start : 0;

		if (at->native[i].start != pl->loop)
			continue;
		loop[n] = (struct loop){i, caller == pl->run ? LOOP_RUN : LOOP_CALL};
		if (caller != pl->run && caller != pl->call && caller != pl->eval &&
		    i + 1 < at->nnative && has_environment(pl, at, i + 1, environment))
			loop[n].kind = LOOP_CATCH;
		*calls += loop[n++].kind == LOOP_CALL;
	}
	return n;
}

/*
 * Returns the end of a loop's contexts, which begin at k. The contexts of docatch's loop end with
 * the eval whose JMPENV is in docatch's frame; contexts of code after this eval, which the same
 * loop runs, are shown as those of the next loop.
 */
static size_t
end_of_group(const struct runtime_sample *at, const struct loop *loop, const struct context *c,
    size_t n, size_t k)
{
	size_t i = loop->native + 1, caught = k;
	uint64_t end = i + 1 < at->nnative ? at->native[i + 1].sp : UINT64_MAX;
	bool called;

	if (loop->kind != LOOP_CATCH)
		return end_of_call(c, n, k, &called);
	for (size_t h = k; h < n; h++) {
		if (c[h].type == TYPE_EVAL && c[h].env >= at->native[i].sp && c[h].env < end)
			caught = h + 1;
		if (returns_to_c(&c[h]))
			break;
	}
	return caught;
}

/*
 * True if the innermost context's sub is not stored yet: pp_entersub of pp_hot.c pushes the
 * context first (cx_pushblock), and its sub and retop after that (cx_pushsub).
 */
static bool
is_half_made(struct perl *pl, const struct runtime_sample *at, uint64_t op, const struct context *c)
{
	return at->native[0].start == pl->entersub && c->type == TYPE_SUB &&
	       c->retop != memory_u64(pl->process->memory, op); /* op_next */
}

/*
 * True if the sub of context i has not begun its first statement: cop is still the caller's. A sub
 * that calls itself can have it too.
 */
static bool
is_before_statement(const struct context *c, size_t n, size_t i, uint64_t cop)
{
	if (c[i].type == TYPE_EVAL || c[i].cop != cop)
		return false;
	for (size_t k = i + 1; k < n; k++)
		if (c[k].type == TYPE_SUB || c[k].type == TYPE_FORMAT)
			return c[k].cv != c[i].cv;
	return true;
}

/* Adds the contexts [from, to) of n; *cop is the statement of the first, and then of the next. */
static void
add_contexts(struct perl *pl, const struct context *c, size_t n, size_t from, size_t to,
    uint64_t *cop, struct script_stack *s)
{
	for (size_t i = from; i < to; i++) {
		uint32_t name;

		if (c[i].type == 0)
			continue;
		name = name_of(pl, &c[i], is_before_statement(c, n, i, *cop) ? 0 : *cop);
		/* The innermost context may be incomplete. */
		if (name != 0 || s->nframe > 0)
			script_frame(s, name, SCRIPT_NATIVE_NONE);
		*cop = c[i].cop;
	}
}

/* Adds the main program, which has no context. */
static void
add_main(struct perl *pl, uint64_t cop, struct script_stack *s)
{
	struct memory_reader *m = pl->process->memory;
	char path[TEXT_MAX];

	if (cop != 0)
		script_frame(s,
		    script_name_add(pl->process->names, str_of("main"),
			read_file(pl, memory_u64(m, cop + COP_FILE), path), 1,
			pl->process->lines ? memory_u32(m, cop + COP_LINE) : 0),
		    SCRIPT_NATIVE_NONE);
}

/* The address of a thread's interpreter; 0: it has none. */
static uint64_t
interpreter_of(struct perl *pl, const struct runtime_sample *at)
{
	return at->walked ? at->start : tls_specific(&pl->tls, at->tid, pl->key);
}

/* The last object of a list. */
static uint64_t
outermost(struct memory_reader *m, uint64_t object, uint64_t link)
{
	uint64_t next;

	for (int i = 0; i < CONTEXTS && (next = memory_u64(m, object + link)) != 0; i++)
		object = next;
	return object;
}

/*
 * The stackinfos end with the main one, the JMPENVs with that in the interpreter itself, and the
 * statement is one of a file.
 */
static enum runtime_proof
prove(void *state, const struct runtime_sample *at)
{
	struct perl *pl = state;
	struct memory_reader *m = pl->process->memory;
	uint64_t interpreter = interpreter_of(pl, at), cop, function, stack, env;
	char path[TEXT_MAX];

	if (interpreter == 0 || !find_functions(pl))
		return PROOF_OPEN;
	cop = memory_u64(m, interpreter + pl->at->cop);
	function = memory_u64(m, cop + OP_FUNCTION);
	if (function == 0) /* PL_compiling, while the program is compiled */
		return PROOF_OPEN;
	stack = outermost(m, memory_u64(m, interpreter + pl->at->stack), STACK_PREVIOUS);
	env = outermost(m, memory_u64(m, interpreter + environment_offset(pl)), 0); /* je_prev */
	if ((function == pl->nextstate || function == pl->dbstate) &&
	    memory_u32(m, cop + COP_LINE) != 0 &&
	    read_file(pl, memory_u64(m, cop + COP_FILE), path).len > 0 &&
	    memory_u32(m, stack + STACK_TYPE) == STACK_MAIN &&
	    env - interpreter < INTERPRETER_BYTES)
		return PROOF_HOLDS;
	pl->nextstate = 0; /* to be found again: its table may have been half relocated */
	return PROOF_FAILS;
}

static bool
read_perl(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct perl *pl = state;
	struct memory_reader *m = pl->process->memory;
	static struct context c[SCRIPT_FRAMES];
	uint64_t interpreter = interpreter_of(pl, at), cop;
	struct loop loop[LOOPS];
	size_t n, nloop, k = 0, calls = 0, loops, popped;
	bool called, all;

	if (interpreter == 0 || at->nnative == 0)
		return false;
	cop = memory_u64(m, interpreter + pl->at->cop);
	n = read_contexts(
	    pl, memory_u64(m, interpreter + pl->at->stack), c, SCRIPT_FRAMES, &s->truncated);
	if (n > 0 && is_half_made(pl, at, memory_u64(m, interpreter + INTERPRETER_OP), c))
		k = 1;
	for (size_t i = k; i < n; calls += called)
		i = end_of_call(c, n, i, &called);
	nloop =
	    find_loops(pl, at, memory_u64(m, interpreter + environment_offset(pl)), loop, &loops);
	/*
	 * C code that is about to start a loop, and that of sort between two comparisons, has
	 * contexts but no loop: nothing runs in these.
	 */
	s->limited |= s->truncated && n == SCRIPT_FRAMES;
	all = at->complete && !s->truncated;
	for (; all && calls > loops; calls--) {
		k = end_of_call(c, n, k, &called);
		cop = c[k - 1].cop;
	}
	popped = all ? loops - calls : 0; /* pp_leavesub pops the last context of a loop */
	for (size_t i = 0; i < nloop; i++) {
		size_t end;

		if (loop[i].kind == LOOP_CALL && popped > 0) {
			popped--;
			continue;
		}
		end = end_of_group(at, &loop[i], c, n, k);
		if (loop[i].kind == LOOP_CATCH && end == k)
			continue;
		if (!script_group(s, (int32_t)loop[i].native))
			return s->nframe > 0;
		add_contexts(pl, c, n, k, end, &cop, s);
		k = end;
		if (loop[i].kind == LOOP_RUN)
			add_main(pl, cop, s);
	}
	if (k < n && script_group(s, SCRIPT_NATIVE_NONE))
		add_contexts(pl, c, n, k, n, &cop, s);
	return s->nframe > 0;
}

/* Registers of the recipe, and steps that others go to. */
enum {
	AT = WALK_FREE,
	STACK,
	NEXT,
	LEFT,
	COP,
	SUB,
	BODY,
	STASH,
	START,
	NAME,
	PATH,
	WORD,
	REGISTERS
};

_Static_assert(REGISTERS <= WALK_REGISTERS, "fewer registers");

enum {
	STATEMENT = 6,
	STACKS_OF = 9,
	ENVIRONMENTS = 11,
	STACKINFOS = 14,
	CONTEXT = 20,
	SUBS = 23,
	PACKAGES = 31,
	MORE = 34,
	DONE = WALK_STEPS - 1
};

#define INDEX_HIGH 4 /* bytes: cxix is the high half of the word before its own */
#define ONE_CONTEXT (UINT64_C(1) << 32)
#define HEAD_BYTES 24 /* of an SV */
#define START_BYTES 40 /* of the first op of a sub, up to its line */
#define AUX_BYTES 32 /* of xpvhv_with_aux, from its name on */
#define KEY_BYTES 72 /* of a HEK, or an SV; the rest is read later */

/*
 * Copies the interpreter's fields, its JMPENVs, and of each stackinfo the contexts, with the
 * statements that they return to, and the names of their subs. Without an examination of the type:
 * a block has other data in the place of a sub, and these are copied too.
 */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	const struct perl *pl = state;
	const uint64_t key = memory_u32(pl->process->memory, pl->key);
	const struct walk_step steps[] = {
	    READ(WORD, WALK_THREAD_POINTER, pl->tls.specific, DONE),
	    READ(AT, WORD, tls_key(key), DONE),
	    IF_ZERO(AT, DONE),
	    COPY(AT, 0, 0, DONE),
	    COPY(AT, INTERPRETER_OP, 8, DONE, {WORD, 0}),
	    COPY(WORD, 0, 8, STATEMENT),
	    [STATEMENT] = COPY(AT, pl->at->cop, 8, DONE, {COP, 0}),
	    COPY(COP, 0, COP_BYTES, STACKS_OF, {PATH, COP_FILE}),
	    COPY(PATH, 0, TEXT_MAX, STACKS_OF),
	    [STACKS_OF] = COPY(AT, pl->at->stack, 8, DONE, {STACK, 0}),
	    COPY(AT, environment_offset(pl), 8, STACKINFOS, {AT, 0}),
	    [ENVIRONMENTS] = IF_ZERO(AT, STACKINFOS),
	    COPY(AT, 0, 8, STACKINFOS, {AT, 0}),
	    GO(ENVIRONMENTS),
	    [STACKINFOS] = IF_ZERO(STACK, DONE),
	    COPY(STACK, 0, STACK_BYTES, DONE, {AT, STACK_CONTEXTS}, {NEXT, STACK_PREVIOUS}),
	    READ(LEFT, STACK, STACK_INDEX - INDEX_HIGH, DONE),
	    CLEAR(LEFT, UINT32_MAX, 18),
	    SET(STACK, NEXT, 0, 19),
	    IF_IS(LEFT, -ONE_CONTEXT, STACKINFOS), /* cxix is -1: it has none */
	    [CONTEXT] =
		COPY(AT, 0, CONTEXT_SIZE, STACKINFOS, {COP, CONTEXT_COP}, {SUB, CONTEXT_CV}),
	    COPY(COP, 0, COP_BYTES, SUBS, {PATH, COP_FILE}),
	    COPY(PATH, 0, TEXT_MAX, SUBS),
	    [SUBS] = COPY(SUB, 0, HEAD_BYTES, MORE, {BODY, 0}),
	    COPY(BODY, 0, CV_BYTES, MORE, {STASH, CV_STASH}, {START, CV_START}, {NAME, CV_NAME}),
	    READ(PATH, BODY, CV_FILE, 26),
	    COPY(PATH, 0, TEXT_MAX, 27),
	    COPY(START, 0, START_BYTES, 28),
	    /* A HEK, or a GV, which has one. */
	    COPY(NAME, 0, KEY_BYTES, PACKAGES, {WORD, 0}),
	    COPY(WORD, 0, GV_STASH + 8, PACKAGES, {NAME, GV_NAME}, {STASH, GV_STASH}),
	    COPY(NAME, 0, KEY_BYTES, PACKAGES),
	    [PACKAGES] = COPY(STASH, 0, HEAD_BYTES, MORE, {BODY, 0}),
	    COPY(BODY, HASH_AUX, AUX_BYTES, MORE, {NAME, 0}),
	    COPY(NAME, 0, KEY_BYTES, MORE),
	    [MORE] = IF_ZERO(LEFT, STACKINFOS),
	    SET(LEFT, LEFT, -ONE_CONTEXT, 36),
	    SET(AT, AT, CONTEXT_SIZE, CONTEXT),
	};

	_Static_assert(sizeof steps / sizeof *steps <= DONE, "fewer steps");
	if (tls_key(key) == 0)
		return false;
	memcpy(step, steps, sizeof steps);
	return true;
}

const struct runtime runtime_perl = {
    .name = "perl",
    .versions = VERSIONS,
    .offsets = "tables of headers",
    .needs_stop = true,
    .is_module = is_module,
    .symbol = "PL_thr_key",
    .open = open_perl,
    .prove = prove,
    .read = read_perl,
    .close = close_perl,
    .recipe = recipe,
};
