/*
 * sharedlib: shared libraries that few inputs need are loaded at the first call of one of their
 * functions, since each one costs 0.05 to 0.2 ms of every run otherwise.
 *
 * A file of common/lazy per library defines its functions under their own names; each definition
 * calls the function of the library. Callers include the library's header and call as usual. The
 * Makefile writes the name of each library, as the linker found it, to lazy/sonames.h. Without
 * such a name (make LAZY=) the program is linked with the library, and the file is empty.
 *
 * The first call may come from any thread, also in the sandbox, which leaves the directories of
 * libraries readable (sandbox_enter).
 */
#ifndef SHAREDLIB_H
#define SHAREDLIB_H

struct sharedlib {
	const char *soname; /* "libzstd.so.1" */
	void *handle; /* of dlopen(3) once loaded */
};

/*
 * The address of a function or variable; loads the library if necessary. If the library or the
 * name is missing, ends the program with the dynamic linker's message. Thread-safe.
 */
void *sharedlib_find(struct sharedlib *l, const char *name);

/*
 * Defines a function of the library `lazy_library` of the same file: its result, name, parameters
 * and arguments, both with parentheses.
 */
#define LAZY(result, name, parameters, arguments)                                        \
	result name parameters                                                           \
	{                                                                                \
		static __typeof__(name) *found;                                          \
		__typeof__(name) *call = __atomic_load_n(&found, __ATOMIC_ACQUIRE);      \
                                                                                         \
		if (call == NULL) {                                                      \
			call = (__typeof__(name) *)sharedlib_find(&lazy_library, #name); \
			__atomic_store_n(&found, call, __ATOMIC_RELEASE);                \
		}                                                                        \
		return call arguments;                                                   \
	}

#endif
