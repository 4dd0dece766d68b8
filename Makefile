# fg: flame graph filters.
#
#   make                build the programs into bin/
#   make deps [goals]   first install what the goals need, then make them
#   make demo           profile a real program, leave demo.svg
#   make quick          the quick tests: a minute of CPU, nothing but perl beside the build's packages
#   make test           quick and live tests (make test T=t/folded.t: one of them)
#   make test-all       full ones as well, and lint (TIERS=full: without the first two tiers)
#   make soak           what takes hours or rests on chance: rates, kills, faults, compilers, packages, load
#   make bare           the README's commands in a fresh Debian, as root (part of soak)
#   make faults         every fault of t/faults.t, at every place (part of soak)
#   make lint           the style of C, shell and manuals
#   make musl           the programs with the C library of Alpine, and the quick tests of them
#   make portable       the filters without what FreeBSD and macOS lack, and the quick tests of them
#   make vm             live and quick tests on AArch64 or with another kernel, in QEMU (t/vm/run)
#   make check          the tests, built with the address and undefined-behaviour sanitizers
#   make check-threads  those that use threads, built with the thread sanitizer
#   make fuzz           changed inputs against rules (ROUNDS=500 SEED=1), then every reader
#                       with coverage (FUZZ_SECONDS=600, divided among them), with the sanitizers
#   make bench          speed and memory (QUICK=1; BASE=COMMIT: against an earlier one)
#   make bench-viewer   what a reader waits for in a browser, and its CPU time
#   make install        PREFIX=/usr/local DESTDIR= STRIP=strip; make uninstall takes it away again
#   make man            the tables of the manual pages, of the registers (make does it too)
#   make dist           fg-VERSION.tar.gz of the last commit
#   make bpf            the table of instructions of share/bpf/walk.c, with clang
#   make deb            a Debian package of it in build/deb (make rpm, arch: others, in build/rpm, arch)
#
# Q= shows the commands. CC, CFLAGS, CPPFLAGS and LDFLAGS are honoured, HARDEN= leaves out the
# flags against exploits, WITHOUT='ZSTD YAJL' builds without libraries that are there, LAZY=
# links with those that are loaded at their first use otherwise, ARCHIVES= links shared libraries
# where archives are linked otherwise, STATIC=1 makes all programs static (clean before, or in
# another O), and O=DIRECTORY B=DIRECTORY/bin builds outside the tree.
#
# Nothing is looked for while this file is read, since `make deps all` installs
# it only then: each goal runs make again (BUILD=1), and that one asks pkg-config.

# BSD make reads only the next lines, which GNU make takes for a rule, and starts GNU make.
all:
.RECIPEPREFIX = .
bsd-make:
.include "share/bsd.mk"
.if 0
$(empty).RECIPEPREFIX =

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
MANDIR = $(PREFIX)/share/man
COMPDIR = $(PREFIX)/share
DATADIR = $(PREFIX)/share/fg

CC = cc
# Of installed programs, whose debug information is five times their size; STRIP= keeps it.
STRIP = strip
OPT = -O2
CFLAGS ?= $(OPT) -g
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	-Wwrite-strings -Wundef
O = build
B = bin
TIERS = quick live
T =
ROUNDS = 500
SEED = 1
FUZZ_SECONDS = 600
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

bare: T = t/bare.t
fresh: T = t/fresh.t
faults: T = t/faults.t
faults: export FAULTS = all
# Runtimes of other Debian suites, in the roots of t/roots.
soak-runtimes: T = t/script-roots.t
soak-runtimes: export RATES = 1
bare faults fresh soak-runtimes: test

lint:
	@sh t/lint

man:
	@$(MAKE) --no-print-directory BUILD=1 man

# The sanitizers' own build lies beside the normal one.
SAN = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
SANITIZED = $(MAKE) --no-print-directory O=build/san B=build/san/bin OPT=-O1 HARDEN= \
	CFLAGS='-O1 -g $(SAN)' LDFLAGS='$(SAN)'
# The leak checker traces the program, which its sandbox refuses; t/sandbox.t has it on.
check:
	@FG_SANDBOX=off $(SANITIZED) test

