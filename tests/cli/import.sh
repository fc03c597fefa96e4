#!/bin/bash
# Importing and exporting: files in, a scenario out, and back; and what is said of bad ones.
. "$(dirname "$0")/common.sh"

# write NAME TEXT: a file in the scratch directory; $file is its full path.
write() {
    file=$scratch/$1
    printf '%b' "$2" >"$file"
}

# imports FORMAT TEXT ARGUMENT...: succeeds on $file, and TEXT stands in the scenario, which reads.
imports() {
    local format=$1 text=$2
    shift 2
    exits 0 import "$format" "$file" -o imported.yaml "$@" || return
    cp work/imported.yaml "$scratch/imported.yaml"
    grep -qF -e "$text" imported.yaml || { cat imported.yaml; echo "lacks: $text"; return 1; }
    exits 0 simulate "$scratch/imported.yaml" --policy fcfs
}

# --- csv -----------------------------------------------------------------------------------------
write phases.csv 'app,phase,kind,amount\nocean,,nodes,4\nocean,1,work,100 s\nocean,2,io,10 GB\n'
phases=$file
it "imports a table" imports csv "{work: 100, io: 10000000000}" --bandwidth 1GB/s
from_stdin() {
    printf 'a,1,io,5\n' | "$weir" import csv - --bandwidth 1 >out 2>err && grep -q "name: stdin" out
}
it "imports standard input" from_stdin
it "takes several files" exits 0 import csv "$phases" "$phases" --bandwidth 1GB/s
it "tells applications of one name apart" grep -q "name: ocean-2," out
it "wants a bandwidth" refuses "--bandwidth" import csv "$phases" -o out.yaml
write wrong.csv 'a,1,work,5 s\na,2,iO,5 parsec\n'
it "names file, line and what was expected" \
    refuses "wrong.csv:2: io: '5 parsec' is not a size" import csv "$file" --bandwidth 1 -o out.yaml
lenient() {
    exits 0 import csv "$file" --bandwidth 1 --lenient -o out.yaml &&
        grep -q "skipped 1 " err && grep -q "^# skipped 1 .*wrong.csv:2" work/out.yaml
}
it "skips, counts and says so if lenient" lenient
it "names a missing file, before what it lacks" \
    refuses "cannot read 'nowhere.csv'" import csv nowhere.csv -o out.yaml
mkdir "$scratch/empty"
it "refuses a directory without files" refuses "has no files" import csv "$scratch/empty" --bandwidth 1 -o out.yaml

# --- logs ----------------------------------------------------------------------------------------
header='# exe: /x/solver\n# jobid: 42\n# start_time: 1600000000\n# nprocs: 8\n# run time: 100.0\n'
write trace.txt "$header X_POSIX 0 read 0 0 1000 1.0 1.5\n X_POSIX 0 write 1 0 4000 60.0 61.0\n"
trace=$file
it "imports an access trace" imports darshan "{work: 58.5, io: 4000}"
explains() { exits 0 import darshan "$trace" && grep -q '^# solver-42: .*pauses jump from' out; }
it "explains how it found the phases" explains
it "takes a gap, and pauses within it as work" imports darshan "phases: [{work: 59.7" --gap 2min
second() {
    write second.txt "$header X_POSIX 0 read 0 0 9 1 2\n"
    exits 0 import darshan "$trace" "$file" && [ "$(grep -c '  - {name' out)" -eq 2 ]
}
it "makes an application of each log" second
it "tells logs of one job apart" grep -q 'name: solver-42-2,' out
it "notices that they may be the same" grep -q '^# .*second.txt has a log that looks like one in .*trace.txt' out
counter() { printf 'POSIX\\t-1\\t1\\tPOSIX_%s\\t%s\\t/a\\t/\\tlustre\\n' "$@"; }
counters=$(counter BYTES_READ 1000; counter BYTES_WRITTEN 4000; counter F_READ_TIME 4; counter F_WRITE_TIME 9;
    counter F_SLOWEST_RANK_TIME 10)
