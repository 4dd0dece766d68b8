# For BSD make: GNU make does the work, with the same variables.
GMAKE ?= gmake
all ${.TARGETS}: gnu
gnu: .PHONY
	@env -u MAKEFLAGS -u MFLAGS ${GMAKE} --no-print-directory ${.MAKE.JOBS:D-j${.MAKE.JOBS}} ${.TARGETS} \
		${.MAKEOVERRIDES:N.*:O:u:@v@${v}=${$v:Q}@}
