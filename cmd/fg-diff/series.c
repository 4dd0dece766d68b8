/*
 * series: finds the changes in a series of profiles.
 *
 * Functions are compared as shares of the code that did not change: the size of each profile
 * is the weighted median of its functions' ratios to their means. Each function is tested by
 * segment.c, with one false alarm rate for all of them together.
 */
#include "fg-diff/series.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-diff/compare.h"
#include "fg-diff/inputs.h"
#include "names/identity.h"
#include "stats/distribution.h"

#define THREADS 2
#define MEMORY_MIN 40 /* minimum profiles to estimate the correlation of neighbours */
#define SIZE_MAX_WEIGHT 0.05 /* share of one function in the size of a profile */
#define OTHERS_MAX_WEIGHT 0.05 /* in the size by which a large one is scaled */
#define MEMORY_MAX_WEIGHT 0.10 /* share of one function in the correlation of neighbours */
#define LEVEL_MIN 5 /* functions, of which one is not the scale of all */
#define LARGE 0.10 /* of the total: functions that are scaled by the others */
#define REREAD 12 /* limit of steps for which that is done */

/*
 * Values of one profile, by the names of the thread that read it. Does not depend on other files,
 * so not on the thread that reads them.
 */
struct profile {
	struct spent_value {
		uint32_t name; /* then of series.names; functions may occur more than once */
		float value;
	} * spent;
	uint32_t n;
	unsigned reader;
	double profile_total, sample; /* weight of one sample; 0: unknown */
	char *unit; /* owned; or NULL */
	struct labels *labels;
	uint64_t lines, malformed;
};

/* The order of messages: those about a file wait until all files before it are read. */
struct order {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	bool *finished; /* by file */
	size_t done; /* number of files from the first on that are read */
};

struct reader {
	struct series *series;
	struct profile *profile; /* of all files */
	atomic_size_t *next;
	struct order *order; /* NULL: messages do not wait */
	size_t file; /* the current one */
	unsigned number;
	unsigned picked; /* column of the current file */
	struct calltree *names;
	double *value; /* by name; all 0 between files */
	uint32_t *touched, ntouched, captouched, capvalue;
};

static void
spend(struct reader *r, uint32_t name, double v)
{
	uint32_t had = r->capvalue;

	vec_fit(r->value, r->capvalue, (size_t)name + 1);
	if (r->capvalue > had)
		memset(r->value + had, 0, (r->capvalue - had) * sizeof *r->value);
	if (r->value[name] == 0) {
		vec_fit(r->touched, r->captouched, (size_t)r->ntouched + 1);
		r->touched[r->ntouched++] = name;
	}
	r->value[name] += v;
}

static void
account(struct reader *r, struct profile *p, const struct calltree *t)
{
	uint32_t *item = cli_alloc(t->nname, sizeof *item);

	for (uint32_t i = 1; i < t->nname; i++)
		item[i] = calltree_intern(r->names, t->name[i].s, t->name[i].len);
	for (uint32_t i = 1; i < t->nnode; i++)
		if (value_array_has(&t->self[r->picked], i)) {
			double v = value_array_double(&t->self[r->picked], i);

			if (v > 0)
				spend(r, item[t->node[i].name], v);
			p->profile_total += v;
		}
	free(item);
	p->reader = r->number;
	p->n = r->ntouched;
	p->spent = cli_alloc(p->n, sizeof *p->spent);
	for (uint32_t i = 0; i < p->n; i++) {
		p->spent[i] = (struct spent_value){r->touched[i], (float)r->value[r->touched[i]]};
		r->value[r->touched[i]] = 0;
	}
	r->ntouched = 0;
}

static void
wait_for_earlier(void *reader)
{
	struct reader *r = reader;

	pthread_mutex_lock(&r->order->lock);
	while (r->order->done < r->file)
		pthread_cond_wait(&r->order->moved, &r->order->lock);
	pthread_mutex_unlock(&r->order->lock);
}

