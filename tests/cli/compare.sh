#!/bin/bash
# weir compare: means, intervals and paired differences over seeds, ensembles and sweeps.
. "$(dirname "$0")/common.sh"

# Two applications that work 10 s and then write 100 B, on 10 B/s. Under fair-share both write in
# [10, 30]: stretches 1.5 and 1.5. Under fcfs one writes in [10, 20], the other in [20, 30]: 1 and
# 1.5. So the makespan is 30 s and the largest stretch 1.5 under both, and the means are 1.5 and 1.25.
cat >twins.yaml <<'END'
platform: {nodes: 2, bandwidth: 10 B/s}
applications:
  - {name: one, nodes: 1, bandwidth: 10 B/s, work: 10 s, io: 100 B, iterations: 1}
  - {name: two, nodes: 1, bandwidth: 10 B/s, work: 10 s, io: 100 B, iterations: 1}
END
sed 's/iterations: 1/iterations: 20, noise: {work: 0.5, io: 0.5}/' twins.yaml >noisy.yaml
twins=$scratch/twins.yaml noisy=$scratch/noisy.yaml
pair=(--policy fair-share --policy fcfs)

# --- by hand -------------------------------------------------------------------------------------
# field SCENARIO[,SWEEP],POLICY,MEASURE COLUMN: of the CSV in out, counted from the end
field() { grep "^$1," out | awk -F, -v n="$2" '{ print $(NF - n) }'; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && d < 1e-7 && d > -1e-7) }' || { echo "$1, not $2"; return 1; }; }
by_hand() {
    exits 0 compare "$twins" "${pair[@]}" --metrics makespan,max_stretch,mean_stretch --csv || return
    cat out
    near "$(field twins,fair-share,mean_stretch 5)" 1.5 &&
        near "$(field twins,fcfs,mean_stretch 5)" 1.25 &&
        near "$(field twins,fcfs,mean_stretch 3)" -0.25 &&
        near "$(field twins,fcfs,mean_stretch 1)" 1 &&
        near "$(field twins,fcfs,mean_stretch 0)" 1 &&
        near "$(field twins,fcfs,makespan 5)" 30 &&
        near "$(field twins,fcfs,makespan 1)" 0.5 &&
        near "$(field twins,fcfs,makespan 0)" 0
}
it "finds what was worked out by hand" by_hand

# With 20 B/s both write at their 10 B/s.
sweeps() {
    exits 0 compare "$twins" "${pair[@]}" --metrics max_stretch --sweep bandwidth=1x,20B/s --csv &&
        head -1 out | grep -q '^scenario,bandwidth,policy,measure,' &&
        near "$(field twins,1x,fcfs,max_stretch 5)" 1.5 &&
        near "$(field twins,20B/s,fcfs,max_stretch 5)" 1
}
it "sweeps" sweeps
sweeps_twice() {
    exits 0 compare "$twins" "${pair[@]}" --sweep bandwidth=1x,2x --sweep applications.one.work=1x,2x,4x --csv --metrics makespan &&
        [ "$(sed 1d out | cut -d, -f2,3 | sort -u | wc -l)" -eq 6 ]
}
it "sweeps all combinations" sweeps_twice

# A sweep of a family's parameter gives what the parameter gives, and changes the bandwidth after it.
sweeps_parameter() {
    local asked=("${pair[@]}" --seeds 3 --metrics min_yield --csv)
    exits 0 compare synthetic "${asked[@]}" --sweep pressure=0.5,0.9 && mv out swept || return
    head -1 swept | grep -q '^scenario,pressure,policy,measure,' || return
    exits 0 compare synthetic:pressure=0.9 "${asked[@]}" && sed 1d out | cut -d, -f2- >alone
    sed -n 's/^synthetic,0.9,//p' swept | diff - alone &&
        exits 0 compare synthetic "${asked[@]}" --sweep pressure=0.9 --sweep bandwidth=1x,2x &&
        sed -n 's/^synthetic,0.9,1x,//p' out | diff - alone &&
        ! sed -n 's/^synthetic,0.9,2x,//p' out | diff -q - alone
}
it "sweeps a parameter of a family" sweeps_parameter
it "refuses to sweep a parameter of a file" \
    refuses "twins: 'pressure' is a parameter of a family" compare synthetic "$twins" --sweep pressure=0.5,0.9
it "refuses a value that a parameter cannot have" \
    refuses "compare: --sweep: pressure: 'x' is not a number" compare synthetic --sweep pressure=x
it "refuses a parameter that a family does not have" \
    refuses "jupiter has no parameter 'pressure'" compare synthetic jupiter --sweep pressure=0.5

