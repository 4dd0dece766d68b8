#include "fg-render/terminal/screen.h"

#include <stdlib.h>

#include "base/cli.h"

#ifdef HAVE_NCURSESW

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <ncurses.h>

#include "base/text.h"
#include "fg-render/picture/palette.h"
#include "fg-render/terminal/place.h"
#include "fg-render/terminal/tty.h"
#include "fg-render/layout/visible.h"
#include "lazy/ncurses.h"
#include "names/cells.h"
#include "names/label.h"

#define TITLE_ROW 0
#define GRAPH_ROW 1 /* first line of the graph */
#define FOOT 2 /* lines below the graph: the selected frame; keys or input */

struct screen {
	SCREEN *terminal;
	FILE *tty;
	struct place place;
	const char *note;
	char message[200];
	bool help, legend; /* shown in place of the graph */
	short pairs; /* allocated colour pairs */
	struct {
		int background;
		bool dark;
	} pair[250];
};

/* Stores the terminal's strings that undo what ncurses sets up. */
static void
remember(int fd)
{
	static const char *const name[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
	/* The terminal reports the mouse no more. */
	char restore[256] = "\033[?1000l\033[?1006l";
	size_t n = strlen(restore);

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		const char *s = tigetstr((char *)(uintptr_t)name[i]);

		if (s != NULL && s != (char *)-1 && n + strlen(s) < sizeof restore)
			n = (size_t)(stpcpy(restore + n, s) - restore);
	}
	tty_guard(fd, restore);
}

void
screen_files(struct sandbox *files)
{
	static const char *const terminfo[] = {"/etc/terminfo", "/lib/terminfo",
	    "/usr/share/terminfo", "/usr/lib/terminfo", "/usr/local/share/terminfo"};

	/* reads files, so before the sandbox is entered */
	if (setlocale(LC_CTYPE, "") == NULL || MB_CUR_MAX == 1)
		setlocale(LC_CTYPE, "C.UTF-8");
	sandbox_add(files, SANDBOX_READ, "/dev/tty");
	sandbox_add(files, SANDBOX_WRITE, "/dev/tty");
	for (size_t i = 0; i < sizeof terminfo / sizeof terminfo[0]; i++)
		if (access(terminfo[i], R_OK) == 0)
			sandbox_add(files, SANDBOX_READ_BELOW, terminfo[i]);
	if (getenv("TERMINFO") != NULL)
		sandbox_add(files, SANDBOX_READ_BELOW, getenv("TERMINFO"));
}

/* Restores the terminal when the program exits on an error too. */
static void
end_at_exit(void)
{
	if (tty_guarded())
		endwin();
}

struct screen *
screen_open(const char **why)
{
	struct screen *s = cli_alloc(1, sizeof *s);

	s->note = "";
	s->tty = fopen("/dev/tty", "r+");
	if (s->tty == NULL || !tty_save(fileno(s->tty))) {
		*why = "no terminal (/dev/tty)";
	} else {
		s->terminal = newterm(NULL, s->tty, s->tty);
		*why = "unknown terminal type (TERM)";
	}
	if (s->terminal == NULL) {
		if (s->tty != NULL)
			fclose(s->tty);
		free(s);
		return NULL;
	}
	remember(fileno(s->tty));
	atexit(end_at_exit);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	mouseinterval(0);
	if (has_colors() && getenv("NO_COLOR") == NULL) {
		start_color();
		use_default_colors();
		s->pairs = 1;
	}
	place_open(&s->place);
	return s;
}

void
screen_close(struct screen *s)
{
	if (s == NULL)
		return;
	endwin();
	tty_release();
	delscreen(s->terminal);
	fclose(s->tty);
	place_close(&s->place);
	free(s);
}

int
screen_fd(const struct screen *s)
{
	return fileno(s->tty);
}

static unsigned
graph_rows(void)
{
	return LINES > GRAPH_ROW + FOOT ? (unsigned)(LINES - GRAPH_ROW - FOOT) : 1;
}

/*
 * Returns the terminal's colour for "#rrggbb": the same, or the nearest of the 256 or of the
 * basic 8 colours.
 */
static int
colour(const char *hex)
{
	static const unsigned basic[8][3] = {{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0},
	    {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229}};
	unsigned rgb[3] = {0, 0, 0}, least = UINT32_MAX;
	int best = 7;

	sscanf(hex, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]);
	if (COLORS > 1 << 20)
		return (int)(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
	if (COLORS >= 256)
		return (int)rows_colour256(hex);
	for (int i = 1; i < 8; i++) {
		unsigned far = 0;

		for (int k = 0; k < 3; k++)
			far += (rgb[k] - basic[i][k]) * (rgb[k] - basic[i][k]);
		if (far < least) {
			least = far;
			best = i;
		}
	}
	return best;
}