static void
finish_file(struct order *o, size_t file, size_t n)
{
	pthread_mutex_lock(&o->lock);
	o->finished[file] = true;
	while (o->done < n && o->finished[o->done])
		o->done++;
	pthread_cond_broadcast(&o->moved);
	pthread_mutex_unlock(&o->lock);
}

static void
read_profile(struct reader *r, const char *path, struct profile *p)
{
	struct folded folded = r->series->folded;
	struct calltree *t = NULL;
	struct folded_file file;

	folded.columns = (struct folded_columns){.n = folded.columns.n};
	for (unsigned c = 0; c < folded.columns.n; c++)
		folded.columns.name[c] = cli_strdup(r->series->folded.columns.name[c]);
	folded_open(&file, &folded, path);
	folded_read(&file, &t);
	side_refuse_nameless(&file, path);
	folded_close(&file);
	p->lines = folded.lines;
	p->malformed = folded.malformed;
	if (t != NULL) {
		r->picked = r->series->column == NULL
				? 0
				: folded_columns_find(&folded.columns, r->series->column, path);
		p->sample = folded_sample_weight(&folded.columns, r->picked);
		if (folded.columns.unit[r->picked] != NULL)
			p->unit = cli_strdup(folded.columns.unit[r->picked]);
		labels_join(&p->labels, folded.columns.labels);
		account(r, p, t);
		calltree_free(t);
	}
	folded_columns_free(&folded.columns);
}

static void *
read_profiles(void *reader)
{
	struct reader *r = reader;
	struct series *s = r->series;

	while ((r->file = atomic_fetch_add(r->next, 1)) < s->n) {
		if (r->order != NULL)
			cli_speak_after(wait_for_earlier, r);
		read_profile(r, s->path[r->file], &r->profile[r->file]);
		if (r->order != NULL)
			finish_file(r->order, r->file, s->n);
	}
	return NULL;
}

/* Finds the functions of all profiles, and names them in the order of the files. */
static void
join_names(struct series *s, const struct profile *profile, const struct reader *reader)
{
	struct identity_side *side = cli_alloc(s->n, sizeof *side);
	struct identity id;
	uint32_t *name = NULL; /* by function */

	for (size_t i = 0; i < s->n; i++) {
		const struct profile *p = &profile[i];
		struct calltree_name *frame = cli_alloc((size_t)p->n + 1, sizeof *frame);

		for (uint32_t k = 0; k < p->n; k++)
			frame[k + 1] = reader[p->reader].names->name[p->spent[k].name];
		side[i] = (struct identity_side){.name = frame, .n = p->n + 1, .labels = p->labels};
	}
	identity_find(&id, side, s->n);
	name = cli_alloc(id.functions->nname, sizeof *name);
	s->names = calltree_new(0);
	for (size_t i = 0; i < s->n; i++) {
		for (uint32_t k = 0; k < profile[i].n; k++) {
			uint32_t f = side[i].function[k + 1];
			const struct calltree_name *of = &id.functions->name[f];

			if (name[f] == 0)
				name[f] = calltree_intern(s->names, of->s, of->len);
			profile[i].spent[k].name = name[f];
		}
		free((struct calltree_name *)side[i].name);
		labels_free(profile[i].labels);
	}
	free(name);
	identity_free(&id);
}

/* Builds the matrix of all tested functions by profile from the readers' data. */
static void
gather(struct series *s, struct profile *profile, const struct reader *reader)
{
	double *mean;

	join_names(s, profile, reader);
	s->file = cli_alloc(s->n, sizeof *s->file);
	mean = cli_alloc(s->names->nname, sizeof *mean);
	for (size_t i = 0; i < s->n; i++) {
		if (profile[i].profile_total <= 0)
			continue;
		s->file[s->length++] = (uint32_t)i;
		for (uint32_t k = 0; k < profile[i].n; k++)
			mean[profile[i].spent[k].name] +=
			    profile[i].spent[k].value / profile[i].profile_total;
	}
	if (s->length < SERIES_MIN)
		cli_die("a series needs %d profiles that are not empty; %zu %s given", SERIES_MIN,
		    s->length, s->length == 1 ? "was" : "were");
	s->tested = cli_alloc(s->names->nname, sizeof *s->tested);
	for (uint32_t i = 1; i < s->names->nname; i++) {
		double share = mean[i] / (double)s->length;

		mean[i] = -1;
		if (share >= SERIES_FAMILY) {
			mean[i] = (double)s->functions;
			s->tested[s->functions++] = i;
		}
	}
	s->share = cli_alloc(s->functions, s->length * sizeof *s->share);
	s->sample = cli_alloc(s->length, sizeof *s->sample);
	for (size_t t = 0; t < s->length; t++) {
		const struct profile *p = &profile[s->file[t]];

		s->sample[t] = p->sample / p->profile_total;
		for (uint32_t k = 0; k < p->n; k++) {
			double at = mean[p->spent[k].name];

			if (at >= 0)
				s->share[(size_t)at * s->length + t] +=
				    p->spent[k].value / p->profile_total;
		}
	}
	free(mean);
}

