/*
 * dotnet: asks .NET processes of this user for their perf maps, by the diagnostics socket of their
 * runtime (ipc-protocol.md of its diagnostics), from .NET 8 on. Never by a signal.
 */
#ifndef DOTNET_H
#define DOTNET_H

#include "base/intmap.h"
#include "trace/process.h"

/* All zero before the first call. */
struct dotnet {
	struct intmap process; /* by pid: struct request of dotnet.c */
};

/*
 * Sends a request to each process that has mapped the runtime since the last call, and reads
 * answers, without waiting: to be called now and then. Not to processes that have a perf map or
 * are of another user.
 */
void dotnet_step(struct dotnet *d, struct processes *ps);

/* Asks the processes that answered to write no more to their maps; frees all. */
void dotnet_end(struct dotnet *d);

#endif
