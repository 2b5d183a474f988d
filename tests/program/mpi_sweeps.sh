#!/bin/sh
# Runs on 1, 2, 3 and 4 ranks of MPI must give the bytes of a run without MPI, even if ranks are killed. `engram` must
# be built with ENGRAM_MPI. ENGRAM_MPI_KILLS: number of kills, 6 by default; ENGRAM_KILL_SEED: seed of their moments.
. "$(dirname "$0")/lib.sh"
command -v mpirun >mpirun || skip "needs mpirun"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PMIX_MCA_gds=hash  # mpirun may hang when a rank is killed in MPI_Init: experiments/mpi/README.md

cp "$source"/experiments/data/day_at_the_farm.nal "$source"/experiments/data/family.nal .
specs=$source/experiments/specs
comparison="$specs/comparison.json --set inputs=[\"day_at_the_farm.nal\"]"
completion="$specs/completion.json --set inputs=[\"day_at_the_farm.nal\"] --set seeds=[1,2,3] --set cues=10"
answering="$specs/answering.json --set inputs=[\"day_at_the_farm.nal\"] --set seeds=[1,2,3]
  --set sets=[{\"kind\":\"families\",\"groups\":6,\"questions\":2},{\"kind\":\"chains\",\"groups\":10,\"questions\":3}]"
cat >sweep.json <<'JSON'
{"experiment": "completion", "inputs": ["day_at_the_farm.nal"], "seeds": [1, 2, 3], "cues": 4,
 "sweep": {"memory.decay": [0, 0.1]}}
JSON
sweep=sweep.json

# The number of ranks does not change the bytes. Rank 0 prints it.
for what in comparison completion answering sweep; do
  eval "arguments=\$$what"
  # shellcheck disable=SC2086 # a list of words
  expect 0 "$engram" run $arguments --jobs 1 --out "$what"
  for ranks in 1 2 3 4; do
    # shellcheck disable=SC2086
    expect 0 mpirun -n $ranks "$engram" run $arguments --jobs $((ranks % 2 + 1)) --out "$what-$ranks"
    same "$what" "$what-$ranks"
    grep -rqF "\"ranks\":$ranks," "$what-$ranks" --include=timings.jsonl || fail "timings.jsonl lacks the number of ranks, $ranks"
  done
done

# With many cells a rank runs whole cells. With --resume only the missing cells run.
cat >cells.json <<'JSON'
{"experiment": "completion", "inputs": ["day_at_the_farm.nal"], "seeds": [1, 2],
 "sweep": {"memory.decay": [0, 0.05, 0.1, 0.2], "cues": [3, 4]}}
JSON
expect 0 "$engram" run cells.json --out cells
for ranks in 2 3 4; do
  expect 0 mpirun -n $ranks "$engram" run cells.json --out cells-$ranks
  same cells cells-$ranks
  says err ", 8 of 8: "
done
rm -r cells-3/cells/*cues=4* cells-3/report.html
expect 0 mpirun -n 3 "$engram" run cells.json --out cells-3 --resume
same cells cells-3

# A finished run is not repeated. A cache that two ranks fill at the same time serves them and later runs.
# shellcheck disable=SC2086
{
  expect 0 mpirun -n 2 "$engram" run $completion --out completion-2 --resume
  says err "9 of 9 trials are there already"
  same completion completion-2
  expect 0 mpirun -n 3 "$engram" run $completion --out cached --cache cache
  says err "cache: 0 trials were in the cache"
  expect 0 mpirun -n 3 "$engram" run $completion --out cached-again --cache cache
  says err "cache: 9 trials were in the cache"
  expect 0 mpirun -n 2 "$engram" run $completion --out cached-third --cache cache
  same completion cached
  same completion cached-again
  same completion cached-third
}
# Two runs at the same time, with four ranks that write the same entries.
# shellcheck disable=SC2086
{
  mpirun -n 2 "$engram" run $completion --out together-1 --cache together >/dev/null 2>&1 &
  mpirun -n 2 "$engram" run $completion --out together-2 --cache together >/dev/null 2>&1 &
  wait
}
same completion together-1
same completion together-2
[ "$(find together -type f | wc -l)" = "$(find cache -type f | wc -l)" ] || fail "entries were lost, or written twice"
[ -z "$(find cache -name '*.part')" ] || fail "the cache has an incomplete entry"

# Commands that are not distributed run on rank 0.
expect 0 "$engram" parse family.nal
cp out alone
cp err talk
expect 0 mpirun -n 3 "$engram" parse family.nal
cmp out alone
says err "the other 2 ranks had no work"
expect 0 mpirun -n 1 "$engram" parse family.nal
cmp err talk || fail "one rank prints other messages than a run without MPI"
expect 2 mpirun -n 2 "$engram" run no_such_file.nal
says err "no_such_file.nal"
# Without a launcher MPI is not initialised, not even in a Slurm batch script.
expect 0 env SLURM_PROCID=0 SLURM_NTASKS=4 strace -f -e trace=openat -o trace "$engram" run family.nal --out plain
! grep -q pmix trace || fail "MPI began without a launcher"

# Ranks with another build, another input or no input are refused by name before any trial counts.
{ cat "$engram"; echo; } >other_engram
chmod +x other_engram
expect 2 mpirun -n 2 "$engram" run family.nal --out refused : -n 1 ./other_engram run family.nal --out refused
says err "all ranks must be the same program; rank 2 ("
says err "is another build: engram "
[ ! -e refused ] || fail "ranks of two builds began"
mkdir -p here there
cp family.nal here/pets.nal
{ cat family.nal; echo '<tim --> cat>.'; } >there/pets.nal
# in_folders FOLDER ARGUMENT..: runs rank 0 in the folder `here` and rank 1 in FOLDER, like on another machine.
in_folders() {
  folder=$1
  shift
  # shellcheck disable=SC2016 # the inner shell's
  timeout 120 mpirun -n 1 sh -c 'cd here && exec "$@"' sh "$engram" "$@" : \
    -n 1 sh -c 'cd "$0" && exec "$@"' "$folder" "$engram" "$@"
}
expect 2 in_folders there run /proc/self/cwd/pets.nal --out ../refused
says err "rank 1 ("
says err "/proc/self/cwd/pets.nal has SHA-256 $(sha256sum <there/pets.nal | cut -c 1-64), and must have $(sha256sum <here/pets.nal | cut -c 1-64)"
rm -rf refused there/pets.nal
expect 2 in_folders there run /proc/self/cwd/pets.nal --out ../refused
says err "rank 1 ("
says err "/proc/self/cwd/pets.nal: No such file"
rm -rf refused
expect 2 env ENGRAM_MPI_PATIENCE=soon mpirun -n 2 "$engram" run family.nal --out refused
says err "ENGRAM_MPI_PATIENCE must be 2 .. 86400 seconds, and is \"soon\""

# A trial fails on another rank because a program is missing there, while rank 0 runs a long trial. One process reports
# which rank failed and why, with its exit code, and all processes end. After the repair --resume gives the same bytes.
cat >asked.json <<'JSON'
{"experiment": "answering", "inputs": [], "methods": ["attention"], "tuning": {"methods": []}, "seeds": [1, 2, 3],
 "sets": [{"kind": "chains", "groups": 3, "questions": 1}], "capacities": [6],
 "system": {"name": "ona", "command": ["./nar", "shell"]}}
JSON
sed 's/^{/{"sweep": {"memory.decay": [0, 0.1, 0.2, 0.3]}, /' asked.json >asked_cells.json
printf '#!/bin/sh\nexec sleep 600\n' >here/nar
chmod +x here/nar
all_ended() {
  for _ in $(seq 100); do
    left=$(find /proc/[0-9]* -maxdepth 1 -name cwd -lname "$(pwd -P)/*" 2>find_err || true)
    [ -n "$left" ] || return 0
    sleep 0.1
  done
  fail "these outlive the run: $left"
}
for what in asked asked_cells; do
  expect 3 "$engram" run $what.json --allow-programs --out $what-refused
  failure=$(sed -n 's/^engram: error: //p' err)
  [ "$failure" = "cannot start './nar': No such file or directory" ] || fail "wrong message of one process: $failure"
  expect 3 in_folders there run ../$what.json --allow-programs --out ../$what
  [ "$(grep -c '^engram: ' err)" = 1 ] || fail "more than one rank speaks: $(cat err)"
  all_ended
  case $what in asked) number='trial [0-2]' ;; *) number='cell 0000[1-4]_decay=0[.123]*' ;; esac
  grep -q "^engram: error: rank 1 ([^)]*): $number: $failure\$" err || fail "what failed, and where: $(cat err)"
done
printf '#!/bin/sh\nexec python3 "%s/tests/program/fake_nars.py"\n' "$source" >there/nar
chmod +x there/nar
cp there/nar here/nar
cp there/nar nar
for what in asked asked_cells; do
  expect 0 in_folders there run ../$what.json --allow-programs --out ../$what --resume
  expect 0 "$engram" run $what.json --allow-programs --out $what-alone
  same $what $what-alone
done
# A trial that fails on all ranks because of the memory limit.
for ranks in 1 2 3 4; do
  # shellcheck disable=SC2086
  expect 3 timeout 120 mpirun -n $ranks "$engram" run $comparison --memory 2M --out full-$ranks
  grep -q '^engram: error: .*this needs [0-9]* bytes more than the [0-9]* in use; the limit is 1048576$' err ||
    fail "wrong message of $ranks ranks at the memory limit: $(cat err)"
done

expect 0 python3 "$source/tests/program/mpi_kills.py" "$engram" "$source" "${ENGRAM_MPI_KILLS:-6}" "${ENGRAM_KILL_SEED:-1}"
cat out
