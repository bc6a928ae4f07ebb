#!/usr/bin/env bash
# What the action does: checks and tests definitions, compares them with the base of a pull request, and keeps one
# comment and one label of the pull request up to date. action.yml sets the variables; tests run it too.
set -uo pipefail

allot=${ALLOT:-$GITHUB_ACTION_PATH/../../../.build/release/allot}
definitions=${ALLOT_DEFINITIONS%/}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
status=0
text=$(mktemp)
errors=$(mktemp)
trap 'rm -f "$text" "$errors"' EXIT

# In a container the checkout belongs to another user, which Git refuses by default.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=${GITHUB_WORKSPACE:-$PWD}

warning() { printf '::warning title=allot::%s\n' "$*"; }

check() {
    echo "::group::allot check"
    "$allot" check --definitions "$definitions" --format github || status=1
    echo "::endgroup::"
}

tests() {
    [ -d "$definitions/tests" ] || return 0
    echo "::group::allot test"
    "$allot" test --definitions "$definitions" --format github || status=1
    echo "::endgroup::"
}

# Writes what would change into $text; sets $moves to true or false, or to nothing if that cannot be said.
compare() {
    moves=""
    git cat-file -e "$ALLOT_BASE^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$ALLOT_BASE"
    if ! git cat-file -e "$ALLOT_BASE:./$definitions" 2>/dev/null; then
        echo "### These are the first definitions in \`$definitions\`" >"$text"
        return
    fi
    "$allot" diff "$ALLOT_BASE" --definitions "$definitions" ${ALLOT_USERS:+--users "$ALLOT_USERS"} --format markdown \
        >"$text" 2>"$errors"
    case $? in
        0) moves=false ;;
        2) moves=true ;;
        *)
            warning "the definitions cannot be compared with $ALLOT_BASE"
            cat "$errors"
            printf '### ❌ The definitions cannot be compared with those of the base\n\n' >"$text"
            sed 's/^/    /' "$errors" | head -n 50 >>"$text"
            ;;
    esac
}

# One comment for each folder of definitions, found by an invisible mark.
comment() {
    export ALLOT_MARK="<!-- allot: $definitions -->"
    local issue="repos/$GITHUB_REPOSITORY/issues" query id
    query='.[] | select(.user.login == env.ALLOT_AUTHOR and (.body | startswith(env.ALLOT_MARK))) | .id'
    id=$(gh api --paginate "$issue/$ALLOT_PULL_REQUEST/comments?per_page=100" --jq "$query") || return 1
    id=${id%%$'\n'*}
    { echo "$ALLOT_MARK" && cat "$text"; } >"$errors"
    if [ -n "$id" ]; then
        gh api --silent --method PATCH "$issue/comments/$id" -F "body=@$errors"
    elif ! git diff --quiet "$ALLOT_BASE" -- "$definitions"; then
        gh api --silent --method POST "$issue/$ALLOT_PULL_REQUEST/comments" -F "body=@$errors"
    fi
}

label() {
    local labels="repos/$GITHUB_REPOSITORY/issues/$ALLOT_PULL_REQUEST/labels" name
    name=$(gh api --paginate "$labels" --jq '.[] | select(.name == env.ALLOT_LABEL) | .name') || return 1
    if [ "$moves" = true ] && [ -z "$name" ]; then
        gh api --silent --method POST "$labels" -f "labels[]=$ALLOT_LABEL"
    elif [ "$moves" = false ] && [ -n "$name" ]; then
        # As a part of a URL, every byte in hexadecimal digits.
        name=$(printf %s "$name" | od -An -v -tx1 | tr -d '\n' | tr ' ' %)
        gh api --silent --method DELETE "$labels/$name"
    fi
}

check
tests
if [ -n "${ALLOT_BASE:-}" ]; then
    compare
    cat "$text" >>"$summary"
    [ -z "${GITHUB_OUTPUT:-}" ] || echo "moves=$moves" >>"$GITHUB_OUTPUT"
    if [ -n "${ALLOT_PULL_REQUEST:-}" ] && command -v gh >/dev/null; then
        # A pull request from a fork has a token that may not write; its summary says the same.
        if [ "${ALLOT_COMMENT:-true}" = true ]; then
            comment || warning "the comment cannot be written; give the job the permission pull-requests: write"
        fi
        if [ -n "${ALLOT_LABEL:-}" ]; then
            label || warning "the label cannot be set; give the job the permission pull-requests: write"
        fi
    elif [ -n "${ALLOT_PULL_REQUEST:-}" ]; then
        warning "comments and labels need the program gh, which is not installed; install it (apt-get install gh)"
    fi
    if [ "$moves" = true ] && [ "${ALLOT_FAIL_ON_MOVES:-false}" = true ]; then
        echo "::error title=allot::enrolled units would move, see the summary"
        status=1
    fi
fi
exit $status
