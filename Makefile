# fg: flame graph filters.
#
#   make                build the programs into bin/
#   make deps [goals]   first install what the goals need, then make them
#   make demo           profile a real program, leave demo.svg
#   make quick          the quick tests: a minute of CPU, nothing but perl beside the build's packages
#   make test           quick and live tests (make test T=t/folded.t: one of them)
#   make test-all       full ones as well, and lint (TIERS=full: without the first two tiers)
#   make soak           what takes hours: faults, fuzzing, compilers, packages, load
#   make lint           the style of C, shell and manuals
#   make check          the tests, built with the address and undefined-behaviour sanitizers
#   make check-threads  those that use threads, built with the thread sanitizer
#   make fuzz           changed inputs, with the sanitizers (ROUNDS=500 SEED=1)
#   make bench          speed and memory, against wc -l on the same bytes
#   make bench-viewer   what a reader waits for in a browser, and its CPU time
#   make install        PREFIX=/usr/local DESTDIR=
#
# Q= shows the commands.
#
# Nothing is looked for while this file is read, since `make deps all` installs
# it only then: each goal runs make again (BUILD=1), and that one asks pkg-config.

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
COMPDIR = $(PREFIX)/share
DATADIR = $(PREFIX)/share/fg

CC = cc
OPT = -O2
CFLAGS = $(OPT) -g
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	-Wwrite-strings -Wundef
O = build
B = bin
TIERS = quick live
T =
ROUNDS = 500
SEED = 1
Q = @

PROGRAMS = $(notdir $(wildcard cmd/*))

ifndef BUILD

# Goals are made in the order given, also with -j, which the build itself uses.
.NOTPARALLEL:

all:
	@sh .ci/deps --check build
	@$(MAKE) --no-print-directory BUILD=1 programs

deps:
	@sh .ci/deps $(or $(filter-out deps,$(MAKECMDGOALS)),build)

# The tests of some tiers, or those in T.
TESTED = BIN='$(CURDIR)/$(B)' UNIT='$(CURDIR)/$(O)/t/unit' CC='$(CC)' PROVEFLAGS='$(PROVEFLAGS)'
test: all
	@$(MAKE) --no-print-directory BUILD=1 units
	@$(TESTED) $(if $(T),prove $(PROVEFLAGS) $(T),t/run $(TIERS))

quick: TIERS = quick
test-all: TIERS = quick live full
soak: TIERS = soak
quick soak: test
test-all: test lint

lint:
	@sh t/lint

# The sanitizers' own build lies beside the normal one.
SAN = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
SANITIZED = $(MAKE) --no-print-directory O=build/san B=build/san/bin OPT=-O1 \
	CFLAGS='-O1 -g $(SAN)' LDFLAGS='$(SAN)'
# The leak checker traces the program, which its sandbox refuses; t/sandbox.t has it on.
check:
	@FG_SANDBOX=off $(SANITIZED) test

# A race is a report on stderr and exit status 66.
RACES = -fsanitize=thread -fno-omit-frame-pointer
THREADED = t/threads.t t/lines.t t/diff.t
check-threads:
	@FG_SANDBOX=off TSAN_OPTIONS=report_thread_leaks=0 $(MAKE) --no-print-directory O=build/tsan B=build/tsan/bin OPT=-O1 \
		CFLAGS='-O1 -g $(RACES)' LDFLAGS='$(RACES)' T='$(THREADED)' test

fuzz: export FG_SANDBOX = off
fuzz:
	@$(SANITIZED) all
	@BIN='$(CURDIR)/build/san/bin' t/fuzz/run $(ROUNDS) $(SEED)
	@BIN='$(CURDIR)/build/san/bin' t/fuzz/perfdata $(ROUNDS) $(SEED)
	@BIN='$(CURDIR)/build/san/bin' CXX='$(CXX)' t/fuzz/programs $(ROUNDS) $(SEED)
	@BIN='$(CURDIR)/build/san/bin' CC='$(CC)' t/fuzz/detaches $(ROUNDS) $(SEED)

bench: all
	@$(MAKE) --no-print-directory BUILD=1 units
	@BIN='$(CURDIR)/$(B)' UNIT='$(CURDIR)/$(O)/t/unit' sh t/bench/run

bench-viewer: all
	@BIN='$(CURDIR)/$(B)' node t/bench/viewer

demo: all
	@BIN='$(CURDIR)/$(B)' sh share/demo

install: all
	@$(MAKE) --no-print-directory BUILD=1 install-files

clean:
	rm -rf bin build demo.svg

else

# Optional libraries: used when they are there; --version says which are not.
optional = $(if $(shell pkg-config --exists $(1) && echo y),-DHAVE_$(2))
libs = $(shell pkg-config --exists $(1) && pkg-config --libs $(1))
header = $(if $(shell printf '\043include <$(1)>\n' | $(CC) -E - >/dev/null 2>&1 && echo y),-DHAVE_$(2))

REQUIRED = libdw libelf libbsd-overlay libxxhash zlib
OPTIONAL := $(call header,libiberty/demangle.h,LIBIBERTY) $(call optional,libzstd,ZSTD) \
	$(call optional,liblzma,LZMA) $(call optional,yajl,YAJL) $(call optional,expat,EXPAT) \
	$(if $(shell command -v protoc-c),$(call optional,libprotobuf-c,PROTOBUF)) \
	$(call optional,libdeflate,LIBDEFLATE) $(call optional,ncursesw,NCURSESW) $(call header,Zydis/Zydis.h,ZYDIS)
CFLAGS_LIBS := $(shell pkg-config --cflags $(REQUIRED))
DEFINES = -D_GNU_SOURCE -DXXH_INLINE_ALL $(OPTIONAL)
ALL_CFLAGS = -std=gnu11 $(WARN) $(CFLAGS) $(DEFINES) -Icommon -Icmd \
	-I$(O)/common -I$(O)/cmd -I$(O) \
	$(CFLAGS_LIBS) -pthread
# Of these each program takes what it uses.
LIBS := -Wl,--as-needed $(shell pkg-config --libs libdw libelf) \
	$(if $(findstring LIBIBERTY,$(OPTIONAL)),-liberty) $(if $(findstring ZYDIS,$(OPTIONAL)),-lZydis) \
	$(foreach l,libzstd liblzma yajl expat libprotobuf-c libdeflate ncursesw ncursesw,$(call libs,$(l))) \
	$(shell pkg-config --libs zlib libbsd-overlay) -lm

# Messages of protocol buffers, which protoc-c makes C of.
PROTOS = $(if $(findstring PROTOBUF,$(OPTIONAL)),$(wildcard common/*/*.proto cmd/*/*/*.proto))

