#!/bin/bash
# Plain programs with calls of any size, drawn at random, on a store with a real limit: under control they
# end when the simulator says, and as soon as without control. About an hour; WEIR_MIXES: the seeds of the
# draws, WEIR_STRATEGIES: under which strategies.
. "$(dirname "$0")/common_fuse.sh"
! ldd "$weir" | grep -qE 'lib[at]san|libubsan' || skip "timing means nothing under a sanitizer"
caller=$WEIR_BUILD_DIR/caller
mount_store 50000000 store

# draw SEED: 2 to 5 lines 'name iterations work volume call release'. Calls are of 16 kB to 160 MB.
draw() {
    awk -v seed="$1" 'function uniform(a, b) { return a + (b - a) * rand() }
    BEGIN {
        srand(seed); count = 2 + int(4 * rand())
        for (i = 1; i <= count; i++) {
            volume = exp(uniform(log(5e6), log(1.2e8))); call = exp(uniform(log(1.6e4), log(1.6e8)))
            call = call < volume ? call : volume
            work = uniform(0.5, 2.5) * volume / 5e7 + 0.1
            times = int(8 / (work + 1.5 * volume / 5e7)) + 1
            printf "job%d %d %.3f %d %d %.2f\n", i, times, work, volume, call, rand() < 0.5 ? 0 : uniform(0, 2)
        }
    }'
}

scenario() {
    echo 'platform: {bandwidth: 50 MB/s}'
    echo 'applications:'
    awk '{ printf "  - {name: %s, nodes: 1, iterations: %s, work: %s s, io: %s B, calls: %s B, release: %s s}\n",
           $1, $2, $3, $4, $5, $6 }' jobs
}

# simulated STRATEGY: a line 'name end' for each job.
simulated() {
    "$weir" simulate jobs.yaml --policy "$1" --knowledge mean --release-latency 2ms --per-app --csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
                 { print $column["application"], $column["completion"] }'
}

# measured STRATEGY|none: the same of a real run.
measured() {
    local server= start name times work volume call release job jobs=()
    if [ "$1" != none ]; then
        "$weir" serve --socket "$scratch/socket" --bandwidth 50MB/s --policy "$1" \
            --store "$scratch/store" 2>serve.log &
        server=$!
        soon answers "$scratch/socket" >/dev/null
    fi
    start=$(awk -v now="$EPOCHREALTIME" 'BEGIN { printf "%.6f", now + 1 }')
    while read -r name times work volume call release; do
        set -- "$caller" "store/$name" "$times" "$work" "$volume" "$call" \
            "$(awk -v a="$start" -v b="$release" 'BEGIN { printf "%.6f", a + b }')"
        [ -z "$server" ] || set -- "$weir" exec --socket "$scratch/socket" --name "$name" -- "$@"
        (end=$("$@") && awk -v name="$name" -v end="$end" -v release="$release" \
            'BEGIN { print name, end + release }' >"$name.end") &
        jobs+=($!)
    done <jobs
    for job in "${jobs[@]}"; do wait "$job" || return; done
    [ -z "$server" ] || { kill $server && wait $server; }
    cat job*.end
    rm job*.end
}

# differs A B: mean difference of the ends in %, and the ratio of the last ones.
differs() {
    awk 'NR == FNR { end[$1] = $2; next }
         { sum += ($2 > end[$1] ? $2 - end[$1] : end[$1] - $2) / end[$1]; n++
           last = $2 > last ? $2 : last; first = end[$1] > first ? end[$1] : first }
         END { printf "%.2f %.4f\n", 100 * sum / n, last / first }' "$1" "$2"
}

# agrees STRATEGY: within 5 % on average, and no more than 2 % later at the end.
agrees() {
    simulated "$1" >expected && measured "$1" >found || return
    read -r error ratio < <(differs expected found)
    echo "$1: mean difference $error %, total $ratio of what is simulated"
    awk -v e="$error" -v r="$ratio" 'BEGIN { exit !(e <= 5 && r <= 1.02) }'
}

# undisturbed: without control the store shares itself, so that fair-share is what happens.
undisturbed() {
    simulated fair-share >expected && measured none >without || return
    read -r error ratio < <(differs expected without)
    awk -v e="$error" 'BEGIN { exit !(e <= 4) }'
}

# A run counts only if those before and after it were not disturbed by others on the machine.
judge() {
    local attempt good
    for attempt in 1 2 3; do
        good=0
        agrees "$1" && good=1
        undisturbed || { echo "others used the machine"; continue; }
        [ $good -eq 1 ] || return 1
        [ "$1" != fair-share ] || no_slower
        return
    done
    echo "not judged"
}
no_slower() {
    read -r _ ratio < <(differs without found)
    echo "total $ratio of that without control"
    awk -v r="$ratio" 'BEGIN { exit !(r <= 1.02) }'
}

for seed in ${WEIR_MIXES:-1 2 3 4 5 6 7 8 9 10}; do
    draw "$seed" >jobs
    scenario >jobs.yaml
    for strategy in ${WEIR_STRATEGIES:-fair-share fcfs greedy-com critical-yield surplus}; do
        it "mix $seed ends under $strategy when the simulator says" judge "$strategy"
        sed 's/^/# /' detail
    done
done
finish