/* Returns the colour pair of a background with text of high contrast; 0 if no pair is left. */
static int
pair_of(struct screen *s, const char *hex, bool dark)
{
	int background = colour(hex), ink;
	short most = (short)(COLOR_PAIRS < 250 ? COLOR_PAIRS : 250);

	for (short i = 1; i < s->pairs; i++)
		if (s->pair[i].background == background && s->pair[i].dark == dark)
			return i;
	if (s->pairs == 0 || s->pairs >= most)
		return 0;
	ink = COLORS > 1 << 20 ? (dark ? 0xffffff : 0)
	      : COLORS >= 256  ? (dark ? 231 : 16)
	      : dark	       ? 7
			       : 0;
	init_extended_pair(s->pairs, ink, background);
	s->pair[s->pairs].background = background;
	s->pair[s->pairs].dark = dark;
	return s->pairs++;
}

static void
draw_frame(struct screen *s, const struct pane *pane, const struct shown *f, unsigned from,
    unsigned to, int y)
{
	const struct picture *p = &pane->view.picture;
	unsigned class = f->others ? 0 : palette_node(p, f->last);
	attr_t attributes = A_NORMAL;
	char hex[8] = "#c6c9cd";
	struct text b = {0};
	int pair = 0;

	if (!f->others)
		palette_hex(p, class, hex);
	if (s->pairs > 0)
		pair = pair_of(s, hex, !f->others && palette_is_dark(p, class));
	if (place_is_selected(&s->place, pane, f))
		attributes |= A_REVERSE;
	if (place_is_match(&s->place, pane, f))
		attributes |= A_BOLD | A_UNDERLINE;
	rows_add_frame(p, f, class, pair != 0, to - from, &b);
	attr_set(attributes, (short)pair, &pair);
	mvaddnstr(y, (int)from, b.s, (int)b.len);
	text_free(&b);
}

static void
draw_pane(struct screen *s, const struct pane *pane)
{
	for (uint32_t row = pane->first; row <= pane->rows.last; row++) {
		int y = GRAPH_ROW + place_line(&s->place, pane, row);
		unsigned at = 0;

		if (y < GRAPH_ROW || y >= LINES - FOOT)
			continue;
		for (size_t i = rows_first(&pane->rows, row);
		     i < pane->rows.n && pane->rows.shown[i].row == row; i++) {
			const struct shown *f = &pane->rows.shown[i];
			unsigned from, to;

			if (!rows_cells(&pane->view.picture, f, (unsigned)COLS, &from, &to) ||
			    from < at)
				continue;
			draw_frame(s, pane, f, from, to, y);
			at = to;
		}
	}
}

/* Draws one line of text, truncated to the screen's width: at its end, or its start. */
static void
draw_line(int y, const char *text, attr_t attributes, bool at_start)
{
	struct text clean = {0}, shown = {0};
	struct frame_name line;
	size_t from = 0, bytes;

	text_show(&clean, (struct str){text, strlen(text)});
	while (at_start &&
	       label_width(clean.s + from, clean.len - from) + (from > 0) > (unsigned)COLS) {
		label_cells(clean.s + from, &bytes);
		from += bytes;
	}
	line = (struct frame_name){.text = clean.s + from, .len = (uint32_t)(clean.len - from)};
	if (from > 0)
		text_puts(&shown, "\xe2\x80\xa6");
	if (line.len > 0)
		label_add(&shown, &line, (unsigned)COLS, true);
	attr_set(attributes, 0, NULL);
	move(y, 0);
	clrtoeol();
	if (shown.len > 0)
		mvaddnstr(y, 0, shown.s, (int)shown.len);
	text_free(&clean);
	text_free(&shown);
}

static void
draw_help(void)
{
	static const char *const help[] = {"arrows  select a frame, its callers and callees",
	    "Enter   zoom into it", "Backspace  zoom out by one", "0       zoom out completely",
	    "/       search (a regular expression); n N  next, previous match",
	    "s       callers and callees of the function",
	    "f h D   only stacks with the function; hide it; without stacks with it",
	    "F H     the same by the function's module", "O       only user code",
	    "l       legend: only one origin, thread, module or change, or without it",
	    "u U     undo, redo", "b e d   base, head, both of a differential; [ ]  another column",
	    "y       copy the stack to the clipboard", "PgUp PgDn  scroll",
	    "mouse   a click selects, a second one zooms; the wheel scrolls", "q       quit"};

	for (int i = 0; i < (int)(sizeof help / sizeof help[0]) && GRAPH_ROW + i < LINES - FOOT;
	     i++)
		draw_line(GRAPH_ROW + i, help[i], A_NORMAL, false);
}

