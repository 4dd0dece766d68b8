/*
 * perfabi: the interface of perf_event_open(2), up to Linux 6.1. An own copy: headers of older
 * distributions lack parts of it, and other systems read recordings too. The kernel refuses unknown
 * parts at run time. <linux/perf_event.h> must not be included beside it.
 */
#ifndef PERFABI_H
#define PERFABI_H

#include <stdint.h>
#include <sys/ioctl.h>

enum { /* perf_event_attr.type */
	PERF_TYPE_HARDWARE,
	PERF_TYPE_SOFTWARE,
	PERF_TYPE_TRACEPOINT,
	PERF_TYPE_HW_CACHE,
	PERF_TYPE_RAW,
	PERF_TYPE_BREAKPOINT,
};

enum { /* config of PERF_TYPE_HARDWARE */
	PERF_COUNT_HW_CPU_CYCLES,
	PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_CACHE_REFERENCES,
	PERF_COUNT_HW_CACHE_MISSES,
	PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	PERF_COUNT_HW_BRANCH_MISSES,
	PERF_COUNT_HW_BUS_CYCLES,
	PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
	PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	PERF_COUNT_HW_REF_CPU_CYCLES,
};

enum { /* config of PERF_TYPE_SOFTWARE */
	PERF_COUNT_SW_CPU_CLOCK,
	PERF_COUNT_SW_TASK_CLOCK,
	PERF_COUNT_SW_PAGE_FAULTS,
	PERF_COUNT_SW_CONTEXT_SWITCHES,
	PERF_COUNT_SW_CPU_MIGRATIONS,
	PERF_COUNT_SW_PAGE_FAULTS_MIN,
	PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	PERF_COUNT_SW_ALIGNMENT_FAULTS,
	PERF_COUNT_SW_EMULATION_FAULTS,
	PERF_COUNT_SW_DUMMY,
	PERF_COUNT_SW_BPF_OUTPUT,
};

enum { /* sample_type */
	PERF_SAMPLE_IP = 1 << 0,
	PERF_SAMPLE_TID = 1 << 1,
	PERF_SAMPLE_TIME = 1 << 2,
	PERF_SAMPLE_ADDR = 1 << 3,
	PERF_SAMPLE_READ = 1 << 4,
	PERF_SAMPLE_CALLCHAIN = 1 << 5,
	PERF_SAMPLE_ID = 1 << 6,
	PERF_SAMPLE_CPU = 1 << 7,
	PERF_SAMPLE_PERIOD = 1 << 8,
	PERF_SAMPLE_STREAM_ID = 1 << 9,
	PERF_SAMPLE_RAW = 1 << 10,
	PERF_SAMPLE_BRANCH_STACK = 1 << 11,
	PERF_SAMPLE_REGS_USER = 1 << 12,
	PERF_SAMPLE_STACK_USER = 1 << 13,
	PERF_SAMPLE_IDENTIFIER = 1 << 16,
};

enum { /* branch_sample_type */
	PERF_SAMPLE_BRANCH_USER = 1 << 0,
	PERF_SAMPLE_BRANCH_CALL_STACK = 1 << 11,
	PERF_SAMPLE_BRANCH_NO_FLAGS = 1 << 14,
	PERF_SAMPLE_BRANCH_NO_CYCLES = 1 << 15,
	PERF_SAMPLE_BRANCH_HW_INDEX = 1 << 17,
	PERF_SAMPLE_BRANCH_COUNTERS = 1 << 19, /* 6.8 */
};

enum { /* a sample's registers */
	PERF_SAMPLE_REGS_ABI_NONE,
	PERF_SAMPLE_REGS_ABI_32,
	PERF_SAMPLE_REGS_ABI_64,
};

enum { /* read_format */
	PERF_FORMAT_TOTAL_TIME_ENABLED = 1 << 0,
	PERF_FORMAT_TOTAL_TIME_RUNNING = 1 << 1,
	PERF_FORMAT_ID = 1 << 2,
	PERF_FORMAT_GROUP = 1 << 3,
	PERF_FORMAT_LOST = 1 << 4, /* 6.0 */
};

#define PERF_ATTR_SIZE_VER0 64 /* bytes of the first perf_event_attr */