# Archives of the libraries are built first. Left out: what is made for glibc, and its tests.
MUSL_OUT = t/captures.t t/copies.t t/faults.t t/hardening.t t/lazy.t t/reproducible.t t/unwind.t
musl:
	@sh t/musl/build build/musl
	@PKG_CONFIG_LIBDIR='$(CURDIR)/build/musl/root/lib/pkgconfig' $(MAKE) --no-print-directory STATIC=1 \
		CC=musl-gcc CPPFLAGS='-isystem $(CURDIR)/build/musl/root/include' O=build/musl/fg \
		B=build/musl/fg/bin GLIBC= T='$(filter-out $(MUSL_OUT),$(shell t/tier quick))' test

# Sed and awk of the tests and of this file are without GNU's extensions, too.
portable: export HIDDEN = $(CURDIR)/build/portable/hidden
portable:
	@t/portable/cc --version >/dev/null
	@PATH='$(CURDIR)/t/portable/bin':"$$PATH" $(MAKE) --no-print-directory CC='$(CURDIR)/t/portable/cc' \
		O=build/portable B=build/portable/bin T='$(or $(T),$(shell t/portable/tests))' test

# Another processor, or another kernel: ARCH=arm64|amd64, KERNEL=a suite of Debian, T=tests.
vm:
	@t/vm/run build/vm $(T)

# A race is a report on stderr and exit status 66.
RACES = -fsanitize=thread -fno-omit-frame-pointer
THREADED = t/threads.t t/parts.t t/lines.t t/diff.t t/record-ring.t
check-threads:
	@FG_SANDBOX=off TSAN_OPTIONS=report_thread_leaks=0 $(MAKE) --no-print-directory O=build/tsan B=build/tsan/bin OPT=-O1 HARDEN= ARCHIVES= \
		CFLAGS='-O1 -g $(RACES)' LDFLAGS='$(RACES)' T='$(THREADED)' test

fuzz: export FG_SANDBOX = off
fuzz:
	@$(SANITIZED) all
	@BIN='$(CURDIR)/build/san/bin' t/fuzz/run $(ROUNDS) $(SEED)
	@BIN='$(CURDIR)/build/san/bin' t/fuzz/perfdata $(ROUNDS) $(SEED)
	@BIN='$(CURDIR)/build/san/bin' CXX='$(CXX)' t/fuzz/programs $(ROUNDS) $(SEED)
	@BIN='$(CURDIR)/build/san/bin' CC='$(CC)' t/fuzz/detaches $(ROUNDS) $(SEED)
	@CC='$(CC)' t/fuzz/readers $(FUZZ_SECONDS) || [ $$? = 77 ]

bench: all
	@$(MAKE) --no-print-directory BUILD=1 units
	@BIN='$(CURDIR)/$(B)' UNIT='$(CURDIR)/$(O)/t/unit' sh t/bench/run

bench-viewer: all
	@command -v node >/dev/null && { command -v chromium || command -v chromium-browser; } >/dev/null || \
		{ echo 'bench-viewer: skipped: it needs node and Chromium'; exit 0; }; \
	BIN='$(CURDIR)/$(B)' node t/bench/viewer && BIN='$(CURDIR)/$(B)' node t/bench/mainthread

demo: all
	@BIN='$(CURDIR)/$(B)' sh share/demo

install: all
	@$(MAKE) --no-print-directory BUILD=1 install-files

uninstall:
	@$(MAKE) --no-print-directory BUILD=1 uninstall-files

VERSION = $(shell sed -n 's/^\#define FG_VERSION "\(.*\)"/\1/p' common/base/cli.h)
# The table is part of the tree: builds need no clang. t/bpf.t compares it.
BPF = clang -O2 -g0 -ffreestanding -fno-stack-protector -target bpf -Icommon \
	-I/usr/include/$(shell $(CC) -print-multiarch) -Wall -Wextra
WALKCODE = cmd/fg-record/watching/walkcode.h
bpf:
	@mkdir -p $(O)
	$(Q)$(BPF) -c -o $(O)/walk.o share/bpf/walk.c
	$(Q)$(BPF) -DPLAIN -c -o $(O)/plain.o share/bpf/walk.c
	$(Q){ share/bpf/array walk $(O)/walk.o "$$(clang --version)" && share/bpf/array plain $(O)/plain.o; } >$(WALKCODE)

dist:
	git archive --format=tar --prefix=fg-$(VERSION)/ HEAD | gzip -9n >fg-$(VERSION).tar.gz

