#!/bin/bash
# The documents say what the program does: keys, strategies, options and measures are all there, and
# what the README and the pages of docs/ print is what is printed.
. "$(dirname "$0")/common.sh"
docs=$root/docs
results=$root/results
readme=$root/README.md

# has FILE TEXT...: each text stands in the file.
has() {
    local file=$1 bad=0 text
    shift
    for text; do
        grep -qF -e "$text" "$file" || { echo "${file#"$root"/} lacks: $text"; bad=1; }
    done
    return $bad
}

# --- what does not hold --------------------------------------------------------------------------
# Each contradiction that results/findings.md lists is one of its result in results/reproduction.md, with the
# same numbers.
repeats_the_report() {
    awk -F ' *[|] *' '
        FNR == NR && /^## / { split($0, words, /[ :]+/); result = words[2] }
        FNR == NR && $7 == "differs" { sub(/ \+- .*/, "", $4); differs[result, $4, $5] = 1; all++ }
        FNR != NR && /^## / { inside = $0 == "## Where the papers contradict themselves" }
        FNR != NR && inside && $2 ~ /-/ && $2 !~ /^--/ { rows++
            if (!(($2, $5, $6) in differs)) { print "not in the report: " $0; bad = 1 } }
        END { if (rows != all) print rows " of " all " rows"; exit bad || rows != all || rows < 5 }
    ' "$results/reproduction.md" "$results/findings.md"
}
it "results/findings.md repeats the contradictions of the report" repeats_the_report

# --- the keys of YAML files, a table per mapping -------------------------------------------------
# keys_as_markdown SECTION: as the manual has them.
keys_as_markdown() {
    "$weir" man | sed 's/\\-/-/g' | awk -v section="$1" '
        /^\.SH / { inside = index($0, section); next }
        !inside { next }
        /^\.SS / { gsub(/^\.SS "|"$/, ""); printf "\n### %s\n\n| key | value | meaning |\n|---|---|---|\n", $0 }
        /^\\fB/ { gsub(/^\\fB|\\fR$/, ""); colon = index($0, ": ")
                  key = substr($0, 1, colon - 1); value = substr($0, colon + 2); wait = 1; next }
        wait { printf "| `%s` | %s | %s |\n", key, value, $0; wait = 0 }'
}
# documents_keys SECTION LEAST FILE HEADING: they stand below that heading of the file.
documents_keys() {
    keys_as_markdown "$1" >keys
    [ "$(grep -c '^| `' keys)" -gt "$2" ] || { echo "the manual has no keys"; return 1; }
    awk -v heading="## $4" '/^## / { inside = $0 == heading } inside' "$docs/$3" |
        grep -E '^(### |\|)' >written
    grep -E '^(### |\|)' keys | diff written - # what is to be written is on the right
}
it "docs/reference/scenario.md has the keys of the manual" documents_keys "SCENARIO FILE" 20 reference/scenario.md Keys
it "docs/reference/campaign.md has the keys of the manual" documents_keys "CAMPAIGN FILE" 15 reference/campaign.md "The file"
it "docs/reference/campaign.md has the tables of the manual" \
    documents_keys "CAMPAIGN DATABASE" 30 reference/campaign.md "The database"
# The members of each answer that is a table of fields.
documents_answers() {
    keys_as_markdown "JSON OUTPUT" | grep -E '^(### |\| `)' | sed 's/^### /## /' >members
    [ "$(grep -c '^## ' members)" -gt 0 ] && [ "$(grep -c '^|' members)" -gt 10 ] &&
        awk 'FNR == NR { if (/^## /) on[$0] = 1; next } /^## / { inside = $0 in on } inside && /^(## |\| `)/' \
            members "$docs/reference/json.md" | diff - members # what is to be written is on the right
}
it "docs/reference/json.md has the members of the manual" documents_answers
# Every way past control, as the program names and explains it.
documents_escapes() {
    sed -n '/^#define WIRE_ESCAPES/,/^$/p' "$root/src/wire/message.h" |
        sed -n 's/^    X([A-Z]*, "\(.*\)", "\(.*\)").*/| `\1` | \2 |/p' | grep -v '`none`' >escapes
    [ -s escapes ] && sed -n '/^| `escaped_why`/,/^$/p' "$docs/reference/live.md" | sed 1,2d |
        grep . | diff escapes -
}
it "docs/reference/live.md has the ways past control" documents_escapes

