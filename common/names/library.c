/*
 * library: tables of paths, packages, modules and processes.
 */
#include "names/library.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "names/canonical.h"
#include "names/language.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Parts of paths: those that begin with a slash or bracket are looked for only there. */
static const char *const library_paths[] = {
#define LIBRARY(id, path) path,
#include "names/languages.def"
    "/go/pkg/mod/", "/usr/local/go/src/", /* Go's module cache and standard library */
    "/rustc/", "/.cargo/registry/", "/.cargo/git/", "/rustlib/", /* Rust's std and crates */
    "/usr/lib", "/usr/include"};

/*
 * Prefixes of class names: the JDK, standard libraries of the JVM's other languages, and packages
 * whose name is reserved for a project.
 */
static const char *const library_classes[] = {"java.", "java/", "javax.", "javax/", "jdk.", "jdk/",
    "sun.", "sun/", "com.sun.", "com/sun/", "kotlin.", "kotlin/", "kotlinx.", "kotlinx/", "scala.",
    "scala/", "clojure.", "clojure/", "groovy.", "groovy/", "jakarta.", "jakarta/", "org.apache.",
    "org/apache/", "org.springframework.", "org/springframework/", "org.hibernate.",
    "org/hibernate/", "org.junit.", "org/junit/", "org.slf4j.", "org/slf4j/", "com.google.common.",
    "com/google/common/", "com.fasterxml.", "com/fasterxml/", "io.netty.", "io/netty/"};

/* Crates of Rust's library: hashbrown has its maps, __rustc its allocator. */
static const char *const rust_crates[] = {"core::", "std::", "alloc::", "hashbrown::", "__rustc::"};

/* Prefixes of native function names: C++, Rust and Haskell; see also is_rust_path and is_go. */
static const char *const library_functions[] = {"std::", "__rust_", "__rdl_",
    /* packages of GHC */
    "base_GHC", "base_Data", "base_Control", "base_System", "base_Foreign", "base_Text", "ghczm"};

/* HotSpot's own code beside compiled methods. */
static const char *const hotspot_code[] = {"vtable chunks", "vtable stub", "itable stub",
    "static call stub", "StubRoutines", "Runtime1 stub", "C1 Runtime ", "C2 Runtime ",
    "I2C/C2I adapters", "MethodHandlesAdapterBlob"};

/* Go's standard library: the part of the package before a slash or dot (go list std, 1.19-1.24). */
static const char *const go_packages[] = {"archive", "bufio", "bytes", "cmp", "compress",
    "container", "context", "crypto", "database", "debug", "embed", "encoding", "errors", "expvar",
    "flag", "fmt", "go", "hash", "html", "image", "index", "internal", "io", "iter", "log", "maps",
    "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort",
    "strconv", "strings", "structs", "sync", "syscall", "testing", "text", "time", "unicode",
    "unique", "unsafe", "vendor", "weak"};

/* Parts of Go's functions in assembly, whose names have no package (runtime, internal/bytealg). */
static const char *const go_parts[] = {"aeshashbody", "cmpbody", "countbody", "indexbody",
    "indexbytebody", "memeqbody", "gosave_systemstack_switch"};

/* Modules of Erlang's kernel, stdlib and preloaded code, where a name has no source file. */
static const char *const otp_modules[] = {"application", "application_controller",
    "application_master", "array", "atomics", "base64", "binary", "calendar", "code", "code_server",
    "counters", "dets", "dict", "digraph", "epp", "erlang", "error_handler", "error_logger",
    "escript", "ets", "file", "file_server", "filelib", "filename", "gb_sets", "gb_trees", "global",
    "group", "gen", "inet", "init", "io", "io_lib", "lists", "logger", "maps", "math", "net_kernel",
    "orddict", "ordsets", "os", "persistent_term", "pool", "proc_lib", "proplists", "qlc", "queue",
    "rand", "random", "re", "rpc", "sets", "shell", "sofs", "string", "supervisor", "sys", "timer",
    "unicode", "unicode_util", "uri_string", "user_drv", "win32reg", "zip", "zlib"};
static const char *const otp_prefixes[] = {
    "erl_", "erts_", "gen_", "inet_", "io_lib_", "logger_", "prim_", "beam_", "auth_", "socket_"};

static bool
begins(struct str s, const char *with)
{
	return s.len > 0 && s.s[0] == with[0] && text_starts(s.s, s.len, with);
}

static bool
begins_any(struct str s, const char *const *with, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (begins(s, with[i]))
			return true;
	return false;
}

static bool
is_any(const char *s, size_t len, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_is(s, len, names[i]))
			return true;
	return false;
}

static bool
is_rust_path(struct str path)
{
	return begins_any(path, rust_crates, COUNT(rust_crates));
}

/* Returns the type without the &, mut and the like before its path. */
static struct str
bare_type(struct str type)
{
	static const char *const before[] = {"&", "*", "[", "(", "mut ", "const ", "dyn "};
	size_t len;

	do {
		len = type.len;
		for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
			if (text_starts(type.s, type.len, before[i])) {
				type.s += strlen(before[i]);
				type.len -= strlen(before[i]);
			}
	} while (type.len != len);
	return type;
}

