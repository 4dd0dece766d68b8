/* threadlabels: the table of the readers of labels, in the order in which they are tried. */
#include "threadlabel/threadlabels.h"

#include <stddef.h>

#include "threadlabel/golabel.h"
#include "threadlabel/threadname.h"
#include "threadlabel/variablelabel.h"

const struct threadlabel *const threadlabels[] = {
    &threadlabel_variable, &threadlabel_thread, &threadlabel_go, NULL};
