#!/bin/bash
# The same for a minute.
WEIR_CHAOS_SECONDS=${WEIR_CHAOS_SECONDS:-60} exec bash "$(dirname "$0")/chaos.sh"
