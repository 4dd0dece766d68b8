/*
 * live: a thread reads the stream, so that keys are handled while a pipe has no data. It
 * collects stacks for the current step; a time mark ends the step. The window is a list of
 * steps with a tree each. With decay, or without a window, it is a single tree, so memory is
 * bounded by the distinct stacks in the window.
 */
#include "fg-render/terminal/live.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/clock.h"
#include "base/vec.h"
#include "fg-render/outputs.h"
#include "fg-render/terminal/screen.h"
#include "fg-render/text/changes.h"
#include "fg-render/reading/times.h"
#include "fg-render/terminal/tty.h"
#include "profile/foldedtest.h"

#define LONGEST_STEP 1000 /* without time marks, a step ends after this many ms without data */
#define HEADER 65536 /* limit of the header lines, bytes */
#define SMALLEST 0.001 /* a value that decays below this is dropped */

struct stream_step {
	uint64_t at; /* ns */
	struct calltree *tree;
};

struct stream {
	const struct live *live;
	struct folded *folded;
	const char *path;
	pthread_mutex_t lock;
	/* Guarded by the lock. */
	struct stream_step *done; /* complete steps that the main thread has not taken yet */
	size_t ndone, capdone;
	struct folded_columns columns; /* as of the last complete step */
	bool ended;
	int wake[2]; /* pipe: a byte for each step and for the end of the stream */
};

struct live
live_parse(const char *arg)
{
	struct live l = {.seconds = 30};

	if (arg == NULL)
		return l;
	if (strcmp(arg, "all") == 0)
		return (struct live){0};
	if (strncmp(arg, "decay:", 6) == 0) {
		l.decay = true;
		arg += 6;
	}
	l.seconds = (double)number_time("--live", arg, SECOND_NS / 100, 1000000 * SECOND_NS) / 1e9;
	return l;
}

static void
wake(struct stream *s)
{
	if (write(s->wake[1], "", 1) < 0 && errno != EAGAIN)
		cli_die("live: %s", strerror(errno));
}

