#!/bin/bash
# Plain programs with large calls end under control when the simulator says; mixes_slow.sh tries many mixes.
. "$(dirname "$0")/common_mixes.sh"

# Calls of very different sizes, of which each delays those of the others.
cat >jobs <<'JOBS'
job1 3 1 60000000 30000000 0
job2 5 0.5 20000000 5000000 0
job3 6 0.25 8000000 4000000 0
JOBS
most=1 end_as_simulated "a mix of large calls" greedy-com critical-yield
draw 1 4 >jobs
end_as_simulated "a mix drawn at random" greedy-com
finish