write counters.txt "$header$counters"
it "imports counters" imports darshan "{name: solver-42, nodes: 8, job: 42, program: solver, work: 90, io: 5000"
one_job() { exits 0 import darshan "$@" && [ "$(grep -c '  - {name' out)" -eq 1 ] && grep -q 'work: 58.5' out; }
it "makes one application of the counters and the trace of a log" one_job "$file" "$trace"
it "makes it in any order" one_job "$trace" "$file"
write more.txt "$header${counters/4000/7000}"
more() { exits 0 import darshan "$file" "$trace" && grep -q 'the trace has 5 kB, the counters 8 kB' out; }
it "tells what the trace lacks" more
write cut.txt "$header# *WARNING*: The DXT_POSIX module contains incomplete data!\n X_POSIX 0 read 0 0 10 1 2\n"
whole() { exits 0 import darshan "$file" "$scratch/counters.txt" && grep -q 'work: 90, io: 5000' out; }
it "prefers whole counters to an incomplete trace" whole
write untraced.txt "$header# no DXT module data available for this Darshan log.\n"
it "refuses a log that was not traced" refuses "convert the log with darshan-parser" import darshan "$file" -o out.yaml
rescued() { exits 0 import darshan "$file" "$scratch/counters.txt" && grep -q 'work: 90, io: 5000' out; }
it "takes its counters if they are there" rescued
# --- many files ----------------------------------------------------------------------------------
mkdir -p "$scratch/logs/deep"
for i in $(seq 150); do
    printf "# exe: /x/s$i\n# uid: $((i % 3))\n# jobid: $i\n# start_time: $((1600000000 + i))\n# nprocs: 8\n# run time: 100.0\n X_POSIX 0 write 0 0 $((i * 1000)) 1.0 1.5\n" >"$scratch/logs/deep/$i.txt"
done
: >"$scratch/logs/empty.txt"
head -c 40 "$trace" >"$scratch/logs/half.txt"
directory() {
    exits 0 import darshan "$scratch/logs" -o all.yaml && [ "$(grep -c '  - {name' work/all.yaml)" -eq 150 ] &&
        grep -q 'weir: left out: .*logs/empty.txt: no line' err && grep -q 'weir: left out: .*logs/half.txt' err &&
        grep -q '^# 2 files or logs left out' work/all.yaml && cp work/all.yaml all.yaml
}
it "reads all files of a directory, and names those it leaves out" directory
pattern() { exits 0 import darshan "$scratch/logs/deep/*.txt" -o same.yaml && diff <(grep '  - {' all.yaml) <(grep '  - {' work/same.yaml); }
it "reads those that match a pattern, in the same order" pattern
one_thread() { exits 0 import darshan "$scratch/logs" -o one.yaml && diff all.yaml work/one.yaml; }
it "makes the same of them in one thread" eval 'taskset -c 0 true && one_thread'
it "wants a named file to be there" refuses "cannot read 'nowhere.txt'" import darshan "$trace" nowhere.txt -o out.yaml
it "refuses a broken file alone" refuses "no line" import darshan "$scratch/logs/empty.txt" -o out.yaml

# --- jobs of logs --------------------------------------------------------------------------------
# 1 and 2 ran when their logs say; 3 has the id of one, but ran a day later.
write jobs.txt 'JobIDRaw;User;Account;State;Start;ElapsedRaw;AllocNodes\n1;alice;physics;COMPLETED;2020-09-13T12:26:41;120;4\n1.batch;;;COMPLETED;2020-09-13T12:26:41;120;4\n2;bob;chem;RUNNING;2020-09-13T12:26:42;900;2\n3;eve;chem;COMPLETED;2020-09-14T12:26:42;900;2\n'
joined() {
    TZ=UTC0 exits 0 import darshan "$scratch/logs" --sacct "$file" -o joined.yaml &&
        grep -q 'jobs.txt has the jobs of 2 of 150 logs' err && cp work/joined.yaml joined.yaml &&
        grep -q '{name: s1-1, nodes: 4, .*user: alice, account: physics, job: 1, program: s1' joined.yaml &&
        grep -q '{name: s2-2, nodes: 2, .*release: 1, user: bob, account: chem, job: 2' joined.yaml &&
        grep -q '{name: s3-3, nodes: 8, .*release: 2, user: 0, job: 3' joined.yaml
}
it "joins logs with jobs by id and time" joined
it "wants jobs for logs only" refuses "--sacct has no effect on 'csv'" import csv "$phases" --sacct "$file" --bandwidth 1 -o out.yaml
write tres.txt 'JobID|State|Start|ElapsedRaw|AllocNodes|TRESUsageInTot|TRESUsageOutTot\n7|RUNNING|2020-09-13T12:26:40|120|4||\n7.0|RUNNING|2020-09-13T12:26:40|120|4|cpu=00:00:02,fs/disk=3K,mem=5M|fs/disk=928\n'
it "adds up what Slurm says of disks" imports sacct "io: 4000," --bandwidth 1GB/s
it "counts jobs that were still running" grep -q 'jobs that were still running: 1' imported.yaml

