/*
 * loader: prints the ID of a thread that spins. After a second, another thread maps the library
 * in which the first one spins from then on.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void (*volatile work)(void (*)(void));
static volatile unsigned long counter;

static void
burn(void)
{
	for (int i = 0; i < 100000; i++)
		counter++;
}

static void *
spin(void *arg)
{
	printf("%ld\n", syscall(SYS_gettid));
	fflush(stdout);
	for (;;) {
		void (*f)(void (*)(void)) = work;

		if (f != NULL)
			f(burn);
		else
			burn();
	}
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t id;
	void *library;

	pthread_create(&id, NULL, spin, NULL);
	sleep(1);
	library = dlopen(argc > 1 ? argv[1] : "./plugin.so", RTLD_NOW);
	if (library == NULL)
		return 1;
	work = (void (*)(void (*)(void)))dlsym(library, "plugin_work");
	pthread_join(id, NULL);
	return 0;
}