# The last commit as a Debian package, by share/debian. Its maintainer has no address yet: who
# ships it adds one.
deb:
	rm -rf $(O)/deb
	mkdir -p $(O)/deb
	git archive --format=tar --prefix=fg-$(VERSION)/ HEAD | tar -x -C $(O)/deb
	cp -r share/debian $(O)/deb/fg-$(VERSION)/debian
	cd $(O)/deb/fg-$(VERSION) && dpkg-buildpackage -us -uc -b
	! command -v lintian >/dev/null || lintian --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog \
		--fail-on error,warning $(O)/deb/*.changes

# The same as an RPM, and for Arch Linux; RPMFLAGS=--nodeps and MAKEPKGFLAGS=-d where another
# package manager has the build's packages.
rpm: dist
	mkdir -p $(O)/rpm
	rpmbuild -bb $(RPMFLAGS) --define '_topdir $(abspath $(O))/rpm' --define '_sourcedir $(CURDIR)' \
		share/packages/fg-tools.spec

arch: dist
	mkdir -p $(O)/arch
	cp fg-$(VERSION).tar.gz share/packages/PKGBUILD $(O)/arch
	cd $(O)/arch && makepkg -f $(MAKEPKGFLAGS)

clean:
	rm -rf bin build demo.svg fg-$(VERSION).tar.gz

else

TARGET := $(shell echo __SIZEOF_POINTER__ __linux__ | $(CC) $(CFLAGS) $(CPPFLAGS) -E -P - 2>/dev/null)
ifeq ($(firstword $(TARGET)),4)
$(error fg is made for 64-bit machines: $(CC) makes 32-bit code)
endif

# Other systems than Linux have the filters, and a fg-collapse that reads no programs; so has
# WITHOUT=DW.
LINUX = $(if $(filter __linux__,$(TARGET)),,y)
ifeq ($(LINUX),)
override WITHOUT += DW
override LAZY =
endif
DW = $(if $(filter DW,$(WITHOUT)),,y)
PROGRAMS := $(if $(DW),$(PROGRAMS),$(filter-out fg-record,$(PROGRAMS)))

comma = ,

# Static programs have all libraries in them, but those that have no archive here.
linked = $(if $(STATIC),$(archives_of),$(shell pkg-config --libs $(1)))
archives_of = $(patsubst -lyajl,-lyajl_s,$(shell pkg-config --static --libs $(1)))
archives_link = $(shell printf 'int main(void) { return 0; }\n' | \
	$(CC) $(CFLAGS) $(LDFLAGS) -static-pie -pthread -x c -o /dev/null - -x none $(1) 2>/dev/null && echo y)

# Optional libraries: used when they are there; --version says which are not.
with = $(if $(filter $(2),$(WITHOUT)),,$(if $(1),-DHAVE_$(2)))
links = $(if $(STATIC),$(archives_link),y)
optional = $(call with,$(if $(shell pkg-config --exists $(1) && echo y),$(call links,$(call linked,$(1)))),$(2))
libs = $(if $(filter -DHAVE_$(2),$(OPTIONAL)),$(call linked,$(1)))
header = $(call with,$(if $(shell printf '\043include <$(1)>\n' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo y),$(call links,$(3))),$(2))

override LDFLAGS += $(if $(STATIC),-static-pie -Wl$(comma)--wrap=dlopen)
REQUIRED = $(if $(DW),libdw libelf) $(if $(LINUX)$(shell pkg-config --exists libbsd-overlay && echo y),libbsd-overlay) \
	libxxhash zlib
OPTIONAL := $(if $(DW),-DHAVE_DW) $(call header,libiberty/demangle.h,LIBIBERTY,-liberty) $(call optional,libzstd,ZSTD) \
	$(call optional,liblzma,LZMA) $(call optional,yajl,YAJL) $(call optional,expat,EXPAT) \
	$(call optional,libdeflate,LIBDEFLATE) $(call optional,ncursesw,NCURSESW) $(call header,Zydis/Zydis.h,ZYDIS,-lZydis)
CFLAGS_LIBS := $(shell pkg-config --cflags $(REQUIRED))
DEFINES = -D_GNU_SOURCE -DXXH_INLINE_ALL $(OPTIONAL)

# Against exploits, as far as the compiler has it: addresses that change with each run, tables
# of the linker that cannot be written, checks of buffers and stacks, branches to marked places
# only. _FORTIFY_SOURCE needs an optimizing compiler.
try = $(if $(shell printf 'int main(void) { return 0; }\n' | $(CC) -Werror $(1) -x c -o /dev/null - 2>/dev/null && echo y),$(1))
HARDENING = -fPIE -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard
HARDEN := $(or $(call try,$(filter-out -mbranch%,$(HARDENING))),$(foreach f,$(HARDENING),$(call try,$(f)))) \
	$(if $(findstring FORTIFY,$(CFLAGS) $(CPPFLAGS)),,$(if $(filter -O1 -O2 -O3 -Os -Og,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3))
HARDENING_LINKED = -pie -Wl,-z,relro -Wl,-z,now
HARDEN_LINKED := $(call try,$(HARDENING_LINKED))
# The same bytes wherever the tree and the objects are.
PLACES = -ffile-prefix-map='$(CURDIR)'=. -ffile-prefix-map='$(O)'=build
FLAGS = -std=gnu11 $(WARN) $(HARDEN) $(CFLAGS) $(CPPFLAGS) $(DEFINES) $(CFLAGS_LIBS) -pthread
ALL_CFLAGS = $(FLAGS) $(PLACES) -Icommon -Icmd -I$(O)/common -I$(O)/cmd -I$(O)
# Of these each program takes what it uses.
LIBS := $(call try,-Wl$(comma)--as-needed) $(if $(DW),$(call linked,libdw libelf)) \
	$(if $(findstring LIBIBERTY,$(OPTIONAL)),-liberty) $(if $(findstring ZYDIS,$(OPTIONAL)),-lZydis) \
	$(call libs,libzstd,ZSTD) $(call libs,liblzma,LZMA) $(call libs,yajl,YAJL) $(call libs,expat,EXPAT) \
	$(call libs,libdeflate,LIBDEFLATE) $(call libs,ncursesw,NCURSESW) \
	$(call linked,$(filter-out libdw libelf libxxhash,$(REQUIRED))) -lm $(if $(LINUX),-ldl -lrt)

# Libraries whose archives are linked, where they are installed, into all programs but fg-record,
# which has them through libdw: a program starts faster by a third of a millisecond.
ARCHIVES = $(if $(STATIC),,z bsd md deflate)
is_archive = $(findstring /,$(shell $(CC) $(LDFLAGS) -print-file-name=lib$(1).a))
ARCHIVED := $(foreach a,$(ARCHIVES),$(if $(call is_archive,$(a)),$(a)))
# An archive does not name the libraries that it needs itself, as libbsd does libmd.
archived = $(foreach l,$(1),$(if $(filter $(ARCHIVED:%=-l%),$(l)),$(l:-l%=-l:lib%.a),$(l))) \
	$(if $(filter bsd,$(ARCHIVED)),$(if $(filter md,$(ARCHIVED)),-l:libmd.a,-lmd))

# Libraries that common/lazy loads at their first use in all programs but fg-record, as in -l.
LAZY = $(if $(STATIC),,$(if $(DW),dw) deflate zstd lzma yajl expat ncursesw Zydis m)

# Programs that are static where all of their libraries have archives, the C library too, which
# saves as much again. fg-collapse loads libdebuginfod, and libdw's other libraries, if it needs them.
archives = $(if $(filter -DHAVE_$(2),$(OPTIONAL)),$(call archives_of,$(1)))
STATIC_LIBS := $(if $(LINUX),$(if $(ARCHIVES),$(if $(findstring LIBIBERTY,$(OPTIONAL)),-liberty) \
	$(call archives,libzstd,ZSTD) $(call archives,liblzma,LZMA) $(call archives,libdeflate,LIBDEFLATE) \
	$(call archives,ncursesw,NCURSESW) $(call archives_of,$(filter-out libdw libelf libxxhash,$(REQUIRED))) -lm))
STATIC_ONES := $(if $(STATIC_LIBS),$(if $(call archives_link,$(STATIC_LIBS)),fg-diff fg-filter fg-merge fg-render))

LAZILY = $(patsubst %.c,$(O)/%.o,$(sort $(filter-out %/static.c,$(wildcard common/lazy/*.c))))
STATICALLY = $(O)/common/lazy/static.o
# What is left without libdw.
WINGS = $(if $(DW),*,base names profile sample stats)
COMMON = $(filter-out $(LAZILY) $(STATICALLY),$(patsubst %.c,$(O)/%.o,$(sort $(wildcard $(WINGS:%=common/%/*.c) $(WINGS:%=common/%/*/*.c) \
	common/dwarf/demangle.c common/trace/maps.c))))
