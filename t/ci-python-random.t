#!/bin/sh
# ci-python with ten pull requests of other names and amounts of work, in both modes.
# tier: soak
SEEDS=${SEEDS:-11 12 13 14 15 16 17 18 19 20} exec sh "$(dirname "$0")/ci-python.t"
