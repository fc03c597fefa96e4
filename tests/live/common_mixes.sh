# Plain programs with calls of any size, drawn at random, on a store with a real limit, beside what the
# simulator says of them.
. "$(dirname "${BASH_SOURCE[0]}")/common_fuse.sh"
! ldd "$weir" | grep -qE 'lib[at]san|libubsan' || skip "timing means nothing under a sanitizer"
caller=$WEIR_BUILD_DIR/caller
rate=${WEIR_RATE:-50000000}
mount_store "$rate" store

# draw SEED SECONDS: 1 to 8 lines 'name iterations work volume call release', by release, each of about so
# many seconds. Calls take from 25 ms to 2 s of the store alone; smaller ones are not drawn because the
# store serves requests of up to 1 MiB in turn, so that without control they do not have their even share.
draw() {
    awk -v seed="$1" -v seconds="$2" -v rate="$rate" 'function uniform(a, b) { return a + (b - a) * rand() }
    BEGIN {
        srand(seed); count = 1 + int(8 * rand())
        for (i = 1; i <= count; i++) {
            volume = exp(uniform(log(0.05), log(0.2 * seconds))); call = exp(uniform(log(0.025), log(2)))
            call = call < volume && rand() < 0.7 ? call : volume
            work = uniform(0.5, 3) * volume * (count > 3 ? count / 3 : 1) + 0.1
            times = int(seconds / (work + 1.5 * volume)) + 1
            printf "%d %.3f %d %d %.2f\n", times, work, rate * volume, rate * call,
                rand() < 0.5 ? 0 : uniform(0, seconds / 6)
        }
    }' | sort -s -n -k5,5 | awk '{ print "job" NR, $0 }'
}

scenario() {
    echo "platform: {bandwidth: $rate B/s}"
    echo 'applications:'
    awk '{ printf "  - {name: %s, nodes: 1, iterations: %s, work: %s s, io: %s B, calls: %s B, release: %s s}\n",
           $1, $2, $3, $4, $5, $6 }' jobs
}

# simulated STRATEGY: a line 'name end' for each job.
simulated() {
    "$weir" simulate jobs.yaml --policy "$1" --knowledge mean --release-latency 2ms --per-app --csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
                 { print $column["name"], $column["completion"] }'
}

# sum A B; reached DATE
sum() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.6f", a + b }'; }
reached() { awk -v now="$EPOCHREALTIME" "BEGIN { exit !(now >= $1) }"; }
joined() { [ "$(grep -c '"event":"join"' journal)" -ge "$1" ]; }

# measured STRATEGY|none: the same of a real run. Applications join in their order, shortly before they are
# released: strategies break ties by number, and count how old they are.
measured() {
    local strategy=$1 server= start name times work volume call release job jobs=()
    if [ "$strategy" != none ]; then
        rm -f journal
        "$weir" serve --socket "$scratch/socket" --bandwidth "${rate}B/s" --policy "$strategy" \
            --store "$scratch/store" --journal journal 2>serve.log &
        server=$!
        soon answers "$scratch/socket" >/dev/null
    fi
    start=$(sum "$EPOCHREALTIME" 0.4)
    while read -r name times work volume call release; do
        soon reached "$(sum "$start" "$release") - 0.4"
        set -- "$caller" "store/$name" "$times" "$work" "$volume" "$call" "$(sum "$start" "$release")"
        [ -z "$server" ] || set -- "$weir" exec --socket "$scratch/socket" --name "$name" -- "$@"
        (end=$("$@") && echo "$name $(sum "$end" "$release")" >"$name.end") &
        jobs+=($!)
        [ -z "$server" ] || soon joined "${#jobs[@]}"
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

# agrees STRATEGY: within 5 %, or $most %, on average, and no more than 2 % later at the end.
agrees() {
    simulated "$1" >expected && measured "$1" >found || return
    read -r error ratio < <(differs expected found)
    echo "$1: mean difference $error %, total $ratio of what is simulated"
    awk -v e="$error" -v r="$ratio" -v most="${most:-5}" 'BEGIN { exit !(e <= most && r <= 1.02) }'
}

# undisturbed: a program alone, without control, writes for a second in 20 calls. If that takes 2 % longer,
# others use the machine, and keep the store from being busy whenever a single program should use it.
undisturbed() {
    local took
    took=$("$caller" store/alone 1 0.1 "$rate" $((rate / 20)) "$(sum "$EPOCHREALTIME" 0.1)")
    awk -v t="$took" 'BEGIN { exit !(t <= 1.122) }'
}

# judge STRATEGY: a run counts only if the machine was quiet before it and after it.
judge() {
    local attempt bad=0
    for attempt in 1 2 3; do
        undisturbed || { echo "others use the machine"; continue; }
        agrees "$1" && return
        undisturbed && bad=$((bad + 1)) || echo "others used the machine"
    done
    # Without two runs that count against it, it is not judged.
    [ $bad -lt 2 ]
}

# end_as_simulated MIX STRATEGY...: the jobs do.
end_as_simulated() {
    local mix=$1 strategy
    shift
    scenario >jobs.yaml
    for strategy; do
        it "$mix ends under $strategy when the simulator says" judge "$strategy"
        sed 's/^/# /' detail
    done
}
