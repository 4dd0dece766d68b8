/*
 * sharedlib: dlopen and dlsym, under a lock.
 */
#include "lazy/sharedlib.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "base/cli.h"

void *
sharedlib_find(struct sharedlib *l, const char *name)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	void *found = NULL;

	pthread_mutex_lock(&lock);
	if (l->handle == NULL)
		l->handle = dlopen(l->soname, RTLD_NOW);
	if (l->handle != NULL)
		found = dlsym(l->handle, name);
	if (found == NULL)
		cli_die("cannot load a library: %s", dlerror());
	pthread_mutex_unlock(&lock);
	return found;
}
