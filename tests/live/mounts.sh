#!/bin/bash
# A store is known wherever it is seen: in bind mounts, in containers, through other names of its
# files. Needs a mount namespace of its own.
if [ -z "$WEIR_TEST_UNSHARED" ]; then
    unshare -m true 2>/dev/null || { echo "skipped: may not make a mount namespace"; exit 77; }
    WEIR_TEST_UNSHARED=1 exec unshare -m --propagation private bash "$0"
fi
. "$(dirname "$0")/common_programs.sh"

mkdir whole store/part other other_part other_whole later later2 mnt
mount -t tmpfs weir-test whole || { echo "skipped: may not mount"; exit 77; }
trap 'umount -l "$scratch/whole"; rm -rf "$scratch"' EXIT
serve --store "$scratch/whole"
trap 'kill "$(cat "$scratch/serve.pid")"; wait; umount -l "$scratch"/{whole,other*,mnt} 2>/dev/null
      rm -rf "$scratch"' EXIT
writes() { dd if=/dev/zero of="$1" bs=1000 count=100 status=none; }
export -f writes

mount --bind store other
mount --bind store/part other_part
mount --bind whole other_whole
it "what is beside the store is not counted" counts 0 bash -c 'writes beside'
it "a bind mount of a store is the store" counts 100000 bash -c 'writes other/a'
it "a bind mount of a directory in a store is on the store" counts 100000 bash -c 'writes other_part/a'
it "a bind mount of a file system that is a store is the store" counts 100000 bash -c 'writes other_whole/a'
cat >late.sh <<'END'
echo x >beside
mount --bind store later
mount --bind whole later2
sleep 1.2
for i in {1..1000}; do echo 0123456789; done >later/b
for i in {1..1000}; do echo 0123456789; done >later2/b
umount later later2
END
it "a store that a program mounts is known" counts 22000 bash late.sh

# As in a container, where the store has another name, and its own name is something else's.
contained() { # PATH
    cat >container.sh <<END
mount --rbind / mnt && mount --bind "$1" mnt/mnt && mount -t tmpfs none "mnt$1" &&
    exec chroot mnt bash -c 'writes /mnt/c'
END
    counts 100000 unshare -m bash container.sh
}
it "a part of a file system is known in a container" contained "$scratch/store"
it "all of a file system is" contained "$scratch/whole"

writes store/linked
ln store/linked link
it "another name of a file of the store is on the store" counts 100000 bash -c 'writes link'
writes whole/linked
ln whole/linked whole/link
ln -s whole/link symlink
it "a symbolic link leads to the store" counts 100000 bash -c 'writes symlink'
many='for i in {1..50}; do [ -e other/a ]; done'
limited() {
    "$weir" ctl --socket socket set ops 100 &&
        local start=${EPOCHREALTIME/./} && controlled bash -c "$many" &&
        local time=$((${EPOCHREALTIME/./} - start)) &&
        "$weir" ctl --socket socket set ops none && echo "$time us" && [ "$time" -ge 400000 ]
}
it "metadata calls go by the names of its mounts too" limited
finish