# Every message between a node and the controller, and its members, as their list has them.
node_messages() {
    sed ':a; /\\$/N; s/ *\\\n */ /; ta' "$root/src/node/message.h" | awk '
        BEGIN {
            value["TOKEN"] = "two 64-bit numbers"; value["NUMBER"] = "a 32-bit number"
            value["BELOW"] = "a 32-bit number below LIMIT"
            value["KIND"] = "a 32-bit number; from LIMIT on it counts as 0"
            value["POSITIVE"] = "a double above 0, at most LIMIT"
            value["AMOUNT"] = "a double from 0 to LIMIT"
            value["NAME"] = "a name in LIMIT bytes"; value["TEXT"] = "a text in LIMIT bytes"
        }
        function meaning(row) { sub(/^[^"]*"/, "", row); sub(/"\) *$/, "", row); return row }
        function show_message(row) {
            title[part[1]] = tolower(part[3]) ", from version " part[4] ": " meaning(row)
        }
        function show_member(row, first,    text) {
            if (first)
                printf "\n**%s** (%s)\n\n| member | value | from version | meaning |\n|---|---|---|---|\n", list, title[list]
            text = value[part[1]]; sub(/LIMIT/, part[3], text)
            printf "| `%s` | %s | %s | %s |\n", part[2], text, part[4], meaning(row)
        }
        /^#define NODE_(MESSAGES|[A-Z]*_MEMBERS)\(X\)/ {
            list = $2; sub(/^NODE_/, "", list); sub(/(_MEMBERS)?\(X\).*/, "", list)
            count = split($0, rows, / X\(/)
            for (i = 2; i <= count; i++) {
                split(rows[i], part, /, */)
                if (list == "MESSAGES") show_message(rows[i]); else show_member(rows[i], i == 2)
            }
        }'
}
documents_node_messages() {
    node_messages >messages
    [ "$(grep -c '^\*\*' messages)" -ge 11 ] &&
        awk '/^## / { inside = $0 == "## Messages" } inside' "$docs/explanation/node.md" |
        grep -E '^(\*\*[A-Z]|\|)' | diff - <(grep . messages)
}
it "docs/explanation/node.md has the messages between a node and the controller" documents_node_messages

# A list of src/cluster as rows of a table: list_rows FILE LIST 's/.../.../'.
list_rows() {
    sed ':a; /\\$/N; s/ *\\\n */\n/; ta' "$root/src/cluster/$1" |
        awk -v list="#define $2(X)" 'index($0, list) == 1 { inside = 1; next } !/^X\(/ { inside = 0 } inside' |
        sed -n "$3"
}
documents_leases() {
    list_rows lease.h LEASE_RULES 's/^X(\([A-Z_]*\), "\(.*\)")$/| `\1` | \2 |/p' >rules
    list_rows frame.h FRAME_HEAD_MEMBERS 's/^X(\([a-z]*\), "\(.*\)")$/| `\1` | \2 |/p' >head
    list_rows frame.h FRAME_FLAGS 's/^X(\([A-Z]*\), \([0-9]*\), "\(.*\)")$/| `\1` | \2 | \3 |/p' >flags
    [ "$(cat rules head flags | wc -l)" -ge 24 ] &&
        cat rules head flags | diff - <(grep '^| `' "$docs/explanation/leases.md")
}
it "docs/explanation/leases.md has the rules, and the head and the flags of frames" documents_leases

it "docs/reference/live.md has the keys of the manual" \
    documents_keys "CONFIGURATION FILE" 10 reference/live.md Configuration

# --- strategies, measures, families --------------------------------------------------------------
"$weir" policies >policies
grep '^[a-z]' policies >names
sed -n 's/^    parameter \([a-z]*\)=.*/\1/p' policies | sort -u >parameters
documents_strategies() {
    [ -s names ] && [ -s parameters ] || return
    local bad=0 name
    while read -r name; do
        has "$readme" "| \`$name\` |" && has "$docs/reference/strategies.md" "**\`$name\`**" || bad=1
    done <names
    while read -r name; do
        has "$readme" "\`$name\`" && has "$docs/reference/strategies.md" "\`$name\`" || bad=1
    done <parameters
    return $bad
}
it "README and docs/reference/strategies.md have every strategy and parameter" documents_strategies

counts_variants() {
    local count
    count=$("$weir" simulate "$root/examples/quickstart.yaml" --policy all --csv --metrics makespan | sed 1d | wc -l)
    has "$readme" "for all $count variants"
}
it "README has the number of variants" counts_variants

documents_measures() {
    "$weir" help simulate | sed -n '/^Measures/,/^$/s/^  \([a-z_]*\) .*/\1/p' >measures
    [ -s measures ] &&
        while read -r name; do has "$docs/explanation/model.md" "\`$name\`" || return; done <measures
}
it "docs/explanation/model.md has every measure" documents_measures

documents_families() {
    "$weir" generate --list | sed -n '/^    paper  /d; s/^\([a-z-]*\)$/\1/p; s/^    \([a-z]*\)  .*/\1/p' >families
    [ -s families ] && while read -r name; do
        has "$docs/reference/scenario.md" "\`$name\`" || return
    done <families
}
it "docs/reference/scenario.md has every family and its parameters" documents_families

documents_formats() {
    local command
    for command in import export; do
        "$weir" "$command" --list | grep '^[a-z]' >formats
        [ -s formats ] || return
        while read -r name; do has "$docs/reference/import.md" "| \`$name\` |" || return; done <formats
    done
}
it "docs/reference/import.md has every format" documents_formats

# --- commands and options ------------------------------------------------------------------------
documents_options() {
    "$weir" man | sed 's/\\-/-/g' >manual
    "$weir" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' >commands
    [ -s commands ] || return
    local bad=0 command
    while read -r command; do
        has manual "weir $command" || bad=1
        "$weir" help "$command" | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' |
            grep -vx -e --help >options
        while read -r option; do has manual "$option" || bad=1; done <options
    done <commands
    return $bad
}
it "the manual has every command and option" documents_options

# --- links and transcripts -----------------------------------------------------------------------
links_lead_somewhere() {
    local bad=0 file target
    for file in "$root"/*.md "$docs"/*/*.md "$results"/*.md; do
        for target in $(grep -oE '\]\([^)#]+' "$file" | cut -c3- | grep -v ://); do
            [ -e "$(dirname "$file")/$target" ] || { echo "${file#"$root"/}: $target"; bad=1; }
        done
    done
    return $bad
}
it "links lead somewhere" links_lead_somewhere

# The place in which a reader would follow the documents.
mkdir -p desk/bin
ln -s "$weir" desk/bin/weir
ln -s "$root"/{examples,include,data} desk/
fenced() { awk -v kind="$2" '$0 == "```" kind {on = 1; next} /^```/ {on = 0} on' "$1"; }
fenced "$readme" yaml >desk/my.yaml
fenced "$readme" c >desk/latest.c
echo 'platform: {bandwith: 1}' >desk/bad.yaml
printf '100 10 4\n200 5 8\n' >desk/two.set

# Runs one command of a transcript; it must succeed, or print what the document shows.
follow() {
    local command=$1 expected=$2
    case $command in *jq*) command -v jq >/dev/null || return 0 ;; esac
    (cd desk && PATH=$PWD/bin:$PATH bash -c "$command") >printed 2>&1 || [ -n "$expected" ] ||
        { cat printed; echo "of: $command"; return 1; }
    [ -n "$expected" ] || return 0
    # Like the document, without blanks at ends of lines and empty lines at the end.
    diff <(echo "$expected") <(echo "$(sed 's/ *$//' printed)") || { echo "of: $command"; return 1; }
}

# Commands are "    $ ...", continued after a |; what follows, indented alike, is their output.
transcript_is_true() {
    local bad=0 count=0 command='' expected='' line
    flush() {
        [ -z "$command" ] && return
        while [[ $expected == *$'\n' ]]; do expected=${expected%$'\n'}; done
        follow "$command" "$expected" || bad=1
        count=$((count + 1)) command='' expected=''
    }
    while IFS= read -r line; do
        case $line in
        '    $ '*) flush; command=${line#'    $ '} ;;
        '    '*)
            if [[ $command == *'|' && -z $expected ]]; then command+=" ${line#'    '}"
            else expected+=${command:+${line#'    '}$'\n'}; fi ;;
        '') expected+=${command:+$'\n'} ;;
        *) flush ;;
        esac
    done <"$1"
    flush
    [ "$count" -gt 0 ] && [ "$bad" -eq 0 ]
}
it "the README prints what is printed" transcript_is_true "$readme"
# Not those that need a cluster, a running controller or minutes.
for page in tutorial/researcher reference/{scenario,import,plans,shares,campaign} explanation/bounds \
    howto/{advice,compare,mapping}; do
    [ ! -f "$docs/$page.md" ] || it "docs/$page.md prints what is printed" transcript_is_true "$docs/$page.md"
done

# --- pages by role -------------------------------------------------------------------------------
# Who follows a tutorial or wants something done reads ten minutes, not an hour.
pages_are_short() {
    local bad=0 file
    for file in "$docs"/{tutorial,howto}/*.md; do
        [ "$(wc -w <"$file")" -le 1500 ] || { echo "$(wc -w "$file"): more than 1500 words"; bad=1; }
    done
    return $bad
}
it "pages of tutorials and how-tos have at most 1,500 words" pages_are_short
finish
