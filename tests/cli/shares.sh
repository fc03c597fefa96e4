#!/bin/bash
# Users and accounts get their shares, and the program shows it.
. "$(dirname "$0")/common.sh"
examples=$root/examples

# gets FILE POLICY COLUMN=VALUE...: these users, or with `app.` these applications, have these shares of
# the bandwidth, to the period of the 600 s that the examples take.
gets() {
    local file=$1 policy=$2 pair
    shift 2
    exits 0 simulate "$file" --policy "$policy" --csv --per-user --check || return
    for pair; do
        awk -F, -v name="${pair%=*}" -v share="${pair#*=}" '
            $3 == name { found = 1; off = $9 - share; if (off * off > 0.017 * 0.017) exit 1 }
            END { if (!found) exit 1 }' out ||
            { cat out; echo "expected $pair"; return 1; }
    done
}
for policy in best-effort fair-share fcfs; do
    it "user-fair gives each user the same under $policy" \
        gets "$examples/user-fair.yaml" "$policy" ada=0.5 eve=0.5
    it "size-fair goes by nodes under $policy" \
        gets "$examples/size-fair.yaml" "$policy" ada=0.75 eve=0.25
    it "group-user-size-fair goes by accounts, then users under $policy" \
        gets "$examples/group-user-size-fair.yaml" "$policy" ada=0.5 bob=0.25 eve=0.25
done
without() { sed '/^shares:/d' "$examples/user-fair.yaml" >free.yaml; }
without
it "without shares a user with more applications gets more" \
    gets "$scratch/free.yaml" fair-share ada=0.25 eve=0.75
it "without shares short I/Os get all under greedy-com" \
    gets "$scratch/free.yaml" greedy-com ada=0 eve=1
it "with shares they do not" gets "$examples/user-fair.yaml" greedy-com ada=0.5 eve=0.5

# By nodes: 12 of 16 and 4 of 16 of ada's half.
sizes() {
    exits 0 simulate "$examples/group-user-size-fair.yaml" --policy fair-share --csv --per-app &&
        awk -F, '$3 == "climate" && $6 > 0.3749 && $6 < 0.3751 { n++ }
                 $3 == "ocean" && $6 > 0.1249 && $6 < 0.1251 { n++ } END { exit n != 2 }' out
}
it "applications of a user go by their nodes" sizes

accounts() {
    exits 0 simulate "$examples/group-user-size-fair.yaml" --policy fair-share --per-account &&
        grep -q '^account  *applications' out && grep -q '^physics .* 0\.7500' out
}
it "shows accounts" accounts
in_json() {
    exits 0 simulate "$examples/user-fair.yaml" --policy fair-share --json &&
        grep -q '"users": \[' out && ! grep -q '"accounts"' out && grep -q '"bandwidth_share": 0.5' out
}
it "has users in JSON" in_json

it "refuses users that are not known" \
    refuses "no application has the key 'user'" simulate "$examples/quickstart.yaml" --per-user
it "refuses two kinds of rows in one CSV" \
    refuses "only one of" simulate "$examples/user-fair.yaml" --csv --per-user --per-app
sed '/window/d; s/io:/work: 10 s, io:/; s/1000}/9}/' "$examples/user-fair.yaml" > "$scratch/repeated.yaml"
refuses_plan() { exits 2 simulate "$scratch/repeated.yaml" --policy plan && grep -q "follows a plan" err; }
it "refuses shares for a strategy that follows a plan" refuses_plan
it "keeps shares under a strategy that makes its plans" \
    exits 0 simulate "$scratch/repeated.yaml" --policy replan --check
it "refuses shares in a replay, in which all is of one user" \
    refuses "of one user" replay "$examples/user-fair.yaml"

finish
