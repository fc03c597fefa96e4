#!/bin/bash
# A study of logs: several logs of Darshan become applications, and describe adds them up by program.
. "$(dirname "$0")/common.sh"

# log NAME JOB START END PROCESSES SECONDS: a job that writes 1 GB in so many seconds
log() {
    cat >"$1" <<END
# darshan log version: 3.41
# exe: /home/user/$2
# uid: 1
# jobid: $3
# start_time: $4
# end_time: $5
# nprocs: $6
# run time: $(($5 - $4))
POSIX	-1	1	POSIX_BYTES_WRITTEN	1000000000	/scratch/out	/scratch	lustre
POSIX	-1	1	POSIX_BYTES_READ	0	/scratch/out	/scratch	lustre
POSIX	-1	1	POSIX_F_READ_TIME	0	/scratch/out	/scratch	lustre
POSIX	-1	1	POSIX_F_WRITE_TIME	$(($7 * $6))	/scratch/out	/scratch	lustre
POSIX	-1	1	POSIX_F_META_TIME	0	/scratch/out	/scratch	lustre
POSIX	-1	1	POSIX_F_SLOWEST_RANK_TIME	$7	/scratch/out	/scratch	lustre
END
}
mkdir -p work
# climate: two jobs of 4 and 2 nodes for an hour, a tenth of it I/O; physics: one of 10 nodes for half an hour.
log work/a.txt climate 11 1000000 1003600 4 360
log work/b.txt climate 12 1000000 1003600 2 360
log work/c.txt physics 13 1000000 1001800 10 36

adds_up_by_program() {
    (cd work && "$weir" import darshan a.txt b.txt c.txt --bandwidth 100MB/s -o s.yaml) 2>import.err || { cat import.err; return 1; }
    "$weir" describe work/s.yaml >described && grep -A3 '^program ' described
    awk '$1 == "climate" && $2 == 2 && $3 > 5.3 && $3 < 6.1 { climate = 1 }
        $1 == "physics" && $2 == 1 && $3 > 4.8 && $3 < 5.1 { physics = 1 }
        END { exit !climate || !physics }' described
}
it "adds logs up by program" adds_up_by_program
says_it_in_json() { "$weir" describe work/s.yaml --json | grep -q '"programs"'; }
it "lists the programs in JSON" says_it_in_json
leaves_others_alone() { ! "$weir" describe "$root/examples/quickstart.yaml" | grep '^program '; }
it "prints no table where each application is a program of its own" leaves_others_alone

finish