/* True for str, u8, [T] and the like, without module: only the library has methods of them. */
static bool
is_rust_primitive(struct str name, struct str type)
{
	static const char *const primitive[] = {"str", "char", "bool", "u8", "u16", "u32", "u64",
	    "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"};

	for (size_t i = 0; i < sizeof primitive / sizeof *primitive; i++)
		if (text_is(type.s, type.len, primitive[i]))
			return true;
	return text_starts(name.s, name.len, "<[");
}

/*
 * True if a method of `<type>::` or `<type as trait>::` belongs to the Rust library. It does
 * not if the trait is from elsewhere. Otherwise the type must be from the library, or be the
 * type parameter of an implementation for all types.
 */
static bool
is_rust_method(struct str name)
{
	struct str type = {name.s + 1, 0}, trait = {NULL, 0};
	int depth = 0;

	for (size_t i = 0; i < name.len; i++) {
		if (name.s[i] == '<')
			depth++;
		else if (name.s[i] == '>' && name.s[i - 1] != '-' && --depth == 0) {
			if (trait.s != NULL)
				trait.len = (size_t)(name.s + i - trait.s);
			else
				type.len = i - 1;
			break;
		} else if (depth == 1 && trait.s == NULL &&
			   text_starts(name.s + i, name.len - i, " as ")) {
			type.len = i - 1;
			trait.s = name.s + i + 4;
		}
	}
	type = bare_type(type);
	if (trait.s != NULL && !is_rust_path(trait))
		return false;
	if (trait.s == NULL)
		return is_rust_path(type) || is_rust_primitive(name, type);
	return is_rust_path(type) || !text_has(type.s, type.len, "::");
}

bool
library_has_rust(struct str function)
{
	return function.len > 0 && function.s[0] == '<' ? is_rust_method(function)
							: is_rust_path(function);
}

/*
 * encoding/json.Marshal, sort.Slice, net/http.(*conn).serve; not sort.part.0 or log.cold, which are
 * GCC's names of parts of C functions.
 */
static bool
is_go(struct str function)
{
	static const char *const clones[] = {
	    "part.", "constprop.", "isra.", "cold", "lto_priv.", "llvm.", "localalias"};
	size_t len = 0, dot;

	if (is_any(function.s, function.len, go_parts, COUNT(go_parts)))
		return true;
	while (len < function.len && function.s[len] >= 'a' && function.s[len] <= 'z')
		len++;
	if (len == function.len || (function.s[len] != '.' && function.s[len] != '/') ||
	    !is_any(function.s, len, go_packages, COUNT(go_packages)))
		return false;
	for (dot = len; dot < function.len && function.s[dot] != '.';)
		dot++;
	return dot + 1 < function.len &&
	       !begins_any((struct str){function.s + dot + 1, function.len - dot - 1}, clones,
		   COUNT(clones));
}

/* A function of OTP by its module; with $ in front in a perf map, or ` (file)` after it. */
static bool
is_otp(struct str function)
{
	const char *source = memmem(function.s, function.len, " (", 2), *colon;
	size_t len;

	if (source != NULL)
		function.len = (size_t)(source - function.s);
	if (!canonical_is_erlang(function))
		return false;
	if (function.s[0] == '$') {
		function.s++;
		function.len--;
	}
	colon = memchr(function.s, ':', function.len);
	len = (size_t)(colon - function.s);
	return is_any(function.s, len, otp_modules, COUNT(otp_modules)) ||
	       begins_any((struct str){function.s, len}, otp_prefixes, COUNT(otp_prefixes));
}

/* True if a path contains one of library_paths that begin with `first`. */
static bool
has_path_from(struct str path, char first)
{
	const char *at;

	while (path.len > 0 && (at = memchr(path.s, first, path.len)) != NULL) {
		path.len -= (size_t)(at - path.s);
		path.s = at;
		for (size_t i = 0; i < COUNT(library_paths) && path.len > 1; i++)
			if (library_paths[i][1] == path.s[1] && begins(path, library_paths[i]))
				return true;
		path.s++;
		path.len--;
	}
	return false;
}

/* The file of a package, or a path without one; the name can contain a path, too. */
static bool
is_library_path(struct str path)
{
	if (path.len == 0)
		return false;
	for (size_t i = 0; i < COUNT(library_paths); i++)
		if (library_paths[i][0] != '/' && library_paths[i][0] != '<' &&
		    text_has(path.s, path.len, library_paths[i]))
			return true;
	return has_path_from(path, '/') || has_path_from(path, '<');
}

