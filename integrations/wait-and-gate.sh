#!/usr/bin/env bash
# Starts a run, waits for its end, keeps SARIF and JUnit files, and fails on open findings at or above a severity.
# Needs bash, curl and jq. Read by the GitHub Action and the GitLab template; works in any other CI as well.
#
#   SONDE_URL            address of the service
#   SONDE_API_KEY        key with scans:read, scans:write, domains:read, artifacts:read
#   SONDE_DOMAIN         name of a registered domain
#   SONDE_ACTIVE         "true" adds active checks; the domain has to be verified   (default false)
#   SONDE_PRIVACY        "true" adds the privacy check                              (default false)
#   SONDE_FAIL_ON        critical, high, medium, low, info, or none                 (default high)
#   SONDE_BASELINE       what does not count:                                       (default accepted)
#                          accepted   what the owners have accepted or called a false positive
#                          none       nothing: every finding counts
#                          id of a run   as accepted, and what that run had found as grave already
#   SONDE_MINUTES        how long to wait                                           (default 60)
#   SONDE_POLL           seconds between two looks at the run                       (default 6)
#   SONDE_OUT            folder for sonde.sarif, sonde.junit.xml and sonde.json     (default .)
#   SONDE_KEY            the same key starts one run only, e.g. the id of the pipeline job
#
# Exit codes: 0 clean, 1 the gate was hit, 2 the run failed, was cancelled or took too long, 3 usage
set -euo pipefail

usage() { printf 'sonde: %s\n' "$*" >&2; exit 3; }
failed() { printf 'sonde: %s\n' "$*" >&2; exit 2; }

: "${SONDE_URL:?is needed}" "${SONDE_API_KEY:?is needed}" "${SONDE_DOMAIN:?is needed}"
url=${SONDE_URL%/}
out=${SONDE_OUT:-.}
minutes=${SONDE_MINUTES:-60}
poll=${SONDE_POLL:-6}
case "${SONDE_FAIL_ON:=high}" in
  critical | high | medium | low | info | none) ;;
  *) usage "SONDE_FAIL_ON is \"$SONDE_FAIL_ON\"; it is critical, high, medium, low, info or none" ;;
esac
baseline=${SONDE_BASELINE:-accepted}
case $baseline in
  accepted | none) ;;
  *[!0-9a-f-]*) usage "SONDE_BASELINE is \"$baseline\"; it is accepted, none, or the id of a run" ;;
esac
[ -z "${SONDE_FAIL_ON_KNOWN-}" ] || printf '%s\n' \
  'sonde: SONDE_FAIL_ON_KNOWN means nothing any more: every open finding counts, see SONDE_BASELINE' >&2
case $minutes$poll in *[!0-9]*) usage 'SONDE_MINUTES and SONDE_POLL are whole numbers' ;; esac
for program in curl jq; do command -v "$program" >/dev/null || usage "$program is not installed"; done
mkdir -p "$out"
# A start that is repeated because its answer was lost must not start a second run.
key=${SONDE_KEY:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}

# The key goes in by a file of curl's own, so that it stays out of the list of processes.
config=$(mktemp)
answer=$(mktemp)
trap 'rm -f "$config" "$answer"' EXIT
printf 'header = "Authorization: Bearer %s"\n' "$SONDE_API_KEY" >"$config"

# call METHOD PATH [BODY]: the body of the answer; a refusal in words. 75: it may go better later, and $said is why it did not.
call() {
  local method=$1 path=$2 body=${3-} status
  local more=()
  [ -n "$body" ] && more=(-H 'Content-Type: application/json' --data "$body")
  [ "$method $path" = 'POST /v1/scans' ] && more+=(-H "Idempotency-Key: $key")
  status=$(curl -sS -K "$config" --max-time 60 -o "$answer" -w '%{http_code}' \
    -X "$method" ${more[@]+"${more[@]}"} "$url$path") || { said="$url does not answer"; return 75; }
  case $status in
    2??) cat "$answer" ;;
    401) usage "$url refuses SONDE_API_KEY: make a key with the scopes that this job needs, and check the variable" ;;
    429 | 5??) said="$url answers $status to $method $path, again and again"; return 75 ;;
    *) usage "$method $path answered $status: $(jq -r '"\(.title). \(.detail // "")"' "$answer" 2>/dev/null || true)" ;;
  esac
}

