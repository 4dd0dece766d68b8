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
jfrevent_lasts(struct str event)
{
	event = jfrevent_name(event);
	return !str_is(event, "OldObjectSample") && !str_is(event, "JavaErrorThrow") &&
	       !str_is(event, "JavaExceptionThrow");
}
