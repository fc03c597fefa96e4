# What the tests of campaigns share: what is in a database.

# content DB: all of it, at full precision.
content() {
    "$weir" query "$1" "SELECT * FROM run ORDER BY identity" --csv | cut -d, -f2- &&
        "$weir" query "$1" "SELECT identity, application.* FROM run JOIN application ON run = id
            ORDER BY identity, number" --csv | cut -d, -f1,3-
}
same() { cmp <(content "$1") <(content "$2"); }
# count DB [CONDITION]: of runs.
count() { "$weir" query "$1" "SELECT count(*) FROM run ${2:+WHERE $2}" --csv 2>/dev/null | sed 1d; }
has_rows() { [ "$(count "$1" || echo 0)" -gt 0 ]; } # DATABASE