# --- Lustre --------------------------------------------------------------------------------------
# stats TIME TARGET JOB BYTES...: a snapshot
stats() {
    local time=$1
    shift
    while [ $# -gt 0 ]; do
        printf 'obdfilter.x-%s.job_stats=\njob_stats:\n- job_id:  %s\n  snapshot_time: %s\n  read_bytes: { samples: 1, unit: bytes, min: 1, max: 1, sum: 0 }\n  write_bytes: { samples: 1, unit: bytes, min: 1, max: 1, sum: %s }\n' "$1" "$2" "$time" "$3"
        shift 3
    done
}
# 1: moved 100 before, then 300 + 200 on two targets, then the first begins again at 0 with 50.
# 2: comes after the first snapshot, and is forgotten before the last.
{
    stats 1700000000 OST0 a.1000 100 OST1 a.1000 0
    stats 1700000060 OST0 a.1000 400 OST1 a.1000 200 OST0 77 6000
    stats 1700000120 OST0 a.1000 400 OST1 a.1000 200
    stats 1700000180 OST0 a.1000 50 OST1 a.1000 200
} >"$scratch/stats.txt"
file=$scratch/stats.txt
lustre() {
    imports lustre 'name: a.1000, nodes: 1,' && grep -q 'phases: \[{work: 0.*, io: 500}, {work: .*, io: 50}\]' imported.yaml &&
        grep -qE 'name: 77, nodes: 1, job: 77, (work|phases).*io: 6000' imported.yaml &&
        grep -q 'user: 1000, program: a' imported.yaml && grep -q '^# 4 snapshots, 2 jobs with I/O' imported.yaml
}
it "imports snapshots of job_stats" lustre
it "tells what it cannot know of them" grep -q 'before the first snapshot does not count' imported.yaml

# --- time ----------------------------------------------------------------------------------------
dated() { TZ=CET-1CEST,M3.5.0,M10.5.0/3 exits 0 import darshan "$scratch/trace.txt" && grep -q '^start: 2020-09-13T14:26:40+02:00$' out; }
it "says when the scenario starts" dated
cat >"$scratch/dated.yaml" <<'YAML'
start: 2026-10-25T01:30:00+02:00
platform: {bandwidth: 1 GB/s}
applications:
  - {name: a, nodes: 1, user: alice, phases: [{work: 1 h}, {io: 3600 GB}, {work: 4 h}]}
  - {name: b, nodes: 1, user: bob, phases: [{work: 1 h}, {io: 3600 GB}, {work: 4 h}]}
YAML
# The clocks of Berlin are set back by an hour at 3:00: the I/O is from 2:30 to 3:30, two hours later.
hour() { # ZONE WINDOW LOST
    TZ=$1 exits 0 blame "$scratch/dated.yaml" --by user --window "$2" && grep -q "lose $3 in all" out
}
berlin=CET-1CEST,M3.5.0,M10.5.0/3
it "measures by the clock" hour UTC0 02:30/04:30 "2 h"
it "shows dates" grep -q '^window 2026-10-25 02:30:00 to 2026-10-25 04:30:00$' out
it "knows daylight saving time" hour $berlin 02:30/03:30 "2 h"
it "takes dates" hour $berlin 2026-10-25T03:00/2026-10-26T12:00 "30 min"
it "takes dates with a zone" hour $berlin 2026-10-25T02:00Z/2026-10-25T02:30Z "30 min"
it "wants a start for that" refuses "needs the key 'start'" blame "$root/examples/quickstart.yaml" --window 14:00/15:00
it "says what a window may be" refuses "expected FROM/TO such as 14:00/15:00" blame "$scratch/dated.yaml" --window 14:00/tea
pairs() { exits 0 blame "$scratch/dated.yaml" --by user --pairs 5 && grep -qE '^alice because of bob +60.0 +120 +2 +1$' out; }
it "shows who waits for whom" pairs

gzip -c "$trace" >"$scratch/trace.txt.gz"
file=$scratch/trace.txt.gz
it "imports a compressed text" imports darshan "{work: 58.5, io: 4000}"
head -c 99 "$file" >"$scratch/cut.gz"
it "refuses a compressed text that is cut off" refuses "cut off" import darshan "$scratch/cut.gz" -o out.yaml

# --- logs themselves: scripts stand for Darshan's programs ---------------------------------------
write job.darshan '3.41\0\0\0\0\067\065\0144\0\0\0\0\0'
log=$file
mkdir "$scratch/bin"
program() { printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"; }
regions='# POSIX module: 9 bytes (compressed), ver=4\n# DXT_POSIX module: 9 bytes (compressed), ver=1\n'
printf '%b' "$header$regions$counters" >"$scratch/1"
printf '%b' "$header$regions X_POSIX 0 write 1 0 5000 60.0 61.0\n" >"$scratch/2"
program darshan-parser "echo \"\$@\" >>$scratch/ran; cat $scratch/1"
program darshan-dxt-parser "echo \"\$@\" >>$scratch/ran; cat $scratch/2"
with_programs() {
    local PATH=$scratch/bin:$PATH
    "$@"
}
binary() { with_programs exits 0 import darshan "$log" && grep -q 'phases: \[{work: 60, io: 5000}' out; }
it "imports a log by Darshan's programs" binary
it "gives them the file" [ "$(sort -u "$scratch/ran")" = "$log" ]
dashed() {
    cp "$log" work/-job.darshan && cd work && PATH=$scratch/bin:$PATH "$weir" import darshan -- -job.darshan >../out 2>../err
    cd .. && tail -n 1 "$scratch/ran" | grep -qFx ./-job.darshan
}
it "gives them a file that looks like an option" dashed
program darshan-parser 'echo "it is broken" >&2; exit 3'
broken() {
    with_programs exits 2 import darshan "$log" -o out.yaml && [ -z "$(ls work)" ] && grep -qx "it is broken" err &&
        grep -q 'job.darshan: darshan-parser failed with exit code 3; --lenient' err
}
it "passes on what they complain about" broken
program darshan-parser '[ "$1" = --show-incomplete ] && cat '"$scratch/1"
program darshan-dxt-parser '[ "$1" = --show-incomplete ] && cat '"$scratch/2"
it "asks them for what there is if lenient" with_programs exits 0 import darshan "$log" --lenient
program weir "PATH=/nowhere; exec $weir \"\$@\""
missing() {
    local weir=$scratch/bin/weir
    refuses "needs darshan-parser, which is not on the PATH" import darshan "$log" -o out.yaml
}
it "says how to convert a log if there are none" missing
if command -v darshan-parser >/dev/null; then
    it "passes on what the real ones complain about" exits 2 import darshan "$log"
    it "and how they ended" grep -q 'darshan-parser failed' err
else
    echo "# darshan-parser is not installed: what it says itself of a broken log is not tried"
fi

# --- logs of batch systems -----------------------------------------------------------------------
write jobs.swf '; MaxProcs: 64\n1 100 50 1000 4 -1 -1 4 -1 -1 1 7 7 -1 -1 -1 -1 -1\n'
it "imports a workload log" imports swf "name: 1, nodes: 4, user: 7, account: 7, work: 900" --bandwidth 1GB/s --io-ratio 10%
it "wants a model of the I/O" refuses "--io-ratio" import swf "$file" --bandwidth 1GB/s -o out.yaml
it "refuses a ratio above 1" \
    refuses "--io-ratio" import swf "$file" --bandwidth 1GB/s --io-ratio 2 -o out.yaml
write jobs.txt 'Start|NNodes|JobID|Elapsed\n2024-02-29T13:00:00|4|12|00:16:40\n'
it "imports Slurm's accounting" imports sacct "name: 12, nodes: 4" --bandwidth 1GB/s --io-ratio 0.1
write rates.jsonl '{"write_sync":{"bandwidth":{"b_rank_avr":[9],"t_rank_s":[2],"t_rank_e":[4]}}}\n'
it "imports bandwidth over time" imports tmio "{work: 2, io: 18}"
it "refuses an option without effect" \
    refuses "--gap has no effect on 'csv'" import csv "$phases" --bandwidth 1 --gap 3s
it "refuses an unknown release" \
    refuses "expected start or submit" import sacct "$file" --bandwidth 1 --io-ratio 1 --release now
it "suggests the nearest format" refuses "'darshan'" import darshn "$trace"
it "wants a format and a file" refuses "FORMAT or FILE" import csv
it "lists what it imports" prints "sacct" import --list

# --- periods -------------------------------------------------------------------------------------
# 12 times 90 s of work and 10 GB, which take 10 s; and three I/Os.
periods() {
    for k in $(seq 12); do printf 'tide,,work,90\ntide,,io,10 GB\n'; done
    printf 'few,,io,1 GB\nfew,,work,9\nfew,,io,1 GB\nfew,,work,9\nfew,,io,1 GB\n'
}
write tide.csv "$(periods)\n"
tide=$file
it "says the period that phases show" imports csv "name: tide, nodes: 1, period: 100, phases" --bandwidth 1GB/s
it "says how sure it is" prints "# tide: I/O every 1.667 min, confidence 0.7" import csv "$tide" --bandwidth 1GB/s
it "says no period of too few" imports csv "name: few, nodes: 1, phases" --bandwidth 1GB/s
it "refuses to make too few periodic" \
    refuses "'few' has too few I/Os" import csv "$tide" --bandwidth 1GB/s --periodic -o out.yaml
write tide.csv "$(periods | grep -v few)\n"
it "makes phases periodic" imports csv \
    "name: tide, nodes: 1, period: 100, work: 90, io: 10000000000, iterations: 12" \
    --bandwidth 1GB/s --periodic
# Every 60 s eight ranks write for 2 s, a little late or early.
checkpoints() {
    local k rank
    for k in $(seq 15); do
        for rank in $(seq 0 7); do
            echo " X_POSIX $rank write $k 0 1000000 $((60 * k + k % 3)).$rank $((60 * k + k % 3 + 2)).0"
        done
    done
}
write checkpoints.txt "${header/100.0/1000.0}$(checkpoints)\n"
it "finds the period of a real trace's kind" imports darshan "period: 59.98"
irregular() { for k in 9 120 33 5 64 1 250 18 2 90; do printf "wild,,work,$k\nwild,,io,5\n"; done; }
write wild.csv "$(irregular)\n"
it "refuses to make a mess periodic" \
    refuses "'wild' has no clear period" import csv "$file" --bandwidth 1 --periodic -o out.yaml

write two.set '100 10 4\n200 5 8\n'
it "imports a set" imports set "nodes: 8, work: 200, io: 5000000000" --bandwidth 1GB/s
it "takes one set at a time" refuses "takes one file" import set "$file" "$file" --bandwidth 1GB/s
it "is not lenient with a set" refuses "--lenient" import set "$file" --bandwidth 1GB/s --lenient

# --- exporting -----------------------------------------------------------------------------------
quickstart=$root/examples/quickstart.yaml
measure() { exits 0 simulate "$@" --bandwidth 2GB/s --policy fcfs --metrics makespan,max_stretch --csv; }
numbers() { cut -d, -f2- out; }
# returns FORMAT SCENARIO: the measures are the same after exporting and reading again.
returns() {
    measure "$2" && numbers >"$scratch/first"
    exits 0 export "$1" "$2" --bandwidth 2GB/s -o there || return
    cp work/there "$scratch/there"
    if [ "$1" = csv ]; then
        exits 0 import csv "$scratch/there" --bandwidth 2GB/s -o back.yaml || return
        cp work/back.yaml "$scratch/back.yaml"
        measure "$scratch/back.yaml"
    else
        measure "$scratch/there" --format "$1"
    fi
    numbers | diff "$scratch/first" -
}
it "exports an instance that behaves the same" returns instance "$root/examples/jupiter1.yaml"
it "exports a table that behaves the same" returns csv "$quickstart"
it "exports a set" prints "76.8 235.8 64" export set "$root/examples/jupiter1.yaml"
it "names an application that an instance cannot have" \
    refuses "'analysis' is released at 60 s" export instance "$quickstart" -o out.txt
it "says what a format cannot say" \
    refuses "iterations that differ" export set "$root/examples/traced.yaml" -o out.txt
paje() {
    exits 0 export paje "$quickstart" --policy fcfs -o trace.paje && cd work &&
        [ "$(grep -c '^4 .* A f ' trace.paje)" -eq 4 ] && # applications
        grep -v '^%' trace.paje | awk '$1 >= 4 { if ($2 + 0 < last) exit 1; last = $2 + 0 }'
}
it "exports what happens, in order of time" paje
it "follows a plan if the strategy does" \
    exits 0 export paje "$root/examples/jupiter1.yaml" --policy plan -o trace.paje
it "wants a strategy for that" refuses "--policy" export paje "$quickstart" -o trace.paje
it "refuses a strategy without effect" refuses "--policy" export csv "$quickstart" --policy fcfs
it "refuses several strategies" refuses "expected one strategy" export paje "$quickstart" --policy all
it "refuses to export to an unknown format" refuses "csv or paje" export pdf "$quickstart"
it "wants a format and a scenario" refuses "FORMAT or SCENARIO" export csv
it "lists what it exports" prints "instance" export --list

finish