struct weighted {
	double x, weight;
};

static int
compare_weighted(const void *a, const void *b)
{
	double x = ((const struct weighted *)a)->x, y = ((const struct weighted *)b)->x;

	return (x > y) - (x < y);
}

static double
weighted_median(struct weighted *x, size_t n)
{
	double half = 0, sum = 0;

	sort_items(x, n, sizeof *x, compare_weighted);
	for (size_t i = 0; i < n; i++)
		half += x[i].weight / 2;
	for (size_t i = 0; i < n; i++)
		if ((sum += x[i].weight) >= half)
			return x[i].x;
	return 1;
}

/* Lowers weights so that none is more than `most` of their sum. */
static void
limit_weights(struct weighted *x, size_t n, double most)
{
	double limit = INFINITY;

	most = fmax(most, 1.0 / (double)(n > 0 ? n : 1));
	for (int pass = 0; pass < 100; pass++) {
		double sum = 0, largest = 0;

		for (size_t i = 0; i < n; i++) {
			sum += fmin(x[i].weight, limit);
			largest = fmax(largest, fmin(x[i].weight, limit));
		}
		if (largest <= most * sum * (1 + 1e-6))
			break;
		limit = most * sum;
	}
	for (size_t i = 0; i < n; i++)
		x[i].weight = fmin(x[i].weight, limit);
}

/* Sets the weights of the functions for the size of a profile, without function `but`. */
static void
weigh(const struct series *s, const double *mean, size_t but, struct weighted *weight)
{
	bool some = but < s->functions;

	for (size_t i = 0; i < s->functions; i++)
		weight[i].weight = i != but ? mean[i] : 0;
	if (s->functions >= LEVEL_MIN)
		limit_weights(weight, s->functions, some ? OTHERS_MAX_WEIGHT : SIZE_MAX_WEIGHT);
}

/* Size of profile t: the median of ratios to the means. */
static double
size_of_profile(const struct series *s, const double *mean, size_t t, const struct weighted *weight)
{
	struct weighted *ratio = cli_alloc(s->functions, sizeof *ratio);
	double size;

	for (size_t i = 0; i < s->functions; i++)
		ratio[i] =
		    (struct weighted){s->share[i * s->length + t] / mean[i], weight[i].weight};
	size = weighted_median(ratio, s->functions);
	free(ratio);
	return size;
}

/*
 * Scales all profiles to one size: shares of the code that did not change. A large function is
 * scaled by the others, since its own ratio would hide its changes.
 */
static void
level(struct series *s)
{
	struct weighted *weight = cli_alloc(s->functions, sizeof *weight);
	double *mean = cli_alloc(s->functions, sizeof *mean);
	double *size = cli_alloc(s->length, sizeof *size);
	double *own = cli_alloc(s->functions, s->length * sizeof *own);

	for (size_t i = 0; i < s->functions; i++)
		for (size_t t = 0; t < s->length; t++)
			mean[i] += s->share[i * s->length + t] / (double)s->length;
	weigh(s, mean, SIZE_MAX, weight);
	for (size_t t = 0; t < s->length; t++) {
		size[t] = size_of_profile(s, mean, t, weight);
		if (size[t] > 0)
			s->sample[t] /= size[t];
	}
	for (size_t i = 0; i < s->functions; i++) {
		bool large = s->functions >= LEVEL_MIN && mean[i] >= LARGE;

		if (large)
			weigh(s, mean, i, weight);
		for (size_t t = 0; t < s->length; t++) {
			double of = large ? size_of_profile(s, mean, t, weight) : size[t];

			own[i * s->length + t] = s->share[i * s->length + t] / (of > 0 ? of : 1);
		}
	}
	free(s->share);
	s->share = own;
	free(weight);
	free(mean);
	free(size);
}

