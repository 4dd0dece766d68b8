/*
 * perfjson: samples by perf data convert --to-json, leaf first:
 *
 *	{"linux-perf-json-version": 1, "headers": {...}, "samples": [
 *	  {"timestamp": 4883222298299, "pid": 28419, "tid": 28419, "comm": "w0", "callchain": [
 *	    {"ip": "0x56269ebb918c", "symbol": "leaf", "dso": "w0"}, ...]}, ...]}
 *
 * It has neither events nor periods: each sample counts 1.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"

struct profile {
	struct reader *reader;
	struct stack stack;
	uint32_t event;
	uint64_t time;
	struct text pid, tid, comm;
	struct text ip, symbol, dso; /* of the current frame */
	bool chain; /* the sample has a call chain */
};

static const struct json_field frame_fields[] = {
    JSON_FIELD("ip", TEXT, struct profile, ip),
    JSON_FIELD("symbol", TEXT, struct profile, symbol),
    JSON_FIELD("dso", TEXT, struct profile, dso),
};

static void
read_frame(struct json *j, void *to)
{
	struct profile *p = to;
	struct frame f = {0};
	struct str ip;

	p->ip.len = p->symbol.len = p->dso.len = 0;
	json_fields(j, frame_fields, p);
	ip = text_as_str(&p->ip);
	f.has_address = scan_hex(&ip, &f.address);
	f.function = text_as_str(&p->symbol);
	f.module = text_as_str(&p->dso);
	f.kind = frame_kind_of(f.module);
	if (f.has_address && ip.len == 0) {
		stack_function(&p->stack, f);
		return;
	}
	if (!p->stack.broken)
		json_malformed(j, "a frame without its address");
	p->stack.broken = true;
}

static void
read_chain(struct json *j, void *to)
{
	struct profile *p = to;

	p->chain = true;
	for (bool any = json_array(j); any && json_item(j);)
		read_frame(j, p);
}

static const struct json_field sample_fields[] = {
    JSON_FIELD("timestamp", WHOLE, struct profile, time),
    JSON_FIELD("pid", TEXT, struct profile, pid),
    JSON_FIELD("tid", TEXT, struct profile, tid),
    JSON_FIELD("comm", TEXT, struct profile, comm),
    JSON_READ("callchain", read_chain),
};

static void
read_sample(struct json *j, void *to)
{
	struct profile *p = to;
	struct sample_task task;

	p->pid.len = p->tid.len = p->comm.len = 0;
	p->time = SAMPLE_NO_TIME;
	p->chain = false;
	json_fields(j, sample_fields, p);
	if (!p->chain && !p->stack.broken) {
		json_malformed(j, "a sample without its call chain");
		p->stack.broken = true;
	}
	task = (struct sample_task){.comm = text_as_str(&p->comm),
	    .pid = text_as_str(&p->pid),
	    .tid = text_as_str(&p->tid)};
	stack_sample(&p->stack, &task, p->event, p->time, VALUE_ONE);
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {
	    JSON_VERSION("linux-perf-json-version", PERFJSON),
	    JSON_NEEDED_EACH("samples", read_sample),
	};
	struct profile p = {.reader = r};

	stack_init(&p.stack, r->sampler);
	p.event = sampler_event(r->sampler, (struct str){0}, str_of(FOLDED_SAMPLES));
	json_document(j, fields, &p);
	stack_free(&p.stack);
	json_fields_free(frame_fields, &p);
	json_fields_free(sample_fields, &p);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"linux-perf-json-version"};

	return json_find(data, len, path) ? 100 : 0;
}

const struct format perfjson_format = {
    .values = FOLDED_SAMPLED,
    .provides = DATA_TASK | DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_TIMES,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_LEAF_FIRST,
};
