#!/bin/bash
# The table of docs/reference/live.md that says what is known of each kind of program and call: each kind is
# tried, with the preload and supervised, and nothing is silent. WEIR_UPDATE_TABLE=1 rewrites it.
. "$(dirname "$0")/../cli/common.sh"

cc=${CC:-cc} source=$root/tests/live/kinds.c
$cc -O1 -w -pthread -o kinds "$source" -ldl -lrt 2>cc.log || { echo "skipped: no compiler"; exit 77; }
$cc -O1 -w -DPLAIN -static -no-pie -pthread -o plain "$source" 2>cc.log
musl-gcc -idirafter /usr/include -idirafter "/usr/include/$(uname -m)-linux-gnu" -O1 -w -DPLAIN -static \
    -o musl "$source" 2>cc.log
[ "$(id -u)" = 0 ] && cp kinds setid && chown 65534 setid && chmod 4755 setid
chmod 755 .
mkdir -m 777 store
mkdir -m 777 more

# A row: its name; what is tried; the command, where FILE is a file of the store.
rows='
write|read, write|./kinds write FILE
read|pread, readv, pwritev ...|./kinds vectors FILE
streams|streams: fwrite, fprintf, fgets ...|./kinds streams FILE
wide|streams of wide characters|./kinds wide FILE
sendfile|sendfile, copy_file_range, splice|./kinds sendfile FILE
aio|aio_write, lio_listio, io_submit|./kinds aio FILE
warnx|warnx and its like, to a file|./kinds warnx FILE
error|error, error_at_line|./kinds error FILE
perror|perror, psignal, syslog with LOG_PERROR|./kinds perror FILE
alias|__write, __read, __open ...|./kinds alias FILE
dlsym|functions that are looked up (dlsym)|./kinds dlsym FILE
dup2|a descriptor that was replaced by instructions|./kinds dup2 FILE
spawn|programs that it starts|./kinds spawn FILE
dlvsym|functions that are looked up with their version (dlvsym)|./kinds dlvsym FILE
dlmopen|a second C library (dlmopen)|./kinds dlmopen FILE
syscall|libc'\''s `syscall`|./kinds syscall FILE
instructions|system calls by instructions|./kinds instructions FILE
mmap|mapped files|./kinds mmap FILE
mremap|mapped files that grow (mremap)|./kinds mremap FILE
filter|a program under a filter of its own|./kinds filter FILE
environment|a program without its environment (`env -i`)|env -i ./kinds write FILE
descriptors|a program without a free descriptor|prlimit --nofile=4 ./kinds write FILE
clock|a program in a time namespace|unshare -T --monotonic 86400 ./kinds write FILE
static|a statically linked program|./plain write FILE
small|calls of 32-bit programs|./plain small FILE
musl|a program of another C library (musl)|./musl write FILE
setid|a program with more rights than its user|setpriv --reuid=65533 --clear-groups ./setid write FILE
'
serve() {
    "$weir" serve --bandwidth 40GB/s --socket "$scratch/socket" --store "$scratch/store" \
        --journal "$scratch/journal" 2>serve.log &
    server=$!
    soon answers "$scratch/socket"
}
trap 'kill $server 2>kill.log; rm -rf "$scratch"' EXIT
serve

# tried NAME MODE COMMAND: runs it, as an application of this name.
tried() {
    local option=
    [ "$2" = supervised ] && option=--supervise
    timeout 60 "$weir" exec --socket "$scratch/socket" $option --name "$1.$2" -- \
        ${3//FILE/store/$1.$2} >"more/$1.$2" 2>&1
    echo "exit $?" >>"more/$1.$2"
}

# known NAME MODE: what the account says of the bytes of the file.
known() {
    [ "$(tail -n 1 "more/$1.$2")" = "exit 0" ] || { echo "not tried"; return; }
    grep '"event":"done"' journal | grep -F "\"name\":\"$1.$2\"" | tail -n 1 |
        sed 's/.*"moved":\([0-9]*\),"escaped":\([0-9]*\).*/\1 \2/' | awk -v all="$(stat -c %s "store/$1.$2")" '
        { moved = $1 / all; escaped = $2 / all }
        moved > 0.95 && moved < 1.01 && escaped < 0.01 { print "controlled"; next }
        moved < 0.01 && escaped > 0.95 && escaped < 1.05 { print "counted"; next }
        moved + escaped > 0.5 && moved + escaped < 1.05 { print "reported"; next }
        moved + escaped > 0.5 { print "too much"; next }
        { print "silent" }'
}

# Four at a time, so that a busy machine keeps up.
each() {
    local name text command mode running=0
    while IFS='|' read -r name text command; do
        [ -n "$name" ] || continue
        for mode in preloaded supervised; do
            tried "$name" "$mode" "$command" &
            running=$((running + 1))
            [ $((running % 4)) -ne 0 ] || wait $(jobs -p | grep -vx "$server")
        done
    done <<<"$rows"
    wait $(jobs -p | grep -vx "$server")
}
each
are_done() { [ "$(grep -c '"event":"done"' journal)" -ge "$(grep -c '"event":"join"' journal)" ]; }
soon are_done

table() {
    local name text command
    echo "| what moves the bytes | with the preload | supervised |"
    echo "|---|---|---|"
    while IFS='|' read -r name text command; do
        [ -z "$name" ] || echo "| $text | $(known "$name" preloaded) | $(known "$name" supervised) |"
    done <<<"$rows"
}
table >table
document=$root/docs/reference/live.md
if [ -n "${WEIR_UPDATE_TABLE:-}" ]; then
    awk 'FNR == NR { table = table $0 "\n"; next }
        /^\| what moves the bytes / { printf "%s", table; skip = 1 }
        !/^\|/ { skip = 0 }
        !skip' table "$document" >changed && cp changed "$document"
fi
sed -n '/^| what moves the bytes /,/^$/p' "$document" | sed '/^$/d' >documented

nothing_silent() { ! grep -E 'silent|too much' table; }
it "nothing is silent" nothing_silent
# A row that cannot be tried on this machine is not compared.
row_is_documented() { grep -Fx -- "$1" documented || { grep -F -- "${1%%|*}" documented; return 1; }; }
while IFS= read -r row; do
    case $row in
    *"not tried"*) echo "# $row" ;;
    *) it "the document says so: $row" row_is_documented "$row" ;;
    esac
done <table
same_rows() { [ "$(wc -l <table)" = "$(wc -l <documented)" ]; }
it "the document has the same rows" same_rows
finish
