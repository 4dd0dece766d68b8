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
	struct intmap process; /* by pid: struct asked of dotnet.c */
};

/*
 * Asks the processes that have mapped the runtime since the last call, and reads answers; call it
 * again after a while. It does not wait. A process that has a perf map already, or is of another
 * user, is not asked.
 */
void dotnet_step(struct dotnet *d, struct processes *ps);

/* Asks the processes that answered to write no more to their maps; frees all. */
void dotnet_end(struct dotnet *d);

#endif