static void
draw_legend(const struct screen *s)
{
	struct filter_choice choice[VIEWFILTER_CHOICES];
	unsigned n = place_choices(&s->place, choice);
	struct text b = {0};

	for (unsigned i = 0; i < n && GRAPH_ROW + (int)i < LINES - FOOT; i++) {
		text_cut(&b, 0);
		text_printf(&b, "%c  ", 'a' + i);
		viewfilter_add(s->place.p, &choice[i].only, &b);
		text_printf(&b, "; %c  ", 'A' + i);
		viewfilter_add(s->place.p, &choice[i].without, &b);
		draw_line(GRAPH_ROW + (int)i, b.s, A_NORMAL, false);
	}
	text_free(&b);
}

static void
draw(struct screen *s, const char *prompt)
{
	struct text b = {0};

	erase();
	place_title(&s->place, s->note, &b);
	draw_line(TITLE_ROW, b.s, A_BOLD, true);
	if (s->help) {
		draw_help();
	} else if (s->legend) {
		draw_legend(s);
	} else {
		for (unsigned i = 0; i < s->place.npane; i++)
			draw_pane(s, &s->place.pane[i]);
	}
	text_cut(&b, 0);
	place_status(&s->place, &b);
	draw_line(LINES - 2, b.s, A_NORMAL, false);
	draw_line(LINES - 1,
	    prompt != NULL ? prompt
	    : s->message[0] != '\0'
		? s->message
		: "Enter zoom  / search  s sandwich  f focus  h hide  u undo  ? keys  q quit",
	    A_DIM, false);
	text_free(&b);
	refresh();
}

void
screen_show(struct screen *s, const struct picture *p)
{
	place_show(&s->place, p, (unsigned)COLS, graph_rows());
	draw(s, NULL);
}

void
screen_note(struct screen *s, const char *note)
{
	s->note = note;
}

/* Reads a line at the foot of the screen; false if the user cancelled. */
static bool
ask(struct screen *s, char *line, size_t size)
{
	size_t n = strlen(line);

	timeout(-1);
	for (;;) {
		char prompt[300];
		int c;

		snprintf(prompt, sizeof prompt, "/%.250s", line);
		draw(s, prompt);
		c = getch();
		if (c == '\n' || c == '\r' || c == KEY_ENTER)
			return true;
		if (c == 27 || c == ERR)
			return false;
		if (c == KEY_RESIZE)
			place_resize(&s->place, (unsigned)COLS, graph_rows());
		else if (c == KEY_BACKSPACE || c == 127 || c == 8) {
			if (n > 0)
				line[--n] = '\0';
		} else if (c >= 32 && c < 256 && n + 1 < size) {
			line[n++] = (char)c;
			line[n] = '\0';
		}
	}
}

/* Copies the selected stack as folded text to the terminal's clipboard (OSC 52). */
static void
copy(struct screen *s)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct text stack = {0}, code = {0};

	place_stack(&s->place, &stack);
	text_puts(&code, "\033]52;c;");
	for (size_t i = 0; i < stack.len; i += 3) {
		uint32_t n = stack.len - i < 3 ? (uint32_t)(stack.len - i) : 3, bits = 0;

		for (uint32_t k = 0; k < 3; k++)
			bits = bits << 8 | (k < n ? (unsigned char)stack.s[i + k] : 0);
		for (uint32_t k = 0; k < 4; k++)
			text_char(&code, k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=');
	}
	text_puts(&code, "\a");
	fwrite(code.s, 1, code.len, s->tty);
	fflush(s->tty);
	snprintf(s->message, sizeof s->message, "copied %.150s", stack.s);
	text_free(&stack);
	text_free(&code);
}

/* A click selects a frame, one on the selected frame zooms; the wheel scrolls. */
static void
mouse(struct screen *s)
{
	MEVENT event;

	if (getmouse(&event) != OK)
		return;
	if (event.bstate & BUTTON4_PRESSED)
		place_act(&s->place, PLACE_UP);
	else if (event.bstate & BUTTON5_PRESSED)
		place_act(&s->place, PLACE_DOWN);
	else if (event.bstate & BUTTON1_PRESSED && event.y >= GRAPH_ROW && event.y < LINES - FOOT &&
		 place_click(&s->place, event.y - GRAPH_ROW, (unsigned)event.x))
		place_act(&s->place, PLACE_ZOOM);
}