# patient WORDS…: `call`, again while the service is away or busy.
patient() {
  local attempt
  for attempt in 0 1 2 3 4 5; do
    sleep $((attempt * poll))
    call "$@" && return 0
    [ $? = 75 ] || exit 3
  done
  failed "$said"
}

# Of each result: the problem that it is in every run, how grave it is, and whether the owners have decided about it.
brief='[.runs[0].results[] | {
  problem: .partialFingerprints["sondeFingerprint/v1"], severity: .properties.severity,
  decided: (.suppressions != null), text: .message.text}]'

domain_id() {
  local cursor='' page found
  while :; do
    # Within a substitution, a failure does not end the script by itself.
    page=$(patient GET "/v1/domains?limit=100${cursor:+&cursor=$cursor}") || exit $?
    found=$(jq -r --arg name "$SONDE_DOMAIN" '.items[] | select(.domain == $name) | .id' <<<"$page")
    [ -n "$found" ] && printf '%s' "$found" && return
    cursor=$(jq -r '.next_cursor // "" | @uri' <<<"$page")
    [ -n "$cursor" ] || usage "$SONDE_DOMAIN is not registered with $url"
  done
}

id=$(domain_id)

# Before anything is started: a wrong baseline costs no run.
known='[]'
case $baseline in
  accepted | none) ;;
  *)
    of=$(patient GET "/v1/scans/$baseline")
    [ "$(jq -r '"\(.domain) \(.status) \(.retest_of)"' <<<"$of")" = "$SONDE_DOMAIN done null" ] ||
      usage "the baseline $baseline is no run of $SONDE_DOMAIN that is done"
    known=$(patient GET "/v1/scans/$baseline/findings?format=sarif" | jq "$brief")
    ;;
esac
body=$(jq -n --arg id "$id" --argjson active "${SONDE_ACTIVE:-false}" --argjson privacy "${SONDE_PRIVACY:-false}" \
  '{domain_id: $id, active: $active, privacy: $privacy, make_pdf: false}') || usage 'SONDE_ACTIVE and SONDE_PRIVACY are true or false'
run=$(patient POST /v1/scans "$body" | jq -r .id)
printf 'sonde: run %s of %s\n' "$run" "$SONDE_DOMAIN" >&2

deadline=$((SECONDS + minutes * 60))
while :; do
  state=$(patient GET "/v1/scans/$run")
  status=$(jq -r .status <<<"$state")
  case $status in done | failed | canceled) break ;; esac
  [ "$SECONDS" -lt "$deadline" ] || failed "run $run has not ended within $minutes minutes"
  jq -r '"sonde: \(.progress) %  \(.phase)  \(.phase_detail)"' <<<"$state" >&2
  sleep "$poll"
done
printf '%s\n' "$state" >"$out/sonde.json"
[ "$status" = done ] || failed "run $run ended $status: $(jq -r '.error_detail // ""' <<<"$state")"

patient GET "/v1/scans/$run/findings?format=sarif" >"$out/sonde.sarif"
patient GET "/v1/scans/$run/findings?format=junit" >"$out/sonde.junit.xml"

hits=$(jq "$brief" "$out/sonde.sarif" | jq -r --arg gate "$SONDE_FAIL_ON" --arg baseline "$baseline" --argjson known "$known" '
  ["critical", "high", "medium", "low", "info"] as $order
  | def rank: . as $severity | $order | index($severity);
    ($known | map({key: .problem, value: (.severity | rank)}) | from_entries) as $before
  | .[]
  | select($gate != "none" and (.severity | rank) <= ($gate | rank))
  | select($baseline == "none" or (.decided | not))
  | select($before[.problem] == null or (.severity | rank) < $before[.problem])
  | "\(.severity)  \(.text)"')
jq -r '"sonde: grade \(.grade), open: \(.open_counts | to_entries | map("\(.key) \(.value)") | join(", "))"' <<<"$state" >&2
[ -z "$hits" ] && exit 0
printf 'sonde: findings that fail this job (baseline: %s):\n%s\n' "$baseline" "$hits" >&2
exit 1
