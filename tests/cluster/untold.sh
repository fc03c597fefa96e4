#!/bin/bash
# Bytes that an agent had told nobody of when it was killed, and those that programs move until there
# is another one: programs that go on take them along to the next one, and each counts once.
. "$(dirname "$0")/common_agents.sh"
start_cluster "100 MB/s" "1 s" --journal "$scratch/journal"
start_agent n1
soon is_connected n1

# Three processes of one application, which all see the agent end; one of them ends before there is
# another.
cat >parts.pl <<'PERL'
my ($file) = @ARGV;
my $ending = fork() ? 'stop' : fork() ? 'stop' : 'early';
open(my $out, '>', "$file.$$") or die;
until (-e $ending) {
    syswrite($out, "\0" x 65536) == 65536 or die;
    select(undef, undef, undef, 0.002);
}
close($out);
if ($ending eq 'stop') { wait(); } else { open(my $done, '>', 'ended'); }
PERL
on n1 parts perl parts.pl "$scratch/store/parts" &
job=$!
moves() { status_of n1 | grep -q '"state": "moving"'; }
# back PROCESSES: so many are attached, with that of weir exec.
back() { [ "$(status_of n1 | sed -n 's/^      "processes": \([0-9]*\),/\1/p')" = "$1" ]; }
kill_agent() {
    soon moves && soon back 4 || return
    kill -9 "$(cat n1.pid)"
    ! wait "$(cat n1.pid)" 2>/dev/null
}
replace_agent() { kill_agent && start_agent n1 && soon back 4; }
it "an agent is killed and started again" replace_agent
ends_meanwhile() {
    kill_agent || return
    touch early
    soon [ -e ended ] && start_agent n1 && soon back 3
}
it "and once more, and a process ends meanwhile" ends_meanwhile
touch stop
it "the program ends well" wait $job
# An account is closed when its processes are away for 5 s, as they can be on a busy machine: then the
# rest is in the next one.
counts_once() {
    local wrote counted
    wrote=$(cat store/parts.* | wc -c)
    counted=$(sed -n 's/.*"event":"done".*"moved":\([0-9]*\).*/\1/p' journal | awk '{ sum += $1 } END { printf "%.0f", sum }')
    echo "wrote $wrote, counted $counted"
    [ "$wrote" = "$counted" ]
}
it "every byte is in its account, once" soon counts_once
finish