UNUSED = $(if $(DW),%/noprograms.c,%/programs.c cmd/fg-collapse/perfdata/% cmd/fg-collapse/tracedat/%)
objects = $(patsubst %.c,$(O)/%.o,$(sort $(filter-out $(UNUSED),$(wildcard cmd/$(1)/*.c cmd/$(1)/*/*.c))))

programs: $(PROGRAMS:%=$(B)/%) $(if $(DW),$(B)/lib/fg/libfgheap.so)

$(O)/common.a: $(COMMON)
$(O)/lazy.a: $(LAZILY)
$(O)/static.a: $(STATICALLY)
$(O)/common.a $(O)/lazy.a $(O)/static.a:
	@rm -f $@
	@echo 'ar $@'
	$(Q)$(AR) rcs $@ $^

# fg-record forks while its threads run, when a first call might hold the dynamic linker's lock:
# it is linked with the libraries themselves, as the tests' programs are.
# program NAME, DIRECTORY, OTHER ARCHIVE, FLAG, LIBRARIES
define program
$(2)/$(1): $(call objects,$(1)) $(O)/common.a $(3)
	@mkdir -p $$(@D)
	@echo 'ld $$@'
	$(Q)$$(CC) $$(CFLAGS) $$(if $$(HARDEN),$$(HARDEN_LINKED)) $$(LDFLAGS) $(4) -pthread -o $$@ $$^ $(5)
