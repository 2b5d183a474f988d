#!/bin/sh
# A memory on 1, 2, 3 and 4 ranks of MPI recalls the bytes that one process recalls: on WordNet's nouns, by each method
# that can be split. `engram` must have been built with ENGRAM_MPI.
. "$(dirname "$0")/lib.sh"
command -v mpirun >mpirun || { echo "skipped: needs mpirun"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PMIX_MCA_gds=hash  # else mpirun hangs at its end once in ten ranks killed in MPI_Init: experiments/mpi/README.md

"$engram" import wordnet --parts noun --relations hypernym instance_hypernym --out nouns.nal >import 2>&1 ||
  fail "WordNet was not imported"
methods="--method attention --method entmax_attention --method sparsemax_attention --method argmax_attention
  --method modern_hopfield --method hopfield --method k_hop --method spreading_activation"

# recall_on RANKS ARGUMENT..: what it prints is in the file out.
recall_on() {
  ranks=$1
  shift
  # shellcheck disable=SC2086 # a list of words
  mpirun -n "$ranks" "$engram" recall "$@" $methods
}

for cue in '<dog_n_1 --> ?1>?' '<cat_n_1 --> animal_n_1>?'; do
  # shellcheck disable=SC2086
  expect 0 "$engram" recall nouns.nal --cue "$cue" --top 40 --json $methods
  cp out alone
  [ "$(grep -c '"narsese"' alone)" -ge 160 ] || fail "too little is recalled to tell that it is the same"
  for ranks in 1 2 3 4; do
    expect 0 recall_on $ranks nouns.nal --cue "$cue" --top 40 --json
    cmp out alone || fail "$ranks ranks recall something else for $cue"
    [ $ranks = 1 ] || says err "note: attention: each of $ranks ranks sent "
  done
done

# In words, with what was refused and where, from several files: the same.
printf '<dog_n_1 --> pet>.\nnone of it <\n<dog_n_1 --> friend>. %%0.9;0.5%%\n<dog_n_1 --> pet>. %%0;0.8%%\n' >mixed.nal
# shellcheck disable=SC2086
expect 1 "$engram" recall mixed.nal nouns.nal mixed.nal --cue dog_n_1 $methods
cp out alone
grep ': error: ' err >refused
expect 1 recall_on 3 mixed.nal nouns.nal mixed.nal --cue dog_n_1
cmp out alone
grep ': error: ' err | cmp - refused
expect 0 recall_on 2 nouns.nal --cue unheard_of
says err "the memory knows nothing of the cue"

# What cannot be split, and what is no file for ranks to read parts of.
expect 2 mpirun -n 2 "$engram" recall nouns.nal --cue dog_n_1 --method proof_attention
says err "'proof_attention' cannot be split over processes; these can: argmax_attention, attention,"
expect 2 mpirun -n 2 "$engram" recall nouns.nal --cue dog_n_1 --method attention --explain
says err "ask one process"
expect 1 mpirun -n 2 "$engram" recall nouns.nal --cue '<dog' --method attention
says err "--cue:1:"
expect 2 mpirun -n 2 "$engram" recall missing.nal --cue dog_n_1 --method attention
says err "missing.nal: no such file"
expect 3 mpirun -n 2 "$engram" recall nouns.nal --cue dog_n_1 --method attention --max-statements 1000
says err "the memory is full: there are "
mkdir -p here there
cp nouns.nal here/file.nal
{ cat nouns.nal; echo '<tim --> cat>.'; } >there/file.nal
in_other_folder() {
  # shellcheck disable=SC2016 # the inner shell's
  mpirun -n 1 sh -c 'cd here && exec "$@"' sh "$engram" recall /proc/self/cwd/file.nal --cue dog_n_1 --method attention : \
    -n 1 sh -c 'cd "$0" && exec "$@"' "$1" "$engram" recall /proc/self/cwd/file.nal --cue dog_n_1 --method attention
}
expect 2 in_other_folder there
says err "rank 1: /proc/self/cwd/file.nal is another file here: $(wc -c <there/file.nal) bytes"
rm there/file.nal
expect 2 in_other_folder there
says err "rank 1: /proc/self/cwd/file.nal: no such file"

# A rank that is killed while the memory is read: the others end, and mpirun says which it was.
for moment in 0.4 0.7 1.0 1.3; do
  mpirun -n 3 "$engram" recall nouns.nal nouns.nal nouns.nal --cue dog_n_1 $methods >out 2>err &
  launcher=$!
  sleep $moment
  victim=$(pgrep -P $launcher | sed -n "$((${moment#*.} % 3 + 1))p")
  [ -z "$victim" ] || kill -9 "$victim"
  code=0
  wait $launcher || code=$?
  [ -z "$victim" ] || [ $code != 0 ] || fail "mpirun reports success for a rank that was killed"
  [ $code = 0 ] || says err "exited on signal 9"
done
