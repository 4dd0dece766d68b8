/*
 * data: the data of a format.
 */
#ifndef DATA_H
#define DATA_H

/*
 * Data that a format provides. An option that needs other data is a usage error for an
 * input of that format.
 */
enum {
	/* Data of samples. */
	DATA_COMM = 1 << 0, /* task name at the root */
	DATA_PID = 1 << 1,
	DATA_TID = 1 << 2,
	DATA_MODULE = 1 << 3,
	DATA_KIND = 1 << 4, /* kind of a frame: kernel, library... */
	DATA_SOURCE = 1 << 5, /* file and line */
	DATA_ADDRESS = 1 << 6,
	DATA_TIME = 1 << 7,
	DATA_ORDER = 1 << 8, /* samples arrive in time order, or have times */
	DATA_EVENT = 1 << 9, /* several events */
	DATA_COUNT = 1 << 10, /* number of samples in addition to weights */
	/* Data of a few formats. */
	DATA_THREAD_NAMES = 1 << 11, /* thread names, at the root only if requested */
	DATA_STATE = 1 << 12, /* state of each thread */
	DATA_OFFSET = 1 << 13, /* offset of a frame in its function */
	DATA_MODULE_PREFIX = 1 << 14, /* module`function, unless --no-modules */
	DATA_PACKAGES = 1 << 15, /* Java packages */
	DATA_COSTS = 1 << 16, /* costs of a simulated CPU, for --bottleneck */
	DATA_UNSYMBOLIZED = 1 << 17, /* addresses that fg-collapse symbolizes */
	DATA_RECORDING = 1 << 18, /* data of the machine; context switches */
	DATA_LABELS = 1 << 19, /* labels of samples */
	DATA_BITS = 20,

	DATA_TASK = DATA_COMM | DATA_PID | DATA_TID,
	DATA_CODE = DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_ADDRESS,
	DATA_TIMES = DATA_TIME | DATA_ORDER,
};

#endif
