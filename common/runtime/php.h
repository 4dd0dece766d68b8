/*
 * php: frames of PHP's Zend engine, see runtime.h.
 */
#ifndef PHP_H
#define PHP_H

#include "runtime/runtime.h"

extern const struct runtime runtime_php;

#endif
