# A store that is a FUSE file system with a real limit (pacer.c).
. "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh"
pacer=${WEIR_BUILD_DIR:?the build directory}/pacer

skip() {
    echo "skipped: $1"
    exit 77
}
[ -x "$pacer" ] || skip "the pacer was not built (libfuse3-dev is missing)"
[ -w /dev/fuse ] || skip "/dev/fuse cannot be opened (run as root, with the fuse module)"
command -v fusermount3 >/dev/null || skip "fusermount3 is missing (package fuse3)"

# mount_store RATE DIRECTORY [COUNT]: shows the directory `backing` there until the end; $store_pid
# serves it.
mount_store() {
    mkdir -p backing "$2"
    "$pacer" "$1" backing "$2" ${3:+"$3"} 2>pacer.log &
    store_pid=$!
    mounted=$scratch/$2
    trap leave_store EXIT
    soon mountpoint -q "$2" || skip "the store could not be mounted: $(cat pacer.log)"
}

leave_store() {
    kill -CONT $store_pid
    fusermount3 -u -z "$mounted"
    wait $store_pid
    rm -rf "$scratch"
}
