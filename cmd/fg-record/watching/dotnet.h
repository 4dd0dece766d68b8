/*
 * dotnet: asks .NET processes of this user for their perf maps, by the diagnostics socket of their
 * runtime (ipc-protocol.md of its diagnostics), from .NET 8 on. Never by a signal.
 */
#ifndef DOTNET_H
#define DOTNET_H

#include "trace/process.h"

struct dotnet_request;

/* All zero before the first call. */
struct dotnet {
	struct dotnet_request *first; /* to the living processes that have the runtime */
};

/* Adds the processes that have mapped the runtime before the recording. */
void dotnet_begin(struct dotnet *d, struct processes *ps);

/*
 * Takes a record: of a mapping, which may be of the runtime, and of exec and exit, after which
 * that process is forgotten.
 */
void dotnet_see(struct dotnet *d, const struct perfevent *e);

/*
 * Sends requests to processes that were not asked yet, and reads answers, without waiting: to be
 * called now and then. Not to processes that have a perf map or are of another user.
 */
void dotnet_step(struct dotnet *d);

/* Asks the processes that answered to write no more to their maps; frees all. */
void dotnet_end(struct dotnet *d);

#endif
