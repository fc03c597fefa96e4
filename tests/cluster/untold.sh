#!/bin/bash
# Bytes that an agent had told nobody of when it was killed: programs that go on take them along to the
# next one, and each counts once.
. "$(dirname "$0")/common_agents.sh"
start_cluster "100 MB/s" "4 s" --journal "$scratch/journal"
start_agent n1
soon is_connected n1
parts=1500 # of 64 KiB, with pauses: it lasts for seconds, with an agent or without

# Two processes of one application, which both see the agent end.
cat >parts.pl <<'PERL'
my ($file, $parts) = @ARGV;
fork();
open(my $out, '>', "$file.$$") or die;
for (1 .. $parts) {
    syswrite($out, "\0" x 65536) == 65536 or die;
    select(undef, undef, undef, 0.002);
}
PERL
on n1 parts perl parts.pl "$scratch/store/parts" $parts &
job=$!
moves() { status_of n1 | grep -q '"state": "moving"'; }
replace_agent() {
    soon moves || return
    kill -9 "$(cat n1.pid)"
    wait "$(cat n1.pid)" 2>/dev/null
    start_agent n1
    soon moves
}
it "an agent is killed and started again" replace_agent
it "and once more" replace_agent
it "the program ends well" wait $job
account() { grep '"event":"done"' journal | grep '"name":"parts"'; }
counts_once() {
    soon account >/dev/null
    account
    [ "$(cat store/parts.* | wc -c)" -eq $((2 * parts * 65536)) ] &&
        [ "$(account | sed 's/.*"moved":\([0-9]*\).*/\1/')" = $((2 * parts * 65536)) ]
}
it "every byte is in its account, once" counts_once
finish
