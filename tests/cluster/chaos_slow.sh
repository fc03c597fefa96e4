#!/bin/bash
# The same for two minutes.
WEIR_CHAOS_SECONDS=${WEIR_CHAOS_SECONDS:-120} exec bash "$(dirname "$0")/chaos.sh"
