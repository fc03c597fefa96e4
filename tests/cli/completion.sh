#!/bin/bash
# Completion comes from the tables of the commands, and real shells use it.
. "$(dirname "$0")/common.sh"
good=$root/examples/quickstart.yaml

# offers WORD WORDS...: among what can follow the words, of which the last is being typed.
offers() {
    exits 0 complete -- "${@:2}" && cut -f1 out | grep -qxF -e "$1" || { cat out; return 1; }
}
refrains() { exits 0 complete -- "${@:2}" && ! cut -f1 out | grep -qxF -e "$1"; }

it "offers commands" offers simulate sim
it "offers no command that is not listed" refrains replay-worker rep
it "offers options" offers --policy simulate --pol
it "offers strategies" offers fcfs simulate --policy f
it "offers strategies after =" offers --policy=fcfs simulate --policy=f
it "offers strategies after = as bash splits it" offers fcfs simulate --policy = f
it "offers measures after a comma" offers makespan,dilation simulate --metrics makespan,d
it "offers the words that an option takes" offers paper plan --search p
it "offers files where files are taken" offers :files simulate ""
it "offers directories where they are" offers :directories serve --store ""
it "offers formats, families and settings" offers csv import ""
it "offers families" offers jupiter generate j
it "offers families and files to compare" offers jupiter compare j
it "offers settings" offers bandwidth ctl set b
it "offers strategies to a controller" offers floor ctl policy f
it "offers commands to help" offers top help t
it "offers results to reproduce" offers aupy-table-3 reproduce a
it "offers all findings to reproduce" offers findings reproduce f
no_brackets() { exits 0 complete -- "$1" "" && ! grep -F -e ']' -e '[' out; }
it "offers no bracket" no_brackets reproduce
it "offers databases to recommend" offers :files recommend ""
it "offers the programs that can be run" offers :commands exec -- ""
it "offers no value twice" refrains --seed simulate --seed 1 --se
it "offers an option again that may be repeated" offers --policy simulate --policy fcfs --pol
it "offers nothing to an unknown command" exits 0 complete -- nonsense ""

# Every option of every command, as help shows them.
offers_all() {
    local command
    "$weir" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' >commands
    [ -s commands ] || return
    while read -r command; do
        "$weir" help "$command" | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort -u >shown
        "$weir" complete -- "$command" -- | cut -f1 | sort -u | diff shown - || return
    done <commands
}
it "offers every option that help shows" offers_all
it "refuses an unknown shell" refuses "bash, zsh or fish" completion tcsh

# --- real shells ---------------------------------------------------------------------------------
mkdir bin && ln -s "$weir" bin/weir
export PATH=$scratch/bin:$PATH TERM=dumb

# types SHELL... : a terminal in which "weir simul<TAB>--hel<TAB>" is typed shows the help.
types() {
    { sleep 1; printf '%s\n' "$setup"; sleep 1; printf 'weir simul\t'; sleep 1; printf -- '--hel\t'; sleep 1
      printf '\nexit\n'; sleep 1; } | timeout 20 script -qec "$*" /dev/null >screen 2>&1
    grep -q 'weir simulate - run scenarios' screen || { cat -v screen; return 1; }
}
if command -v script >/dev/null; then
    setup='source <(weir completion bash)'
    it "bash completes" types "bash --norc --noprofile -i"
    setup='autoload -U compinit; compinit -D; source <(weir completion zsh)'
    ! command -v zsh >/dev/null || it "zsh completes" types "zsh -f -i"
fi
fish_completes() {
    HOME=$scratch fish -N -c "weir completion fish | source; complete -C '$1'" >offered 2>&1
    cut -f1 offered | grep -qxF -e "$2" || { cat offered; return 1; }
}
if command -v fish >/dev/null; then
    it "fish completes a command" fish_completes "weir simul" simulate
    it "fish completes an option" fish_completes "weir simulate --metr" --metrics
    it "fish completes a value" fish_completes "weir simulate --policy fc" fcfs
    it "fish completes a value after =" fish_completes "weir simulate --policy=fc" --policy=fcfs
    touch some-file.yaml
    it "fish completes a file" fish_completes "weir simulate some-f" some-file.yaml
fi

finish