struct perf_event_attr {
	uint32_t type;
	uint32_t size;
	uint64_t config;
	union {
		uint64_t sample_period;
		uint64_t sample_freq;
	};
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t disabled : 1;
	uint64_t inherit : 1;
	uint64_t pinned : 1;
	uint64_t exclusive : 1;
	uint64_t exclude_user : 1;
	uint64_t exclude_kernel : 1;
	uint64_t exclude_hv : 1;
	uint64_t exclude_idle : 1;
	uint64_t mmap : 1;
	uint64_t comm : 1;
	uint64_t freq : 1;
	uint64_t inherit_stat : 1;
	uint64_t enable_on_exec : 1;
	uint64_t task : 1;
	uint64_t watermark : 1;
	uint64_t precise_ip : 2;
	uint64_t mmap_data : 1;
	uint64_t sample_id_all : 1;
	uint64_t exclude_host : 1;
	uint64_t exclude_guest : 1;
	uint64_t exclude_callchain_kernel : 1;
	uint64_t exclude_callchain_user : 1;
	uint64_t mmap2 : 1;
	uint64_t comm_exec : 1;
	uint64_t use_clockid : 1;
	uint64_t context_switch : 1;
	uint64_t write_backward : 1;
	uint64_t namespaces : 1;
	uint64_t ksymbol : 1; /* 5.1 */
	uint64_t bpf_event : 1; /* 5.1 */
	uint64_t aux_output : 1; /* 5.4 */
	uint64_t cgroup : 1; /* 5.7 */
	uint64_t text_poke : 1; /* 5.9 */
	uint64_t build_id : 1; /* 5.12 */
	uint64_t inherit_thread : 1; /* 5.13 */
	uint64_t remove_on_exec : 1; /* 5.13 */
	uint64_t sigtrap : 1; /* 5.13 */
	uint64_t unused : 26;
	union {
		uint32_t wakeup_events;
		uint32_t wakeup_watermark;
	};
	uint32_t bp_type;
	union {
		uint64_t bp_addr;
		uint64_t config1;
	};
	union {
		uint64_t bp_len;
		uint64_t config2;
	};
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user;
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack;
	uint16_t unused_2;
	uint32_t aux_sample_size; /* 5.5 */
	uint32_t unused_3;
	uint64_t sig_data; /* 5.13 */
};

/* The first page of a ring buffer. */
struct perf_event_mmap_page {
	uint8_t counters[1024]; /* the state of hardware counters, for user code that reads them */
	uint64_t data_head;
	uint64_t data_tail;
	uint64_t data_offset; /* 4.1, as data_size */
	uint64_t data_size;
};

struct perf_event_header {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
};

struct perf_branch_entry {
	uint64_t from;
	uint64_t to;
	uint64_t flags;
};

enum { /* perf_event_header.misc; bits have other meanings for each type of record */
	PERF_RECORD_MISC_CPUMODE_MASK = 7,
	PERF_RECORD_MISC_KERNEL = 1,
	PERF_RECORD_MISC_USER = 2,
	PERF_RECORD_MISC_HYPERVISOR = 3,
	PERF_RECORD_MISC_GUEST_KERNEL = 4,
	PERF_RECORD_MISC_GUEST_USER = 5,
	PERF_RECORD_MISC_MMAP_DATA = 1 << 13,
	PERF_RECORD_MISC_COMM_EXEC = 1 << 13,
	PERF_RECORD_MISC_SWITCH_OUT = 1 << 13,
	PERF_RECORD_MISC_SWITCH_OUT_PREEMPT = 1 << 14, /* 4.17 */
	PERF_RECORD_MISC_MMAP_BUILD_ID = 1 << 14, /* 5.12 */
};

enum { /* perf_event_header.type */
	PERF_RECORD_MMAP = 1,
	PERF_RECORD_LOST,
	PERF_RECORD_COMM,
	PERF_RECORD_EXIT,
	PERF_RECORD_THROTTLE,
	PERF_RECORD_UNTHROTTLE,
	PERF_RECORD_FORK,
	PERF_RECORD_READ,
	PERF_RECORD_SAMPLE,
	PERF_RECORD_MMAP2,
	PERF_RECORD_AUX,
	PERF_RECORD_ITRACE_START,
	PERF_RECORD_LOST_SAMPLES,
	PERF_RECORD_SWITCH,
	PERF_RECORD_SWITCH_CPU_WIDE,
	PERF_RECORD_NAMESPACES,
	PERF_RECORD_KSYMBOL, /* 5.1 */
	PERF_RECORD_CALLCHAIN_DEFERRED = 22, /* 6.19 */
};

#define PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER 1

/* Marks in call chains: the addresses after one are of that context. */
#define PERF_CONTEXT_HV ((uint64_t)-32)
#define PERF_CONTEXT_KERNEL ((uint64_t)-128)
#define PERF_CONTEXT_USER ((uint64_t)-512)
/* 6.19: the user part will come in a later record; a cookie follows. */
#define PERF_CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define PERF_CONTEXT_GUEST ((uint64_t)-2048)
#define PERF_CONTEXT_GUEST_KERNEL ((uint64_t)-2176)
#define PERF_CONTEXT_GUEST_USER ((uint64_t)-2560)
#define PERF_CONTEXT_MAX ((uint64_t)-4095) /* the smallest */

#define PERF_FLAG_FD_CLOEXEC 8

#define PERF_EVENT_IOC_ENABLE _IO('$', 0)
#define PERF_EVENT_IOC_DISABLE _IO('$', 1)
#define PERF_EVENT_IOC_SET_OUTPUT _IO('$', 5)
#define PERF_EVENT_IOC_SET_BPF _IOW('$', 8, uint32_t)

#endif