static void
complete(struct stream *s, uint64_t at, struct calltree **tree)
{
	if (*tree == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	vec_fit(s->done, s->capdone, s->ndone + 1);
	s->done[s->ndone++] = (struct stream_step){at, *tree};
	s->columns = s->folded->columns;
	pthread_mutex_unlock(&s->lock);
	*tree = NULL;
	wake(s);
}

/* Parses the text of one step, after the header lines of the stream so far, into a tree. */
static struct calltree *
parse_step(struct stream *s, const struct text *header, const struct text *step, bool first)
{
	int fd = compat_memory("step");
	struct folded_prefix prefix = {0};
	struct calltree *tree = NULL;
	struct folded_file f;
	struct folded_line l;
	struct output *o;

	if (fd < 0)
		cli_die("live: %s", strerror(errno));
	o = output_fd(dup(fd), "a step of the stream");
	if (header->len > 0)
		output_write(o, header->s, header->len);
	output_write(o, step->s, step->len);
	output_close(o);
	lseek(fd, 0, SEEK_SET);
	folded_consumer(&f, s->folded, lines_over(source_fd(fd, "the stream"), lines_cut_line));
	if (first)
		foldedtest_refuse(f.in, s->folded->fixed);
	while (folded_next(&f, &l)) {
		uint32_t node;

		if (tree == NULL)
			tree = calltree_new(s->folded->columns.n);
		node = folded_add(tree, &prefix, l.stack, l.len);
		for (unsigned k = 0; k < tree->columns; k++)
			calltree_add(tree, node, k, l.value[k]);
	}
	folded_close(&f);
	folded_prefix_free(&prefix);
	return tree;
}

/* Input received by the reading thread and not parsed yet. */
struct arrived {
	struct text bytes; /* start of an incomplete line */
	struct text header, step;
	uint64_t at; /* start of the step, ns */
	bool marked, parsed; /* a time mark has been read; a step has been parsed */
};

static void
end_step(struct stream *s, struct arrived *a)
{
	struct calltree *tree;

	if (a->step.len == 0)
		return;
	tree = parse_step(s, &a->header, &a->step, !a->parsed);
	text_cut(&a->step, 0);
	a->parsed = true;
	complete(s, a->at, &tree);
}

static void
add_line(struct stream *s, struct arrived *a, const char *line, size_t len)
{
	struct str words;
	uint64_t at;

	if (len < 2 || line[0] != '#' || line[1] != ' ') {
		text_add(&a->step, line, len);
		text_char(&a->step, '\n');
	} else if (foldedheader_key((struct str){line, len}, &words) != FOLDEDHEADER_TIME) {
		if (a->header.len + len < HEADER) {
			text_add(&a->header, line, len);
			text_char(&a->header, '\n');
		}
	} else if (times_parse(words, &at)) {
		end_step(s, a);
		a->at = at;
		a->marked = true;
	}
}

static void *
read_stream(void *stream)
{
	struct stream *s = stream;
	struct arrived a = {0};
	char buffer[65536];
	ssize_t n = 1;
	int fd = strcmp(s->path, "-") == 0 ? STDIN_FILENO : open(s->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		cli_die("%s: %s", s->path, strerror(errno));
	while (n != 0) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		int got = poll(&ready, 1, LONGEST_STEP);
		size_t from = 0;

		/* without time marks, a pause ends the step */
		if (got == 0 && !a.marked) {
			a.at = clock_ns(CLOCK_MONOTONIC);
			end_step(s, &a);
		}
		if (got <= 0)
			continue;
		n = read(fd, buffer, sizeof buffer);
		if (n < 0 && errno != EINTR)
			cli_die("%s: %s", s->path, strerror(errno));
		if (n > 0)
			text_add(&a.bytes, buffer, (size_t)n);
		for (const char *end; a.bytes.len > from && (end = memchr(a.bytes.s + from, '\n',
								 a.bytes.len - from)) != NULL;) {
			add_line(s, &a, a.bytes.s + from, (size_t)(end - a.bytes.s) - from);
			from = (size_t)(end - a.bytes.s) + 1;
		}
		if (from > 0) {
			memmove(a.bytes.s, a.bytes.s + from, a.bytes.len - from);
			text_cut(&a.bytes, a.bytes.len - from);
		}
	}
	if (a.bytes.len > 0)
		add_line(s, &a, a.bytes.s, a.bytes.len);
	end_step(s, &a);
	text_free(&a.bytes);
	text_free(&a.header);
	text_free(&a.step);
	pthread_mutex_lock(&s->lock);
	s->ended = true;
	pthread_mutex_unlock(&s->lock);
	wake(s);
	return NULL;
}

/*
 * Returns a tree with the values of t multiplied by factor, without those below SMALLEST.
 * Frees t.
 */
static struct calltree *
decayed(struct calltree *t, double factor)
{
	struct calltree *to = calltree_new(t->columns);
	uint32_t *node = cli_alloc(t->nnode, sizeof *node);
	bool *keep = cli_alloc(t->nnode, sizeof *keep);

	for (uint32_t i = t->nnode; i-- > 1;) {
		for (unsigned c = 0; c < t->columns; c++)
			keep[i] |= value_array_has(&t->self[c], i) &&
				   factor * value_array_double(&t->self[c], i) >= SMALLEST;
		keep[t->node[i].parent] |= keep[i];
	}
	for (uint32_t i = 1; i < t->nnode; i++) {
		const struct calltree_name *n = &t->name[t->node[i].name];

		if (!keep[i])
			continue;
		node[i] =
		    calltree_child(to, node[t->node[i].parent], calltree_intern(to, n->s, n->len));
		for (unsigned c = 0; c < t->columns; c++)
			if (value_array_has(&t->self[c], i))
				calltree_add(to, node[i], c,
				    (value)(factor * value_array_double(&t->self[c], i) *
					    (double)VALUE_ONE));
	}
	free(keep);
	free(node);
	calltree_free(t);
	return to;
}

/* The steps shown, newest last. Without a sliding window it is one merged step. */
struct window {
	const struct live *live;
	struct stream_step *step;
	size_t n, cap;
};

static void
take(struct window *w, struct stream_step s)
{
	uint64_t span = (uint64_t)(w->live->seconds * 1e9);
	size_t old = 0;

	if (w->n > 0 && (w->live->seconds == 0 || w->live->decay)) {
		struct stream_step *all = &w->step[0];

		if (w->live->decay && s.at > all->at)
			all->tree =
			    decayed(all->tree, exp2(-(double)(s.at - all->at) / (double)span));
		calltree_merge(all->tree, s.tree);
		all->at = s.at;
		calltree_free(s.tree);
		return;
	}
	while (old < w->n && w->step[old].at + span <= s.at)
		calltree_free(w->step[old++].tree);
	if (old > 0)
		memmove(w->step, w->step + old, (w->n - old) * sizeof *w->step);
	w->n -= old;
	vec_fit(w->step, w->cap, w->n + 1);
	w->step[w->n++] = s;
}

/* Makes a picture of the window, in memory of its own. */
static struct picture *
picture_of(const struct window *w, const struct options *o, const struct folded_columns *columns,
    void (*make)(struct picture *p))
{
	struct picture *p = cli_alloc(1, sizeof *p);

	p->options = o;
	p->tree = calltree_new(w->step[0].tree->columns);
	for (size_t i = 0; i < w->n; i++)
		calltree_merge(p->tree, w->step[i].tree);
	calltree_sort(p->tree);
	p->columns = *columns;
	make(p);
	return p;
}

static void
picture_free(struct picture *p)
{
	if (p == NULL)
		return;
	for (uint32_t i = 1; i < p->names.nplain; i++)
		if (p->names.text[i].len > 0 && p->names.text[i].s != p->tree->name[i].s)
			free((char *)(uintptr_t)p->names.text[i].s);
	for (unsigned k = 0; k < p->drawn.n; k++)
		free(p->drawn.unit[k]);
	if (p->diff.judged) {
		free(p->columns.name[p->drawn.column[p->diff.noise]]);
		free(p->columns.intervals);
		changes_free(p);
	}
	if (p->drawn.assumed != 0) {
		free(p->columns.unit[0]);
		free(p->columns.period[0].unit);
	}
	calltree_free(p->tree);
	free(p->names.text);
	free(p->names.name);
	free(p->names.function);
	free(p->names.rank);
	free(p->names.class);
	text_free(&p->names.colours);
	free(p->stacks.node);
	free(p->width);
	free(p->diff.base);
	free(p->diff.head);
	free(p->diff.quiet);
	free(p->dominant);
	free(p);
}

/* Moves the steps received since the last call into the window; true if the stream has ended. */
static bool
move_steps(struct stream *s, struct window *w, bool *any)
{
	struct stream_step *step;
	size_t n;
	bool ended;

	pthread_mutex_lock(&s->lock);
	step = s->done;
	n = s->ndone;
	ended = s->ended;
	s->done = NULL;
	s->ndone = s->capdone = 0;
	pthread_mutex_unlock(&s->lock);
	for (size_t i = 0; i < n; i++)
		take(w, step[i]);
	free(step);
	*any = n > 0;
	return ended;
}

void
live_fit(struct options *o)
{
	struct winsize size;

	if (o->output == NULL && isatty(STDOUT_FILENO) &&
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 4) {
		o->rows = size.ws_row - 2u;
		o->columns = size.ws_col;
	}
}

static void
redraw(struct window *w, struct screen *screen, struct picture **shown, const struct options *o,
    const struct folded_columns *columns, void (*make)(struct picture *p), struct output *out)
{
	struct picture *p = picture_of(w, o, columns, make);

	if (screen != NULL) {
		screen_show(screen, p);
	} else {
		/* on a terminal each picture replaces the last one */
		if (o->rows != 0)
			output_text(out, "\033[H\033[2J");
		o->kind->write(p, out);
		output_char(out, '\n');
		output_flush(out);
	}
	picture_free(*shown);
	*shown = p;
}

void
live_run(const struct live *live, const struct options *o, struct folded *folded, const char *path,
    void (*make)(struct picture *p), struct output *out)
{
	struct stream s = {.live = live, .folded = folded, .path = path};
	struct window w = {.live = live};
	struct picture *shown = NULL;
	struct screen *screen = NULL;
	const char *why = NULL;
	bool paused = false, ended = false, quit = false;
	int tty = -1; /* of keys without a screen */
	pthread_t thread;

	cli_progress_stop();
	pthread_mutex_init(&s.lock, NULL);
	if (pipe(s.wake) != 0 || pthread_create(&thread, NULL, read_stream, &s) != 0)
		cli_die("live: %s", strerror(errno));
	if (isatty(STDOUT_FILENO) && o->kind->needs & OUTPUT_COLOURS && o->output == NULL)
		screen = screen_open(&why);
	if (screen == NULL && o->kind->needs & OUTPUT_TERMINAL)
		cli_die("--live: %s", why != NULL ? why : "standard output is not a terminal");
	if (screen == NULL && o->rows != 0)
		tty = tty_open();
	/* on a terminal the last picture stays after the end of the stream, until q */
	while (!quit && !(ended && screen == NULL)) {
		struct pollfd fd[2] = {{.fd = s.wake[0], .events = POLLIN},
		    {.fd = screen != NULL ? screen_fd(screen) : tty, .events = POLLIN}};
		bool any = false;
		char bytes[256];

		if (poll(fd, 2, -1) < 0 && errno != EINTR)
			cli_die("live: %s", strerror(errno));
		if (fd[0].revents & POLLIN && read(s.wake[0], bytes, sizeof bytes) < 0)
			cli_die("live: %s", strerror(errno));
		ended = move_steps(&s, &w, &any);
		if (screen != NULL && shown != NULL) {
			int key = screen_key(screen, 0);

			quit = key < 0;
			if (key == ' ') {
				paused = !paused;
				any = true;
			}
			screen_note(screen, ended ? "ended" : paused ? "paused" : "");
			any |= ended && fd[0].revents & POLLIN;
		}
		if (tty >= 0 && fd[1].revents & POLLIN && read(tty, bytes, 1) == 1) {
			quit = bytes[0] == 'q';
			paused ^= bytes[0] == ' ';
			any |= bytes[0] == ' ';
			output_text(out, bytes[0] == ' ' && paused ? "paused\r" : "");
			output_flush(out);
		}
		if (any && w.n > 0 && (!paused || shown == NULL))
			redraw(&w, screen, &shown, o, &s.columns, make, out);
		else if (any && shown != NULL && screen != NULL)
			screen_show(screen, shown);
		if (ended && w.n == 0)
			break;
	}
	screen_close(screen);
	tty_close(tty);
	picture_free(shown);
	if (ended)
		pthread_join(thread, NULL);
	if (ended && w.n == 0)
		cli_die("%s: no stacks", strcmp(path, "-") == 0 ? "stdin" : path);
	for (size_t i = 0; i < w.n; i++)
		calltree_free(w.step[i].tree);
	free(w.step);
}
