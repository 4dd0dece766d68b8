/*
 * beam: frames of Erlang functions in BEAM with its JIT compiler (OTP), see runtime.h.
 */
#ifndef BEAM_H
#define BEAM_H

#include "runtime/runtime.h"

extern const struct runtime runtime_beam;

#endif