/* Checks that all profiles have the same unit, if any. */
static void
check_units(struct series *s, const struct profile *profile)
{
	const struct profile *known = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct profile *p = &profile[i];

		s->folded.lines += p->lines;
		s->folded.malformed += p->malformed;
		if (p->unit == NULL)
			continue;
		if (known != NULL && !unit_is_same(p->unit, known->unit))
			cli_die("a series needs one unit: %s is in %s, %s in %s",
			    s->path[known - profile], known->unit, s->path[i], p->unit);
		if (known == NULL)
			known = p;
	}
	folded_finish(&s->folded, NULL);
}

void
series_read(struct series *s)
{
	struct profile *profile = cli_alloc(s->n, sizeof *profile);
	const unsigned readers = inputs_small(s->path, s->n) ? 1 : THREADS;
	struct reader reader[THREADS] = {0};
	pthread_t thread[THREADS];
	atomic_size_t next = 0;
	atomic_uint warned = 0;
	struct order order = {.lock = PTHREAD_MUTEX_INITIALIZER,
	    .moved = PTHREAD_COND_INITIALIZER,
	    .finished = cli_alloc(s->n, sizeof *order.finished)};

	s->folded.all_warned = &warned;
	for (unsigned k = 0; k < readers; k++) {
		reader[k] = (struct reader){.series = s,
		    .profile = profile,
		    .next = &next,
		    .order = inputs_piped(s->path, s->n) ? NULL : &order,
		    .number = k,
		    .names = calltree_new(0)};
		if (readers > 1 && pthread_create(&thread[k], NULL, read_profiles, &reader[k]) != 0)
			cli_die("cannot create a thread");
	}
	if (readers == 1)
		read_profiles(&reader[0]);
	for (unsigned k = 0; readers > 1 && k < readers; k++)
		pthread_join(thread[k], NULL);
	cli_speak_after(NULL, NULL);
	s->folded.all_warned = NULL;
	check_units(s, profile);
	gather(s, profile, reader);
	for (unsigned k = 0; k < readers; k++) {
		calltree_free(reader[k].names);
		free(reader[k].value);
		free(reader[k].touched);
	}
	for (size_t i = 0; i < s->n; i++) {
		free(profile[i].spent);
		free(profile[i].unit);
	}
	free(profile);
	free(order.finished);
	level(s);
}

/*
 * True if a step lasts: its level is the last one, or the function's last level is nearer to
 * it than to the level before the step.
 */
static bool
stayed(const struct step *step, const struct step *last)
{
	return step == last || (last->after - step->before) / (step->after - step->before) >= 0.5;
}

static int
compare_changes(const void *a, const void *b, void *series)
{
	const struct series_change *x = a, *y = b;
	const struct series *s = series;
	double d = fabs(x->step.after - x->step.before), e = fabs(y->step.after - y->step.before);

	if (x->step.at != y->step.at)
		return x->step.at < y->step.at ? -1 : 1;
	if (d != e)
		return d > e ? -1 : 1;
	return strcmp(s->names->name[x->function].s, s->names->name[y->function].s);
}

