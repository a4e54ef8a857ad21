#!/usr/bin/env bash
# All networks of the card, by its recipe, and what they say of test sets that they never saw: PREDICTIONS of training/party.
#
# usage: bash training/judge/networks.sh ENGLISH OTHER OUT
#
# ENGLISH and OTHER are the folders that pack.py made (the card has its two commands). The networks are trained one after
# the other; what is done is not done again. PYTHON names the interpreter. MORE may hold options for all runs of train.py:
# --limit 20 to try the script out.
set -euo pipefail
english=$1 other=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
export PYTHONPATH="$here/../../src"
mkdir -p "$out"

network() { # NAME PACKED OPTIONS...
    local name=$1 packed=$2
    shift 2
    [ -e "$out/$name.done" ] && return
    # shellcheck disable=SC2086 - several options, or none
    $python "$here/train.py" "$packed" "$out" --name "$name" "$@" ${MORE:-}
    touch "$out/$name.done"
}

large=(--encoder mpnet --teach --epochs 2 --spoil 0.08)

# Into English: a large network teaches, a small one learns.
small=(--spoil 0.15 --strange 0.05)
for year in 20 21 all; do
    left=(wmt12)
    name=judge-en
    if [ "$year" != all ]; then
        left+=("wmt$year")
        name=without$year
    fi
    network "teacher$year" "$english" "${large[@]}" --leave-out "${left[@]}"
    network "$name" "$english" "${small[@]}" --leave-out "${left[@]}" --mild --lessons "$out/teacher$year.lessons.npz" --save
done
network without19 "$english" "${small[@]}" --leave-out wmt12 wmt19
network without.zh-en "$english" "${small[@]}" --leave-out wmt12 zh-en

# Into other languages: a small network learns to read, then to judge; a large one and small ones like itself teach it.
glosses=(--glosses --epochs 2 --spoil 0.3 --strange 0.4 --within 1)
lessons=()
for year in 20 21; do
    left=(--leave-out "wmt$year")
    network "other$year" "$other" --glosses "${large[@]}" "${left[@]}"
    network "read$year" "$other" --glosses --read 4 --epochs 0 --save "${left[@]}"
    network "like$year" "$other" "${glosses[@]}" --begin "$out/read$year.weights.npz" --teach "${left[@]}"
    network "glosses$year" "$other" "${glosses[@]}" --begin "$out/read$year.weights.npz" "${left[@]}" \
        --lessons "$out/other$year.lessons.npz" "$out/like$year.lessons.npz"
    lessons+=("$out/like$year.lessons.npz")
done
network other "$other" --glosses "${large[@]}"
network read "$other" --glosses --read 4 --epochs 0 --save
network judge-other "$other" "${glosses[@]}" --begin "$out/read.weights.npz" --save \
    --lessons "$out/other.lessons.npz" "${lessons[@]}"
network glosses19 "$other" "${glosses[@]}" --read 4 --leave-out wmt19
network glosses.en-de "$other" "${glosses[@]}" --read 4 --leave-out en-de
network glosses.en-ru "$other" "${glosses[@]}" --read 4 --leave-out en-ru
network glosses-without-czech "$other" "${glosses[@]}" --read 2 --leave-out en-cs
network glosses-without-slavic "$other" "${glosses[@]}" --read 2 --leave-out en-cs en-pl en-ru

[ -e "$out/encoder.npz" ] || $python "$here/../party/encode.py" "$english" "$out"