# A sweep of what strategies know gives what the option gives.
sweeps_knowledge() {
    local asked=("$root/examples/noisy.yaml" --policy fcfs --policy critical-yield --seeds 3 --csv
        --metrics min_yield) known
    exits 0 compare "${asked[@]}" --sweep knowledge=exact,30%,mean && mv out swept || return
    for known in exact 30% mean; do
        exits 0 compare "${asked[@]}" --knowledge $known &&
            diff <(sed 1d out) <(sed 1d swept | grep ",$known," | sed "s/,$known,/,/") || return
    done
    [ "$(grep -c critical-yield,min_yield swept)" = 3 ] &&
        [ "$(grep critical-yield,min_yield swept | cut -d, -f6 | sort -u | wc -l)" = 3 ]
}
it "sweeps what strategies know" sweeps_knowledge

# What is known roughly is drawn with the seeds, in a scenario that is not random, too.
draws_what_is_known() {
    exits 0 compare "$root/examples/quickstart.yaml" --policy critical-yield --seeds 4 --ensemble 3 --csv \
        --metrics min_yield,makespan --sweep knowledge=exact,40% &&
        [ "$(sed -n 's/.*,exact,critical-yield,makespan,\([0-9]*\),.*/\1/p' out)" = 3 ] &&
        [ "$(sed -n 's/.*,40%,critical-yield,makespan,\([0-9]*\),.*/\1/p' out)" = 4 ] &&
        awk -F, '/,40%,critical-yield,makespan/ { exit !($7 > 1e-6 * $6) }' out
}
it "draws what is known roughly with the seeds" draws_what_is_known

# Files of one name are told apart.
tells_files_apart() {
    mkdir -p one two && cp "$twins" one/s.yaml && cp "$twins" two/s.yaml &&
        exits 0 compare "$scratch/one/s.yaml" "$scratch/two/s.yaml" --policy fcfs --csv --metrics makespan &&
        [ "$(sed 1d out | cut -d, -f1 | paste -s -d' ')" = "$scratch/one/s.yaml $scratch/two/s.yaml" ]
}
it "tells files of one name apart" tells_files_apart
warns_of_a_sweep() {
    "$weir" compare "$root/examples/quickstart.yaml" --policy fcfs --ensemble 1 --sweep nodes=0.5x >out 2>warned &&
        grep -q 'warning: quickstart, nodes=0.5x: the applications use' warned
}
it "warns of what a sweep does to a scenario" warns_of_a_sweep

# Mean and interval of three seeds from the runs of weir simulate: t = 4.302652729749464.
by_seed() {
    for seed in 1 2 3; do
        "$weir" simulate "$noisy" --policy fair-share --policy fcfs --seed $seed --csv --metrics mean_stretch | sed 1d
    done >runs
    awk -F, '$2 == "fair-share" { a[++n] = $3 } $2 == "fcfs" { m++; d[m] = $3 - a[m] }
        END { mean = (d[1] + d[2] + d[3]) / 3
              for (i = 1; i <= 3; i++) s += (d[i] - mean) ^ 2
              printf "%.12g %.12g\n", mean, 4.302652729749464 * sqrt(s / 2 / 3) }' runs >expected
    read -r mean margin <expected
    exits 0 compare "$noisy" "${pair[@]}" --seeds 3 --metrics mean_stretch --csv &&
        near "$(field noisy,fcfs,mean_stretch 3)" "$mean" && near "$(field noisy,fcfs,mean_stretch 2)" "$margin"
}
it "pairs the runs of each seed" by_seed

# Seeds 2 and 3 are those of three runs without the first.
takes_fresh_seeds() {
    exits 0 compare "$noisy" "${pair[@]}" --first-seed 2 --seeds 2 --metrics mean_stretch --csv || return
    near "$(field noisy,fcfs,mean_stretch 5)" \
        "$(awk -F, '$2 == "fcfs" && ++n > 1 { sum += $3 } END { printf "%.12g", sum / 2 }' runs)"
}
it "draws with other seeds" takes_fresh_seeds
it "names other seeds" prints "noisy: 2 seeds from 5 on" compare "$noisy" --seeds 2 --first-seed 5

