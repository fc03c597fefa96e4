# A controller of 200 MB/s for the directory `store`, and programs under it. After `serve`,
# `controlled COMMAND...` runs one, as the application $name.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh"

# serve OPTION...: starts the controller.
mkdir store
serve() {
    ($weir serve --bandwidth 200MB/s --socket "$scratch/socket" --store "$scratch/store" "$@" \
        --journal "$scratch/journal" 2>serve.log & echo $! >serve.pid; wait) &
    trap 'kill "$(cat "$scratch/serve.pid")"; wait; rm -rf "$scratch"' EXIT
    soon answers "$scratch/socket"
}

bytes() { cat "$@" | wc -c; }
has() { command -v "$1" >/dev/null; }

name=program
controlled() { "$weir" exec --socket "$scratch/socket" --name "$name" -- "$@"; }

# The bytes that the application of this name moved, once the journal says that it has left.
moved_by() {
    awk -v name="\"name\":\"$1\"" '
        function number(key) {
            if (!match($0, "\"" key "\":[0-9]+")) return -1
            return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
        }
        /"event":"join"/ && index($0, name) { id = number("id"); here = 1; next }
        !here || number("id") != id { next }
        /"event":"(complete|leave)"/ { sum += number("moved") }
        /"event":"leave"/ { print sum; exit }' journal
}

# counts BYTES COMMAND...: so many are counted while it runs under control.
runs=0
counts() {
    local expected=$1 total=
    shift
    name=run$((++runs))
    controlled "$@" || { echo "$*: exit code $?" >&2; return 1; }
    for _ in $(seq 100); do
        total=$(moved_by $name) && [ -n "$total" ] && break
        sleep 0.02
    done
    [ "$total" = "$expected" ] || { echo "$*: $total bytes counted, not $expected" >&2; return 1; }
}