endef
LOADING = $(if $(STATIC),$(STATICALLY),$(O)/lazy.a)
$(foreach p,$(filter-out fg-record $(STATIC_ONES),$(PROGRAMS)),$(eval $(call program,$(p),$(B),$(LOADING),,$$(call archived,$$(LIBS)))))
$(foreach p,$(STATIC_ONES),$(eval $(call program,$(p),$(B),$(O)/static.a,-static-pie,$$(STATIC_LIBS))))
$(foreach p,$(filter fg-record,$(PROGRAMS)),$(eval $(call program,$(p),$(B),$(if $(STATIC),$(LOADING)),,$$(LIBS))))
# The same, for tests that preload a library or see which ones are loaded.
$(foreach p,$(STATIC_ONES),$(eval $(call program,$(p),$(O)/t/shared,$(LOADING),,$$(call archived,$$(LIBS)))))

# What fg-record --heap preloads. It needs no library, so that it serves any C library.
$(B)/lib/fg/libfgheap.so: share/heap/fgheap.c common/trace/heapabi.h $(wildcard common/kernel/cpu*.h) $(O)/flags
	@mkdir -p $(@D)
	@echo 'cc $@'
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -g $(PLACES) -Icommon -fPIC -shared -nostdlib \
		-fvisibility=hidden -fno-stack-protector -fno-builtin -fasynchronous-unwind-tables \
		-Wl,-z,now -Wl,-z,relro -o $@ $<

# For t/fuzz/readers, which links the objects in another way.
libs:
	@echo '$(LIBS)'
captured:
	@echo '$(CAPTURED)'