# --- marks ---------------------------------------------------------------------------------------
same() {
    exits 0 compare "$noisy" --policy fcfs --policy list:order=fifo --metrics mean_stretch --seeds 5 &&
        grep -q '^list:order=fifo ~ .* 50.0$' out && grep -q '^~ not significant' out
}
it "marks equal strategies as not significant" same
it "counts an ensemble of what is not random" prints "20 runs that differ by 1e-9" compare "$twins"
it "counts an ensemble of one" prints "1 run that differs by 1e-9" compare "$twins" --ensemble 1
it "counts the seeds of what is random" prints "noisy: 7 seeds" compare "$noisy" --seeds 7
one() {
    exits 0 compare "$noisy" "${pair[@]}" --seeds 1 --metrics makespan && ! grep -q '~' out &&
        grep -q '^fcfs  *[0-9.*]*  *-  *[-0-9.]*  *-  ' out
}
it "shows no interval of one seed" one
baseline() {
    exits 0 compare "$twins" "${pair[@]}" --baseline fcfs --metrics mean_stretch --csv &&
        near "$(field twins,fair-share,mean_stretch 3)" 0.25
}
it "compares with the baseline" baseline
it "compares a family" prints "jupiter:set=2: 3 runs" compare jupiter:set=2 --ensemble 3 --policy fcfs
it "fits on a screen" fits compare "$noisy" --seeds 2
it "measures in a window" prints "min_yield" compare "$noisy" --seeds 2 --window auto

# Families with windows have no makespan; all have what is measured in windows.
mixes() {
    exits 0 compare "$noisy" synthetic:applications=12,small=4 --seeds 2 --policy fcfs &&
        [ "$(grep -c '^min_yield' out)" = 2 ] && ! grep -q '^fcfs .* - *- *- *- *-' out
}
it "has the same measures for scenarios with and without a window" mixes

threads() {
    for jobs in 1 4; do
        exits 0 compare "$noisy" synthetic:applications=12,small=4 --seeds 9 --jobs $jobs --json && cp out jobs.$jobs || return
    done
    cmp jobs.1 jobs.4
}
it "gives the same to the last bit with 1 and 4 threads" threads

# --- figures -------------------------------------------------------------------------------------
draws() { # FILE ARGUMENT...
    exits 0 compare "$noisy" "${pair[@]}" --seeds 3 --plot "$@" && [ -s "work/$1" ] || return
    case $1 in *.svg) xmllint --noout "work/$1" ;; esac
}
if command -v gnuplot >/dev/null && command -v xmllint >/dev/null; then
    it "draws bars" draws out.svg
    it "draws curves over a sweep" draws out.svg --sweep bandwidth=1x,2x,4x
    it "draws PDF" draws out.pdf
    # The table is there nevertheless.
    notices_full() { # FILE
        exits 1 compare "$twins" --policy fcfs --policy floor --plot "$1" && cat err && grep -q '(baseline)' out &&
            grep -qx "weir: cannot write '$1': No space left on device" err
    }
    it "prints its table though the disk is full" notices_full /dev/full
    fills_disk() {
        mkdir -p disk && mount -t tmpfs -o size=8k none disk 2>/dev/null || return 0
        local status=0
        notices_full "$scratch/disk/out.svg" && [ -z "$(ls disk)" ] || status=1
        umount disk
        return $status
    }
    it "tells why a figure cannot be written" fills_disk
    names_units() { # as the table does: 30 s, and 60 of those
        exits 0 compare "$twins" "${pair[@]}" --metrics makespan --plot out.svg && grep -q 'makespan (s)' work/out.svg &&
            exits 0 compare "$twins" "${pair[@]}" --metrics makespan --sweep applications.*.work=60x --plot out.svg &&
            grep -q 'makespan (min)' work/out.svg
    }
    it "names axes and units as its table does" names_units
    it "draws on standard output" prints "<svg" compare "$twins" --policy fcfs --plot -
fi
printf '#!/bin/sh\nPATH=/nowhere exec "%s" "$@"\n' "$weir" >pathless && chmod +x pathless
without_gnuplot() { weir=$scratch/pathless refuses "$@"; }
it "names the package of gnuplot" without_gnuplot "gnuplot-nox" compare "$twins" --plot out.svg

# Nothing is best where all are equal, and then there is no star to explain.
no_star() {
    exits 0 compare "$root/examples/quickstart.yaml" --sweep bandwidth=100TB/s --policy fcfs --policy floor \
        --metrics makespan && cat out && ! grep -q '\*' out
}
it "explains no star where there is none" no_star
one_processor() {
    [ "$(nproc)" -gt 1 ] || return 0
    taskset -c "$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')" "$weir" compare synthetic --seeds 40 \
        --policy fcfs >/dev/null 2>&1 &
    local compare=$! most=0 threads
    while threads=$(ls "/proc/$compare/task" 2>/dev/null | wc -l) && [ "$threads" -gt 0 ]; do
        most=$((threads > most ? threads : most))
    done
    # One runs, and the one that began it waits for results.
    wait "$compare" && echo "$most threads" && [ "$most" -le 2 ]
}
it "uses the processors that it may use" one_processor

