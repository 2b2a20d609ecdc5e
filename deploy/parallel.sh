#!/usr/bin/env bash
# A run in N parts by GNU parallel, on this machine or on those that PARALLEL_SSHLOGINFILE names:
# deploy/parallel.sh N FOLDER ARGUMENT…
#
# FOLDER must be the same everywhere (a shared file system). As many parts at a time as a machine has cores, one engine each. The same
# command goes on where it was stopped, and tries parts again that failed.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '2,6s/^# \?//p' "$0" >&2; exit 2; }
of=$1 folder=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
hosts=()
[ -z "${PARALLEL_SSHLOGINFILE:-}" ] || hosts=(--sshloginfile "$PARALLEL_SSHLOGINFILE" --workdir "$PWD" --env GAINALYZE)
mkdir -p "$folder"
# Each part as a whole command: in the arguments of its own command parallel would replace {} and its like, which names may have.
for part in $(seq "$of"); do
    printf '%s\0' "$("$here/quoted" "$here/shard" "$part" "$of" "$folder" "$@" --jobs 1 --quiet)"
done | parallel --null "${hosts[@]}" --joblog "$folder/parallel.log"
exec "$here/merge" "$of" "$folder" "$@"
