/*
 * rprof: samples of R's own profiler, Rprof: names in quotes, leaf first,
 *
 *	memory profiling: line profiling: sample.interval=20000
 *	#File 1: /srv/model.R
 *	:1204:0:9638:12:1#3 "rnorm" 1#7 "f" "g"
 *
 * Numbers between colons at the start are of memory profiling: vectors of two sizes, nodes,
 * copies. `1#3` is the file and the line that the function after it executes.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"

struct profile {
	struct reader *reader;
	struct stack stack;
	struct json_strings files;
	bool memory;
};

/* Reads `memory profiling: line profiling: sample.interval=20000`; sets *us. */
static bool
read_head(struct str s, bool *memory, uint64_t *us)
{
	size_t at = str_find(s, "sample.interval=");
	struct str number = str_from(s, at + strlen("sample.interval="));

	if (at == s.len || !scan_number(&number, us) || number.len > 0)
		return false;
	*memory = str_find(s, "memory profiling: ") < s.len;
	return true;
}

/* Reads a sample; false if one of its frames cannot be read. */
static bool
read_stack(struct profile *p, struct str s)
{
	struct frame f = {0};

	if (p->memory && str_starts(s, ":"))
		for (int i = 0; i < 5; i++)
			scan_until(&s, ':');
	for (scan_blanks(&s); s.len > 0; scan_blanks(&s)) {
		uint64_t file, line;

		if (scan_number(&s, &file) && scan_word(&s, "#") && scan_number(&s, &line)) {
			f.file = json_string_at(&p->files, file > 0 ? (size_t)file - 1 : SIZE_MAX);
			f.line = (unsigned)line;
			continue;
		}
		if (!scan_word(&s, "\"") || str_find(s, "\"") == s.len)
			return false;
		f.function = scan_until(&s, '"');
		stack_frame(&p->stack, &f);
		f = (struct frame){0};
	}
	return true;
}

static void
read_input(struct reader *r)
{
	static const struct sample_task nobody;
	struct profile p = {.reader = r};
	struct str line;
	uint32_t event;
	uint64_t us;
	bool headed = false;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&p.stack, r->sampler);
	event = sampler_event(r->sampler, (struct str){0}, str_of(FOLDED_SAMPLES));
	while (reader_line(r, &line)) {
		if (read_head(line, &p.memory, &us)) {
			sampler_period(r->sampler, event, value_of(us), "us");
			headed = true;
		} else if (!headed) {
			reader_refuse(r, r->number, "not the first line of a profile by Rprof");
		} else if (scan_word(&line, "#File ")) {
			scan_until(&line, ':');
			json_strings_add(&p.files, str_trim(line));
		} else if (line.len > 0) {
			if (!read_stack(&p, line))
				reader_broken(r, &p.stack, "not a sample of Rprof");
			stack_sample(&p.stack, &nobody, event, SAMPLE_NO_TIME, VALUE_ONE);
		}
	}
	stack_free(&p.stack);
	json_strings_free(&p.files);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool memory;
	uint64_t us;

	return scan_line(&rest, &line) && read_head(line, &memory, &us) ? 97 : 0;
}

const struct format rprof_format = {
    .values = FOLDED_SAMPLED,
    .provides = DATA_SOURCE | DATA_ORDER,
    .sniff = sniff,
    .read = read_input,
};