# --- notes of simulate ---------------------------------------------------------------------------
# The applications of examples/quickstart.yaml often begin their I/O together: 1e-9 decides.
it "simulate notes a difference that 1e-9 in the input makes" \
    prints "Note: makespan of fair-share and floor differs" \
    simulate "$root/examples/quickstart.yaml" --policy fair-share --policy floor
# All 40 strategies have more events than a note may cost; the nearest fit.
notes_nearest() {
    sed 's/iterations: \([0-9]*\)/iterations: \100/' "$root/examples/quickstart.yaml" >long.yaml
    prints "Note: makespan of" simulate "$scratch/long.yaml" --policy all --metrics makespan
}
it "simulate notes it of those that can be repeated in time" notes_nearest
once() {
    exits 0 simulate "$root/examples/quickstart.yaml" "$root/examples/quickstart.yaml" \
        --policy fair-share --policy floor && [ "$(grep -c '^Note' out)" -eq 1 ]
}
it "simulate notes it once" once
quiet() { exits 0 simulate "$twins" "${pair[@]}" && ! grep -q Note out; }
it "simulate notes no difference that is there" quiet
# A repeat knows what the run knew: exact volumes would move the measures by more than 1e-9 does.
knows_as_little() { # OPTION VALUE
    exits 0 simulate "$root/examples/noisy.yaml" "$@" && cat out && ! grep -q Note out
}
it "simulate repeats with the same knowledge of volumes" knows_as_little --knowledge mean
it "simulate repeats with the same knowledge of progress" knows_as_little --progress-age 10min
it "simulate notes a large difference that 1e-9 makes" \
    prints "Note: io_slowdown of fair-share and greedy-com differs by 56 %" \
    simulate "$root/examples/user-fair.yaml"
no_note() {
    exits 0 simulate "$root/examples/quickstart.yaml" --policy fair-share --policy floor "--$1" &&
        ! grep -q Note out
}
it "simulate has no note in JSON" no_note json
it "simulate has no note in CSV" no_note csv

# --- mistakes ------------------------------------------------------------------------------------
it "suggests a family" refuses "'synthetc' is neither a file nor a family, did you mean 'synthetic'?" compare synthetc
it "refuses a file that is not there" refuses "none.yaml" compare none.yaml
it "refuses an unknown parameter" refuses "presure" compare synthetic:presure=1
it "refuses jobs that are still to be mapped" refuses "weir map" compare packs
it "refuses an unknown strategy" refuses "unknown strategy 'fcsf'" compare "$twins" --policy fcsf
it "refuses an unknown path" refuses "unknown path 'bandwith'" compare "$twins" --sweep bandwith=1x,2x
it "refuses an application that is not there" refuses "no application 'three'" compare "$twins" --sweep applications.three.work=2x
it "refuses a value that is none" refuses "bandwidth" compare "$twins" --sweep bandwidth=1x,many
it "refuses a sweep of what an option fixes" refuses "exclude each other" compare "$twins" --sweep knowledge=mean --knowledge 30%
it "refuses two sweeps of one path" refuses "given twice" compare "$twins" --sweep nodes=2,3 --sweep nodes=4
it "refuses a baseline that is not compared" refuses "'floor' is not among the strategies" compare "$twins" "${pair[@]}" --baseline floor
it "refuses no seeds" refuses "--seeds: expected 1 to" compare "$noisy" --seeds 0
it "refuses too many runs" refuses "too many" compare "$noisy" --seeds 900000
it "refuses no threads" refuses "--jobs: expected 1 to" compare "$twins" --jobs 0
it "refuses an unknown measure" refuses "unknown measure 'speed'" compare "$twins" --metrics speed
it "does not mix JSON and CSV" refuses "--json and --csv exclude each other" compare "$twins" --json --csv
it "does not mix JSON and a figure" refuses "only one of --plot and --json" compare "$twins" --json --plot -
it "refuses a figure in a directory that is not there" refuses "nowhere" compare "$twins" --plot nowhere/out.svg
it "refuses a figure of another kind" refuses "ends with .svg, .png or .pdf" compare "$twins" --plot out.jpg
it "names the seed and the strategy of a run that fails" \
    refuses_with 1 "noisy, bandwidth=2x: seed 5: plan" \
    compare "$noisy" --sweep bandwidth=2x --first-seed 5 --jobs 1 --policy plan:file=/nowhere
it "names the run of an ensemble that fails" \
    refuses_with 1 "twins: run 1 of the ensemble: plan" compare "$twins" --jobs 1 --policy plan:file=/nowhere
it "refuses a first seed of 0" refuses "--first-seed: expected 1 to" compare "$noisy" --first-seed 0
finish