bool
library_has(struct str function, struct str file, struct str path, enum frame_kind kind)
{
	if (begins(function, "node:") || begins(file, "node:") || is_library_path(path))
		return true;
	switch (kind) {
	case FRAME_SCRIPT: return file.len == 0; /* built into the interpreter: htmlspecialchars */
	case FRAME_JIT:
		for (size_t i = 0; i < COUNT(hotspot_code) && file.len == 0; i++)
			if (text_has(function.s, function.len, hotspot_code[i]))
				return true;
		return begins_any(function, library_classes, COUNT(library_classes)) ||
		       (!text_has(file.s, file.len, "/") && is_otp(function));
	case FRAME_USER:
		return begins_any(function, library_functions, COUNT(library_functions)) ||
		       library_has_rust(function) || is_go(function);
	default: return false;
	}
}

bool
library_is_runtime(struct str function, struct str file, enum frame_kind kind)
{
	if (kind == FRAME_USER) /* a script's frame may lack its annotation */
		return language_of_file(file) == LANGUAGE_UNKNOWN;
	return kind == FRAME_JIT && file.len == 0 && !canonical_is_erlang(function) &&
	       memchr(function.s, '.', function.len) == NULL &&
	       !text_has(function.s, function.len, "::");
}

/* Threads of node from 24 on, where the first thread has another name than its program. */
static bool
is_node_thread(struct str s)
{
	static const char *const thread[] = {
	    "MainThread", "V8Worker", "libuv-worker", "DelayedTaskSche"};

	for (size_t i = 0; i < COUNT(thread); i++)
		if (begins(s, thread[i]))
			return true;
	return false;
}

/* True for a function that shows that a process is node's. */
static bool
is_of_node(struct str s)
{
	return begins(s, "node::") || text_has(s.s, s.len, " (node:internal/");
}

static bool
is_interpreter(const struct calltree_name *name)
{
	struct str s = {name->s, name->len};

	/* threads of the BEAM */
	if (s.len > 0 && s.s[0] >= '0' && s.s[0] <= '9')
		return text_has(s.s, s.len, "_scheduler") || text_has(s.s, s.len, "_dirty_io_") ||
		       text_has(s.s, s.len, "_dirty_cpu_") || text_has(s.s, s.len, "_aux") ||
		       text_has(s.s, s.len, "_poller");
	return language_has_process(s);
}

/* With --reverse, a frame is an interpreter's if all stacks through it are. */
static void
clear_others_reversed(const struct calltree *t, const uint8_t *interpreter, uint8_t *hosted)
{
	uint8_t *other = cli_alloc(t->nnode, sizeof *other); /* by node: of other processes, too */

	for (uint32_t i = t->nnode; i-- > 1;) {
		if (t->node[i].child == 0)
			other[i] = !interpreter[t->node[i].name];
		if (other[i])
			hosted[t->node[i].name] = 0;
		other[t->node[i].parent] |= other[i];
	}
	free(other);
}

/* A frame is an interpreter's if the first one of its stack is. */
static void
clear_others(const struct calltree *t, const uint8_t *interpreter, uint8_t *hosted)
{
	const struct calltree_node *node = t->node;
	uint8_t *host = cli_alloc(t->nnode, sizeof *host); /* by node: 1 for an interpreter's */

	for (uint32_t i = 1, n = t->nnode; i < n; i++) {
		uint32_t name = node[i].name, parent = node[i].parent;

		host[i] = parent == CALLTREE_ROOT ? interpreter[name] : host[parent];
		hosted[name] &= host[i];
	}
	free(host);
}

/* True for the name of a process whose frames may be an interpreter's. */
static bool
may_host(const struct calltree *t, uint32_t node)
{
	const struct calltree_name *name = &t->name[t->node[node].name];

	return is_interpreter(name) || is_node_thread((struct str){name->s, name->len});
}

/* In profiles without such a process, which most are, the other names need no look. */
static bool
has_host(const struct calltree *t, bool reverse)
{
	bool has = false;

	for (uint32_t i = t->node[CALLTREE_ROOT].child; !reverse && i != 0 && !has;
	     i = t->node[i].next)
		has = may_host(t, i);
	for (uint32_t i = 1; reverse && i < t->nnode && !has; i++)
		has = t->node[i].child == 0 && may_host(t, i);
	return has;
}

uint8_t *
library_hosted(const struct calltree *t, bool reverse)
{
	uint8_t *interpreter, *hosted;
	bool any = false, node = false;

	if (!has_host(t, reverse))
		return NULL;
	interpreter = cli_alloc(t->nname, sizeof *interpreter);
	for (uint32_t i = 1; i < t->nname; i++) {
		any |= interpreter[i] = is_interpreter(&t->name[i]);
		node = node || is_of_node((struct str){t->name[i].s, t->name[i].len});
	}
	for (uint32_t i = 1; node && i < t->nname; i++)
		if (is_node_thread((struct str){t->name[i].s, t->name[i].len}))
			interpreter[i] = any = true;
	if (!any) {
		free(interpreter);
		return NULL;
	}
	hosted = cli_alloc(t->nname, sizeof *hosted);
	/* the process's own frame is none of its code */
	for (uint32_t i = 0; i < t->nname; i++)
		hosted[i] = !interpreter[i];
	if (reverse)
		clear_others_reversed(t, interpreter, hosted);
	else
		clear_others(t, interpreter, hosted);
	free(interpreter);
	return hosted;
}
