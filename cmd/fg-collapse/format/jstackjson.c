/*
 * jstackjson: thread dumps of JDK 21 and newer as JSON, with virtual threads,
 *
 *	{"threadDump": {"processId": "12", "threadContainers": [
 *	  {"container": "<root>", "parent": null, "threads": [
 *	    {"tid": "1", "name": "main", "stack": ["java.base/java.lang.Thread.sleep(...)",
 *...]}]}]}}
 *
 * Stacks are leaf first. The containers of a thread, such as executors, are frames at its root;
 * the number of an object, as in `ThreadPoolExecutor@1b2c`, is removed.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/javaframe.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"

struct dump {
	struct backtrace threads;
	struct json_strings containers, parents; /* of all containers so far */
	struct text container, parent; /* of the current one */
	struct text pid, name, tid, state;
	bool threads_read; /* the current container has a list of threads */
	bool traced; /* the current thread has a stack, perhaps without frames */
};

static void
read_frame(struct json *j, void *to)
{
	struct dump *d = to;
	struct stack *stack = &d->threads.stack;
	struct str s;

	if (json_text(j, &s) && javaframe_add(stack, d->threads.reader->options, s))
		return;
	if (!stack->broken)
		json_malformed(j, "not a frame of Java");
	stack->broken = true;
}

/* Name of a container without the number of the object. */
static struct str
without_number(struct str name)
{
	const char *at = name.len > 0 ? memrchr(name.s, '@', name.len) : NULL;

	return at == NULL ? name : (struct str){name.s, (size_t)(at - name.s)};
}

/* Adds the current container and those around it, which precede it in the dump. */
static void
add_containers(struct dump *d)
{
	struct str name = text_as_str(&d->container), parent = text_as_str(&d->parent);
	size_t i = d->containers.n;

	while (name.len > 0 && !text_is(name.s, name.len, "<root>")) {
		stack_frame(&d->threads.stack, &(struct frame){.function = without_number(name)});
		name = (struct str){0};
		while (i > 0 && name.len == 0)
			if (str_equal(json_string_at(&d->containers, --i), parent)) {
				name = json_string_at(&d->containers, i);
				parent = json_string_at(&d->parents, i);
			}
	}
}

static const struct json_field thread_fields[] = {
    JSON_NEEDED_FIELD("name", TEXT, struct dump, name),
    JSON_FIELD("tid", TEXT, struct dump, tid),
    JSON_FIELD("state", TEXT, struct dump, state),
    JSON_ARRAY_FIELD("stack", read_frame, struct dump, traced),
};

static void
read_thread(struct json *j, void *to)
{
	struct dump *d = to;
	struct stack *stack = &d->threads.stack;
	bool named;

	text_cut(&d->name, 0);
	text_cut(&d->tid, 0);
	text_cut(&d->state, 0);
	d->traced = false;
	backtrace_thread(&d->threads, (struct str){0}, (struct str){0});
	named = json_fields(j, thread_fields, d) == NULL;
	text_str(&d->threads.name, text_as_str(&d->name));
	text_str(&d->threads.tid, text_as_str(&d->tid));
	backtrace_state(&d->threads, text_as_str(&d->state));
	if ((!named || d->tid.len == 0 || d->container.len == 0 || !d->traced) && !stack->broken) {
		json_malformed(j, "a thread without its name, number, stack or container");
		stack->broken = true;
	}
	add_containers(d);
	d->threads.bare = true; /* threads of the virtual machine have no frames */
	backtrace_end(&d->threads);
}

static const struct json_field container_fields[] = {
    JSON_FIELD("container", TEXT, struct dump, container),
    JSON_NEEDED_FIELD("parent", TEXT, struct dump, parent),
    JSON_ARRAY_FIELD("threads", read_thread, struct dump, threads_read),
};

static void
read_container(struct json *j, void *to)
{
	struct dump *d = to;

	text_cut(&d->container, 0);
	text_cut(&d->parent, 0);
	d->threads_read = false;
	if (json_fields(j, container_fields, d) != NULL || !d->threads_read)
		json_malformed(j, "a container without its parent or threads");
	json_strings_add(&d->containers, text_as_str(&d->container));
	json_strings_add(&d->parents, text_as_str(&d->parent));
}

static void
read_pid(struct json *j, void *to)
{
	struct dump *d = to;

	json_keep(j, &d->pid);
	backtrace_process(&d->threads, text_as_str(&d->pid));
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {
	    JSON_VERSION("threadDump.formatVersion", JSTACK),
	    JSON_READ("threadDump.processId", read_pid),
	    JSON_NEEDED_EACH("threadDump.threadContainers", read_container),
	};
	struct dump d = {0};

	backtrace_init(&d.threads, r, true);
	json_document(j, fields, &d);
	backtrace_free(&d.threads);
	json_strings_free(&d.containers);
	json_strings_free(&d.parents);
	text_free(&d.pid);
	json_fields_free(thread_fields, &d);
	json_fields_free(container_fields, &d);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"threadDump.threadContainers"};

	return json_find(data, len, path) ? 100 : 0;
}

const struct format jstackjson_format = {
    .provides = DATA_TASK | DATA_MODULE | DATA_SOURCE | DATA_ORDER | DATA_STATE | DATA_PACKAGES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_LEAF_FIRST,
};