/* Handles the keys that are not a movement in the picture. Returns as screen_key. */
static int
other_key(struct screen *s, int c)
{
	char pattern[200] = "";
	struct text why = {0};

	switch (c) {
	case 'q': return -1;
	case '?': s->help = !s->help; break;
	case 'l': s->legend = true; break;
	case 'y': copy(s); break;
	case '/':
		if (!ask(s, pattern, sizeof pattern) || place_search(&s->place, pattern))
			break;
		if (pattern_mistake(pattern, &why))
			snprintf(s->message, sizeof s->message, "%s", why.s);
		else
			snprintf(s->message, sizeof s->message, "not a regular expression: %.100s",
			    pattern);
		text_free(&why);
		break;
	case KEY_MOUSE: mouse(s); break;
	case 12: clearok(stdscr, TRUE); break;
	case KEY_RESIZE: place_resize(&s->place, (unsigned)COLS, graph_rows()); break;
	default: return c;
	}
	return 0;
}

/* Shows why a key did nothing, if there is a reason. */
static void
show_reason(struct screen *s, const char *why)
{
	if (why != NULL)
		snprintf(s->message, sizeof s->message, "%s", why);
}

int
screen_key(struct screen *s, int ms)
{
	static const struct {
		int key;
		enum place_act act;
	} keys[] = {{KEY_UP, PLACE_CALLER}, {KEY_DOWN, PLACE_CALLEE}, {KEY_LEFT, PLACE_LEFT},
	    {KEY_RIGHT, PLACE_RIGHT}, {'\r', PLACE_ZOOM}, {'\n', PLACE_ZOOM},
	    {KEY_ENTER, PLACE_ZOOM}, {KEY_BACKSPACE, PLACE_OUT}, {127, PLACE_OUT}, {8, PLACE_OUT},
	    {'0', PLACE_RESET}, {'s', PLACE_SANDWICH}, {'f', PLACE_FOCUS}, {'h', PLACE_HIDE},
	    {'D', PLACE_DROP}, {'F', PLACE_FOCUS_MODULE}, {'H', PLACE_HIDE_MODULE},
	    {'O', PLACE_OWN}, {'u', PLACE_UNDO}, {'U', PLACE_REDO}, {'b', PLACE_BASE},
	    {'e', PLACE_HEAD}, {'d', PLACE_BOTH}, {']', PLACE_NEXT_COLUMN},
	    {'[', PLACE_LAST_COLUMN}, {'n', PLACE_NEXT_MATCH}, {'N', PLACE_LAST_MATCH},
	    {KEY_NPAGE, PLACE_DOWN}, {KEY_PPAGE, PLACE_UP}};
	int c, result = 0;

	timeout(ms);
	c = getch();
	if (c == ERR)
		return 0;
	s->message[0] = '\0';
	if (s->legend && c != KEY_RESIZE) {
		s->legend = false;
		if ((c | 32) >= 'a' && (c | 32) <= 'z')
			show_reason(s, place_choose(&s->place, (unsigned)(c | 32) - 'a', c < 'a'));
		draw(s, NULL);
		return 0;
	}
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (keys[i].key == c) {
			show_reason(s, place_act(&s->place, keys[i].act));
			draw(s, NULL);
			return 0;
		}
	result = other_key(s, c);
	if (result >= 0)
		draw(s, NULL);
	return result;
}

#else

void
screen_files(struct sandbox *files)
{
	(void)files;
}

struct screen *
screen_open(const char **why)
{
	*why = "this fg-render was built without ncurses";
	return NULL;
}

void
screen_close(struct screen *s)
{
	(void)s;
}

int
screen_fd(const struct screen *s)
{
	(void)s;
	return -1;
}

void
screen_show(struct screen *s, const struct picture *p)
{
	(void)s;
	(void)p;
}

void
screen_note(struct screen *s, const char *note)
{
	(void)s;
	(void)note;
}

int
screen_key(struct screen *s, int ms)
{
	(void)s;
	(void)ms;
	return -1;
}

#endif

void
report_interactive(const struct picture *p, struct output *o)
{
	const char *why;
	struct screen *s = screen_open(&why);

	(void)o;
	if (s == NULL)
		cli_die("--interactive: %s", why);
	screen_show(s, p);
	while (screen_key(s, -1) >= 0)
		continue;
	screen_close(s);
}
