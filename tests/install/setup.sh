#!/bin/bash
# tools/setup installs what is missing, with a stand-in for the package manager.
. "$(dirname "$0")/../cli/common.sh"

# The stand-in is busy BUSY times, and installs then; the compiler cannot link, so one package is
# missing whatever this machine has.
mkdir bin
printf '#!/bin/sh\necho 0\n' >bin/id
printf '#!/bin/sh\necho "$@" >>"%s/slept"\n' "$scratch" >bin/sleep
cat >bin/apt-get <<'STAND_IN'
#!/bin/sh
echo "$@" >>calls
busy=$(cat busy)
[ "$busy" -gt 0 ] || exit "$(cat result)"
echo $((busy - 1)) >busy
echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"
exit 100
STAND_IN
chmod +x bin/*

# sets_up BUSY RESULT: its exit code, with its messages in said.
sets_up() {
    rm -f calls slept
    echo "$1" >busy
    echo "$2" >result
    CC=false PATH=$scratch/bin:$PATH sh "$root/tools/setup" build >said 2>&1
}

installs() { sets_up 0 0 && grep -q 'install .*libc6-dev' calls && [ ! -e slept ]; }
it "installs what is missing" installs
waits() {
    sets_up 3 0 && [ "$(wc -l <slept)" -eq 3 ] && [ "$(wc -l <calls)" -eq 4 ] &&
        [ "$(grep -c '^waiting for another run' said)" -eq 1 ]
}
it "waits for a busy package manager, and says so once" waits
gives_up() { ! sets_up 100000 0 && [ "$(wc -l <slept)" -ge 100 ] && grep -q 'could not install' said; }
it "gives up in the end" gives_up
fails() { ! sets_up 0 1 && [ ! -e slept ] && grep -q 'could not install: libc6-dev' said; }
it "does not wait where a package cannot be had" fails

finish