COMMON = $(patsubst %.c,$(O)/%.o,$(wildcard common/*/*.c)) \
	$(patsubst %.proto,$(O)/%.pb-c.o,$(filter common/%,$(PROTOS)))
objects = $(patsubst %.c,$(O)/%.o,$(wildcard cmd/$(1)/*.c cmd/$(1)/*/*.c)) \
	$(patsubst %.proto,$(O)/%.pb-c.o,$(filter cmd/$(1)/%,$(PROTOS)))

programs: $(PROGRAMS:%=$(B)/%)

$(O)/common.a: $(COMMON)
	@rm -f $@
	@echo 'ar $@'
	$(Q)$(AR) rcs $@ $^

define program
$(B)/$(1): $(call objects,$(1)) $(O)/common.a
	@mkdir -p $$(@D)
	@echo 'ld $$@'
	$(Q)$$(CC) $$(CFLAGS) $$(LDFLAGS) -pthread -o $$@ $$^ $$(LIBS)
endef
$(foreach p,$(PROGRAMS),$(eval $(call program,$(p))))

# Programs of the tests' own, for parts of common/.
UNITS = $(patsubst %.c,$(O)/%,$(wildcard t/unit/*.c))

units: $(UNITS)

$(UNITS): %: %.o $(O)/common.a
	@echo 'ld $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^ $(LIBS)

# Everything is compiled again when the flags or the libraries found change.
$(O)/flags: force
	@mkdir -p $(@D)
	@echo '$(CC) $(ALL_CFLAGS)' | cmp -s - $@ || echo '$(CC) $(ALL_CFLAGS)' >$@

$(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	@echo 'cc $<'
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/%.pb-c.c $(O)/%.pb-c.h: %.proto $(O)/flags
	@echo 'protoc-c $<'
	$(Q)protoc-c --proto_path=. --c_out=$(O) $<

$(O)/%.pb-c.o: $(O)/%.pb-c.c $(O)/flags
	@echo 'cc $<'
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(call objects,fg-collapse) $(call objects,fg-render): | $(PROTOS:%.proto=$(O)/%.pb-c.h)
.SECONDARY: $(foreach p,$(PROTOS:%.proto=$(O)/%.pb-c),$(p).c $(p).h)

# The viewer goes into fg-render as C strings: what starts it as it is, the rest packed,
# joined as share/viewer/order says.
VIEWER = $(addprefix share/viewer/,$(shell sed '/^#/d' share/viewer/order))
LOADER = share/viewer/load.js
EMBED = LC_ALL=C awk -f share/viewer/embed.awk
DEFLATE := $(if $(shell command -v libdeflate-gzip),libdeflate-gzip -12 -c,gzip -9nc)
PACK = $(DEFLATE) | base64 | sed 's/.*/"&"/'

$(O)/cmd/fg-render/viewer.h: share/viewer/order share/viewer/embed.awk $(LOADER) \
		$(sort $(VIEWER) $(wildcard share/viewer/*/*.js)) share/viewer/viewer.css Makefile
	@mkdir -p $(@D)
	@for f in $(sort $(filter-out $(VIEWER) $(LOADER),$(wildcard share/viewer/*.js share/viewer/*/*.js))); do \
		echo "$$f is not in share/viewer/order" >&2; exit 1; done
	@! $(EMBED) $(LOADER) | grep ']]>'
	@{ echo 'static const char viewer_load[] ='; \
	$(EMBED) $(LOADER) | sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/'; echo ';'; \
	echo 'static const char viewer_script[] ='; \
	{ echo '(function(){"use strict";'; $(EMBED) $(VIEWER); echo '})();'; } | $(PACK); echo ';'; \
	echo 'static const char viewer_style[] ='; $(EMBED) share/viewer/viewer.css | $(PACK); \
	echo ';'; } >$@

$(O)/cmd/fg-render/svg.o: $(O)/cmd/fg-render/viewer.h

install-files:
	install -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(MANDIR)/man5' \
		'$(DESTDIR)$(MANDIR)/man7'
	install -m 755 $(PROGRAMS:%=$(B)/%) '$(DESTDIR)$(BINDIR)'
	for m in man/*.[157]; do \
		install -m 644 "$$m" '$(DESTDIR)$(MANDIR)'/man$${m##*.}; done
	install -d '$(DESTDIR)$(DATADIR)/recipes'
	install -m 755 share/recipes/* '$(DESTDIR)$(DATADIR)/recipes'
	chmod 644 '$(DESTDIR)$(DATADIR)/recipes'/*.mk '$(DESTDIR)$(DATADIR)/recipes'/*.py
	install -d '$(DESTDIR)$(DATADIR)/ci'
	install -m 755 share/ci/compare '$(DESTDIR)$(DATADIR)/ci'
	install -m 644 share/ci/*.yml '$(DESTDIR)$(DATADIR)/ci'
	install -d '$(DESTDIR)$(DATADIR)/systemd'
	install -m 644 share/systemd/* '$(DESTDIR)$(DATADIR)/systemd'
	install -d '$(DESTDIR)$(COMPDIR)/bash-completion/completions'
	for p in $(PROGRAMS); do install -m 644 share/completions/fg.bash \
		'$(DESTDIR)$(COMPDIR)/bash-completion/completions'/$$p; done
	install -d '$(DESTDIR)$(COMPDIR)/zsh/site-functions' '$(DESTDIR)$(COMPDIR)/fish/vendor_completions.d'
	install -m 644 share/completions/_fg '$(DESTDIR)$(COMPDIR)/zsh/site-functions'
	for p in $(PROGRAMS); do install -m 644 share/completions/fg.fish \
		'$(DESTDIR)$(COMPDIR)/fish/vendor_completions.d'/$$p.fish; done

-include $(shell find $(O)/common $(O)/cmd $(O)/t -name '*.d' 2>/dev/null)

endif

.PHONY: all deps test quick test-all soak lint check check-threads fuzz bench bench-viewer demo install clean programs units install-files force
