/*
 * jfrevent: names of events and fields from the JDK's metadata.xml and async-profiler.
 */
#include "fg-collapse/jfr/jfrevent.h"

#include "fg-collapse/shape/scan.h"

struct str
jfrevent_name(struct str name)
{
	if (!scan_word(&name, "jdk."))
		scan_word(&name, "profiler.");
	return name;
}

bool
jfrevent_size(struct str event, struct str field)
{
	return str_is(field, "weight") || str_is(field, "allocationSize") ||
	       str_is(field, "tlabSize") || str_is(field, "objectSize") ||
	       (str_is(field, "size") && str_starts(event, "profiler."));
}

bool
jfrevent_leaf(struct str event, struct str field)
{
	return str_is(event, "jdk.MethodTrace") && str_is(field, "method");
}

bool
jfrevent_waits(struct str event)
{
	static const char *const wait[] = {"JavaMonitorEnter", "JavaMonitorWait", "ThreadPark",
	    "ThreadSleep", "SocketRead", "SocketWrite", "FileRead", "FileWrite", "FileForce"};

	event = jfrevent_name(event);
	for (size_t i = 0; i < sizeof wait / sizeof wait[0]; i++)
		if (str_is(event, wait[i]))
			return true;
	return false;
}

bool
jfrevent_lasts(struct str event)
{
	event = jfrevent_name(event);
	return !str_is(event, "OldObjectSample") && !str_is(event, "JavaErrorThrow") &&
	       !str_is(event, "JavaExceptionThrow");
}