# Programs of the tests' own, for parts of common/.
UNITS = $(patsubst %.c,$(O)/%,$(wildcard t/unit/*.c))

# GLIBC= leaves out those that are made for it.
GLIBC = unwind capture
units: $(STATIC_ONES:%=$(O)/t/shared/%) $(if $(DW),$(if $(GLIBC),$(UNITS) $(O)/t/capture/capture $(O)/t/fuzz/code,$(filter-out %/unwind,$(UNITS))))

$(O)/t/fuzz/code: $(patsubst %.c,$(O)/%.o,$(filter-out %/target.c %/mutate.c,$(wildcard t/fuzz/*.c)))
$(UNITS) $(O)/t/fuzz/code: %: %.o $(O)/common.a
	@echo 'ld $@'
	$(Q)$(CC) $(CFLAGS) $(if $(HARDEN),$(HARDEN_LINKED)) $(LDFLAGS) -pthread -o $@ \
		$(filter %.o,$^) $(filter %.a,$^) $(LIBS)

$(O)/t/unit/ring: $(O)/cmd/fg-record/watching/ring.o $(O)/cmd/fg-record/watching/ringreader.o
$(O)/t/unit/opener: $(patsubst %,$(O)/cmd/fg-record/asking/%.o,request proc ids standing)
$(O)/t/unit/script: $(patsubst %,$(O)/cmd/fg-record/stopping/%.o,ptrace_regs ptrace_x86_64 ptrace_aarch64)
$(O)/t/unit/cputimer: $(O)/cmd/fg-record/stopping/cputimer.o
$(O)/t/unit/charged: $(O)/cmd/fg-record/watching/charged.o \
	$(patsubst %,$(O)/cmd/fg-record/asking/%.o,proc ids)
$(O)/t/unit/standing: $(O)/cmd/fg-record/asking/standing.o
$(O)/t/unit/modulecost: $(O)/cmd/fg-record/telling/modulecost.o
$(O)/t/unit/retention: $(O)/cmd/fg-record/telling/retention.o

# fg-record with a C library of its own (see t/capture/capture.h), which its libraries call too.
# Other names of the same functions, some of which pass a size as well that is not needed.
CAPTURED = $(foreach c,$(CAPTURED_AS),-Wl,--defsym=$(lastword $(subst :, ,$c))=$(firstword $(subst :, ,$c)))
CAPTURED_AS = open:open64 open:__open_2 open:__open64_2 openat:openat64 openat:__openat_2 \
	openat:__openat64_2 fopen:fopen64 mmap:mmap64 sendfile:sendfile64 readdir:readdir64 stat:stat64 \
	lstat:lstat64 fstat:fstat64 fstatat:fstatat64 readlink:__readlink_chk realpath:__realpath_chk \
	ppoll:__ppoll_chk poll:__poll_chk fcntl:fcntl64 read:__read_chk pread:pread64 \
	pread:__pread_chk pread:__pread64_chk getrlimit:getrlimit64
CAPTURE = $(patsubst %.c,$(O)/%.o,$(sort $(wildcard t/capture/*.c)))
$(CAPTURE): private HARDEN = -U_FORTIFY_SOURCE
$(CAPTURE): private override CFLAGS := $(filter-out -fsanitize% -fno-sanitize%,$(CFLAGS))
$(O)/t/capture/capture: $(CAPTURE) $(call objects,fg-record) $(O)/common.a
	@echo 'ld $@'
	$(Q)$(CC) $(CFLAGS) $(if $(HARDEN),$(HARDEN_LINKED)) $(LDFLAGS) -pthread -rdynamic -Wl,--wrap=main -o $@ \
		$(CAPTURED) $^ $(LIBS)

# Everything is compiled again when the flags or the libraries found change, not when the tree is
# moved or copied.
$(O)/flags: force
	@mkdir -p $(@D)
	@echo '$(CC) $(FLAGS) LAZY=$(LAZY) $(ARCHIVED) $(STATIC_ONES)' | cmp -s - $@ || \
		echo '$(CC) $(FLAGS) LAZY=$(LAZY) $(ARCHIVED) $(STATIC_ONES)' >$@

# The names that a program linked with the libraries would ask the dynamic linker for. A library
# without one, like a static library, is linked.
$(O)/common/lazy/sonames.h: $(O)/flags
	@mkdir -p $(@D)
	@echo 'sonames $@'
	$(Q)$(CC) $(LDFLAGS) -shared -o $@.so -Wl,--no-as-needed $(filter-out -Wl$(comma)--as-needed $(ARCHIVED:%=-l%),$(LIBS))
	$(Q)for l in $(LAZY); do LC_ALL=C readelf -d $@.so | \
		sed -n "s/.*NEEDED.*\[\(lib$$l\.so.*\)\]/#define SONAME_$$(echo "$$l" | tr - _) \"\1\"/p"; done >$@
	$(Q)rm -f $@.so

$(LAZILY) $(STATICALLY) $(O)/cmd/fg-render/terminal/screen.o: $(O)/common/lazy/sonames.h

# The names of system calls by their numbers, for this machine's tracepoints.
$(O)/cmd/fg-record/syscalls.h: $(O)/flags
	@mkdir -p $(@D)
	@echo 'syscalls $@'
	$(Q)echo '#include <sys/syscall.h>' | $(CC) $(CPPFLAGS) -E -dM - | \
		LC_ALL=C sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$$/[\2] = "\1",/p' >$@

$(O)/cmd/fg-record/watching/tracepointframe.o: $(O)/cmd/fg-record/syscalls.h

$(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	@echo 'cc $<'
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The viewer goes into fg-render as C strings: what starts it as it is, the rest packed,
# joined as share/viewer/order says.
VIEWER = $(O)/share/registers.js $(addprefix share/viewer/,$(shell awk '!/^\#/ && !$$2 { print $$1 }' share/viewer/order))
VIEWER_PARTS = axis columns diff long rough strip worker
LOADER = share/viewer/load.js
EMBED = LC_ALL=C awk -f share/viewer/embed.awk
SHORTEN = LC_ALL=C awk -f share/viewer/shorten.awk
DEFLATE := $(if $(shell command -v libdeflate-gzip),libdeflate-gzip -12 -c,gzip -9nc)
PACK = $(DEFLATE) | od -An -v -tu1 | LC_ALL=C awk -f share/viewer/base91.awk | sed -e 's/[\\"?]/\\&/g' -e 's/.*/"&"/'

REGISTERS = $(sort $(shell find common cmd -name '*.def'))
COMMON_OPTIONS = common/base/options.def

programs: $(O)/share/registers.checked
$(O)/share/registers.checked: share/registers.awk $(REGISTERS)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f share/registers.awk -v want=check $(COMMON_OPTIONS) $(filter-out $(COMMON_OPTIONS),$(REGISTERS)) >$@

# What the viewer needs of the registers.
$(O)/share/registers.js: share/registers.awk common/names/annotations.def common/names/languages.def common/profile/units.def
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f share/registers.awk -v want=viewer $(filter %.def,$^) >$@

$(O)/cmd/fg-render/viewer.h: share/viewer/order $(wildcard share/viewer/*.awk) $(LOADER) \
		$(sort $(VIEWER) $(wildcard share/viewer/*/*.js)) share/viewer/viewer.css Makefile
	@mkdir -p $(@D)
	@for f in $(sort $(filter-out $(VIEWER) $(addprefix share/viewer/,$(shell sed '/^\#/d; s/ .*//' share/viewer/order)) $(LOADER),$(wildcard share/viewer/*.js share/viewer/*/*.js))); do \
		echo "$$f is not in share/viewer/order" >&2; exit 1; done
	@$(EMBED) $(LOADER) >$@.load
	@! grep ']]>' $@.load
	@$(EMBED) $(VIEWER) >$@.script
	@for part in $(VIEWER_PARTS); do $(EMBED) $$(sed -n "s|\(.*\) $$part$$|share/viewer/\1|p" share/viewer/order) >$@.$$part; done
	@$(SHORTEN) $@.load
	@$(SHORTEN) $@.script $(addprefix $@.,$(VIEWER_PARTS))
	@{ echo 'static const char viewer_load[] ='; \
	sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $@.load.short; echo ';'; \
	for part in script $(VIEWER_PARTS); do \
	echo "static const char viewer_$$part[] ="; \
	<$@.$$part.short $(PACK); echo ';'; done; \
	echo 'static const char viewer_style[] ='; $(EMBED) share/viewer/viewer.css | $(PACK); \
	echo ';'; } >$@

$(O)/cmd/fg-render/picture/viewerscript.o: $(O)/cmd/fg-render/viewer.h

# The manual pages, whose tables are made of the registers; those of the tree too, which can be
# read without a build.
PAGES = $(patsubst %,$(O)/%,$(wildcard man/*.[157]))

programs man: $(PAGES)

$(O)/man/%: man/% share/registers.awk common/base/cli.h $(REGISTERS)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f share/registers.awk -v want=page $< >$@.new
	$(Q)cmp -s $@.new $< || { echo 'tables of $<'; cp $@.new $<; }
	$(Q)mv $@.new $@

install-files: install-service
	install -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(MANDIR)/man5' \
		'$(DESTDIR)$(MANDIR)/man7'
	install -m 755 $(PROGRAMS:%=$(B)/%) share/recipes/cargo-fg '$(DESTDIR)$(BINDIR)'
	$(if $(STRIP),$(STRIP) $(PROGRAMS:%='$(DESTDIR)$(BINDIR)/%'))
	install -d '$(DESTDIR)$(LIBDIR)/fg'
	install -m 644 $(B)/lib/fg/libfgheap.so '$(DESTDIR)$(LIBDIR)/fg'
	$(if $(STRIP),$(STRIP) '$(DESTDIR)$(LIBDIR)/fg/libfgheap.so')
	for m in $(PAGES); do \
		install -m 644 "$$m" '$(DESTDIR)$(MANDIR)'/man$${m##*.}; done
	install -d '$(DESTDIR)$(DATADIR)/recipes'
	for f in share/recipes/*; do m=644; [ ! -x "$$f" ] || m=755; \
		install -m $$m "$$f" '$(DESTDIR)$(DATADIR)/recipes'; done
	install -d '$(DESTDIR)$(DATADIR)/ci'
	install -m 755 share/ci/compare share/ci/pyframes '$(DESTDIR)$(DATADIR)/ci'
	install -m 644 share/ci/*.yml share/ci/pyframes.c '$(DESTDIR)$(DATADIR)/ci'
	install -d '$(DESTDIR)$(COMPDIR)/bash-completion/completions'
	for p in $(PROGRAMS); do install -m 644 $(O)/completions/fg.bash \
		'$(DESTDIR)$(COMPDIR)/bash-completion/completions'/$$p; done
	install -d '$(DESTDIR)$(COMPDIR)/zsh/site-functions' '$(DESTDIR)$(COMPDIR)/fish/vendor_completions.d'
	install -m 644 $(O)/completions/_fg '$(DESTDIR)$(COMPDIR)/zsh/site-functions'
	for p in $(PROGRAMS); do install -m 644 $(O)/completions/fg.fish \
		'$(DESTDIR)$(COMPDIR)/fish/vendor_completions.d'/$$p.fish; done

install-service:
	install -d '$(DESTDIR)$(DATADIR)/systemd'
	sed 's|/usr/bin/fg-record|"$(BINDIR)/fg-record"|' share/systemd/fg-record.service \
		>'$(DESTDIR)$(DATADIR)/systemd/fg-record.service'
	chmod 644 '$(DESTDIR)$(DATADIR)/systemd/fg-record.service'

uninstall-files:
	rm -rf '$(DESTDIR)$(LIBDIR)/fg'
	rm -f $(PROGRAMS:%='$(DESTDIR)$(BINDIR)/%') '$(DESTDIR)$(BINDIR)/cargo-fg'
	rm -f $(foreach m,$(notdir $(wildcard man/*.[157])),'$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(m)))/$(m)')
	rm -f $(PROGRAMS:%='$(DESTDIR)$(COMPDIR)/bash-completion/completions/%')
	rm -f $(PROGRAMS:%='$(DESTDIR)$(COMPDIR)/fish/vendor_completions.d/%.fish')
	rm -f '$(DESTDIR)$(COMPDIR)/zsh/site-functions/_fg'
	rm -rf '$(DESTDIR)$(DATADIR)'

# The shells' completions, each with the script that reads --help in it.
COMPLETIONS = $(patsubst %,$(O)/completions/%,fg.bash _fg fg.fish)

programs: $(COMPLETIONS)

$(COMPLETIONS): $(O)/completions/%: share/completions/% share/completions/complete.awk
	@mkdir -p $(@D)
	@awk -v part=share/completions/complete.awk -v q="'" '{ at = index($$0, "@complete.awk@") } \
		!at { print; next } \
		{ printf "%s", substr($$0, 1, at - 1); while ((getline line < part) > 0) if (line !~ /^#/) print line; print q }' $< >$@

-include $(shell find $(O)/common $(O)/cmd $(O)/t -name '*.d' 2>/dev/null)

endif

.PHONY: man libs captured all deps test quick test-all soak soak-runtimes bare fresh faults lint musl portable vm check check-threads fuzz bench bench-viewer demo install uninstall dist deb rpm arch clean programs units install-files install-service uninstall-files force

# The end of what BSD make leaves out.
$(empty).RECIPEPREFIX = .
bsd-end:
.endif