void
series_judge(struct series *s)
{
	struct segment_rules rules = {.tests = (double)s->functions * s->looks, .block_ratio = 1};
	double *ratio = cli_alloc(s->functions, sizeof *ratio);
	struct step step[SEGMENT_STEPS];
	struct drift drift;
	size_t cap = 0, reread = 0;
	struct weighted *memory = cli_alloc(s->functions, sizeof *memory);

	for (size_t i = 0; i < s->functions; i++) {
		struct segment_residual r = segment_residual(s->share + i * s->length, s->length);

		double share = 0, *y = s->share + i * s->length;

		/* weighted by share: sampling noise hides the correlation in small functions */
		for (size_t t = 0; t < s->length; t++)
			share += y[t] / (double)s->length;
		memory[i] = (struct weighted){r.memory, share * share};
		ratio[i] = r.block_ratio;
	}
	limit_weights(memory, s->functions, MEMORY_MAX_WEIGHT);
	if (s->length >= MEMORY_MIN)
		rules.memory = weighted_median(memory, s->functions);
	s->correlated = rules.memory > SEGMENT_MEMORY;
	free(memory);
	sort_items(ratio, s->functions, sizeof *ratio, compare_doubles);
	if (s->functions > 0)
		rules.block_ratio = ratio[s->functions / 2];
	for (size_t t = 0; t < s->length; t++)
		rules.sampling += s->sample[t] / (double)s->length;
	for (size_t i = 0; i < s->functions; i++) {
		const double *y = s->share + i * s->length;
		size_t n = segment_find(y, s->length, &rules, step);

		for (size_t k = 0; k < n; k++) {
			vec_fit(s->change, cap, s->changes + 1);
			s->change[s->changes++] = (struct series_change){
			    .function = s->tested[i],
			    .step = step[k],
			    .stayed = stayed(&step[k], &step[n - 1]),
			};
		}
		if (n == 0 && !s->correlated && segment_drift(y, s->length, &rules, &drift)) {
			vec_fit(s->change, cap, s->changes + 1);
			s->change[s->changes++] = (struct series_change){
			    .function = s->tested[i],
			    .drifts = true,
			    .stayed = true,
			    .step = {0, drift.begin, drift.end, drift.p, drift.error, drift.df,
				drift.error / 2},
			};
		}
	}
	free(ratio);
	if (s->changes > 0)
		sort_items_of(s->change, s->changes, sizeof *s->change, compare_changes, s);
	for (size_t i = 0, end; i < s->changes && reread < REREAD; i = end) {
		for (end = i + 1;
		     end < s->changes && s->change[end].step.at == s->change[i].step.at;)
			end++;
		if (s->change[i].step.at == 0) /* a drift */
			continue;
		series_moves(s, i, end);
		reread++;
	}
}

static double
size_of(const struct series_change *x)
{
	return fabs(x->step.after - x->step.before);
}

const struct series_change *
series_slower(const struct series *s)
{
	const struct series_change *most = NULL;

	for (size_t i = 0; i < s->changes; i++) {
		const struct series_change *x = &s->change[i];

		if (x->step.after > x->step.before && x->stayed && !x->moved && !x->drifts &&
		    (most == NULL || size_of(x) > size_of(most)))
			most = x;
	}
	return most;
}

const struct series_change *
series_drift(const struct series *s)
{
	const struct series_change *most = NULL;

	for (size_t i = 0; i < s->changes; i++)
		if (s->change[i].drifts && (most == NULL || size_of(&s->change[i]) > size_of(most)))
			most = &s->change[i];
	return most;
}

struct interval
series_interval(const struct series *s, const struct series_change *x, bool marginal)
{
	double tests = (double)s->functions * s->looks * (x->drifts ? 1 : (double)s->length);
	double limit = student_limit(marginal ? 0.05 : SEGMENT_LEVEL / tests, x->step.df);
	double change = x->step.after - x->step.before, base = x->step.before;
	double low = change - limit * x->step.error, high = change + limit * x->step.error;

	if (base <= 0)
		return (struct interval){-100, INFINITY};
	/* the interval of a reported change excludes 0 */
	if (!marginal && change > 0)
		low = fmax(low, change * 1e-3);
	if (!marginal && change < 0)
		high = fmin(high, change * 1e-3);
	return (struct interval){fmax(100 * low / base, -100), 100 * high / base};
}

void
series_free(struct series *s)
{
	calltree_free(s->names);
	free(s->file);
	free(s->tested);
	free(s->share);
	free(s->sample);
	free(s->change);
}
