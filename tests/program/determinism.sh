#!/bin/sh
# Results have the same bytes (except timings.jsonl) for any number of jobs, in any folder, and after a resume.
# digests.txt checks that they are also the same for g++, and for clang++ -march=native under sanitizers.
. "$(dirname "$0")/lib.sh"

cp "$source"/experiments/data/day_at_the_farm.nal "$source"/experiments/data/umls_*.nal .
printf 'bird\tisa\tanimal\nfungus\taffects\tplant\nvirus\tcauses\tneoplastic_process\n' >small.tsv

# A small part of each experiment, so that the test is quick under sanitizers too.
small_comparison="--set inputs=[\"day_at_the_farm.nal\"]"
small_embeddings="$small_comparison --set memory.compounds=true"
small_completion="--set inputs=[\"day_at_the_farm.nal\"] --set seeds=[1,2,3] --set cues=10"
small_icons="--set seeds=[1,2,3]"
small_prediction="--set seeds=[1,2,3] --set origins=[0.6] --set epochs=12 --set dimensions=8 --set generated.episodes=80"
small_forgetting="$small_comparison --set seeds=[1,2] --set shares=[0.1,0.3] --set zipf.episodes=150 --set zipf.concepts=60 --set story.episodes=100"
small_equivalence="--set seeds=[1,2,3] --set sizes=[1,6]"
small_capacity="--set seeds=[1,2] --set cues=4 --set inputs=[\"day_at_the_farm.nal\"] --set figures=[\"one_step_error\",\"subsets\",\"regimes\"] --set effort=0.1"
small_links="--set inputs=[\"umls_valid.nal\",\"umls_test.nal\",\"small.tsv\"] --set published= --set seeds=[1,2]
  --set methods=[\"attention\",\"pagerank\"] --set pairs=6 --set epochs=6 --set check_every=3"
small_sensors="--set worlds=[{\"world\":\"conditioning\",\"trials\":40},{\"world\":\"grid\",\"trials\":60}] --set distractors=[0,5]
  --set policies=[\"predictive\",\"completion\",\"reinforce\"] --set seeds=[1,2,3]"
small_answering="$small_comparison --set seeds=[1,2,3]
  --set sets=[{\"kind\":\"families\",\"groups\":6,\"questions\":2},{\"kind\":\"chains\",\"groups\":10,\"questions\":3}]"
small_training="--set epochs=6 --set seeds=[1] --set held_out=[11]
  --set sets=[{\"kind\":\"chains\",\"groups\":10,\"questions\":6},{\"kind\":\"taxonomies\",\"groups\":10,\"questions\":6}]"

# shellcheck disable=SC2086 # a list of words
{
  expect 0 "$engram" train "$source/experiments/models/proof_attention.json" $small_training --out one.engram
  expect 0 "$engram" train "$source/experiments/models/proof_attention.json" $small_training --jobs 3 --out three.engram
}
cmp one.engram three.engram || fail "threads make a difference to a model"
echo "$(sha256sum <one.engram | cut -c 1-64) training" >digests
all="comparison embeddings completion icons prediction answering equivalence forgetting links sensors capacity"
[ -z "${ENGRAM_SANITIZED-}" ] || all=${all% capacity}  # takes many minutes under sanitizers
for experiment in $all; do
  eval "settings=\$small_$experiment"
  spec=$source/experiments/specs/$experiment.json
  # shellcheck disable=SC2086 # a list of words
  {
    expect 0 "$engram" run "$spec" $settings --jobs 1 --out "$experiment-1"
    expect 0 "$engram" run "$spec" $settings --jobs 2 --out "deeper/down/$experiment-2"
    same "$experiment-1" "deeper/down/$experiment-2"
    if [ "$experiment" != capacity ]; then  # takes minutes under sanitizers
      expect 0 "$engram" run "$spec" $settings --jobs 5 --out "$experiment-5"
      same "$experiment-1" "$experiment-5"
    fi
    echo "$(sha256sum <"$experiment-1/results.jsonl" | cut -c 1-64) $experiment" >>digests

    # Truncate the results within a row, as a kill would, and resume.
    cp -r "$experiment-1" cut
    bytes=$(wc -c <cut/results.jsonl)
    head -c $((bytes * 2 / 3)) "$experiment-1/results.jsonl" >cut/results.jsonl
    rm -r cut/report.html cut/summary.json cut/tables cut/plots
    expect 0 "$engram" run "$spec" $settings --jobs 2 --out cut --resume
    says err "trials are there already"
    same "$experiment-1" cut
    [ "$(wc -l <cut/timings.jsonl)" = "$(wc -l <"$experiment-1/timings.jsonl")" ] || fail "timings were lost"

    # Rebuilding the report changes nothing. A different spec is not resumed.
    expect 0 "$engram" report cut
    same "$experiment-1" cut
    expect 2 "$engram" run "$spec" $settings --set seeds=[7] --out cut --resume
    says err "another spec"
    rm -r cut
  }
done
head -n "$(wc -l <digests)" "$source/tests/program/digests.txt" >wanted
cmp digests wanted || fail "results differ from other builds: $(cat digests)"
