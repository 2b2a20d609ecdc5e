#!/usr/bin/env bash
# Searches a run in N parts by GNU parallel, on this machine or on the hosts in the file PARALLEL_SSHLOGINFILE:
# deploy/parallel.sh N FOLDER ARGUMENT…
#
# FOLDER must be shared by all hosts. Each host runs one part per core, with one engine each. The same command resumes, and tries
# failed parts again.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '2,6s/^# \?//p' "$0" >&2; exit 2; }
of=$1 folder=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
hosts=()
[ -z "${PARALLEL_SSHLOGINFILE:-}" ] || hosts=(--sshloginfile "$PARALLEL_SSHLOGINFILE" --workdir "$PWD" --env GAINALYZE)
mkdir -p "$folder"
# Each part is passed as a whole command. In arguments of its own command, parallel would replace {} and the like, which names
# of files may contain.
for part in $(seq "$of"); do
    printf '%s\0' "$("$here/quoted" "$here/shard" "$part" "$of" "$folder" "$@" --jobs 1 --quiet)"
done | parallel --null "${hosts[@]}" --joblog "$folder/parallel.log"
exec "$here/merge" "$of" "$folder" "$@"
