#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Profile seed a second time: plain NumPy in double, written from the formulas of the design alone.

    seed_numpy.py PROGRAM [ARGUMENT ...] [--seed 0] [--case NAME]     compare PROGRAM with NumPy
    seed_numpy.py --self-check                                        check NumPy against itself

PROGRAM is called as `PROGRAM ARGUMENT ... CASE_FILE RESULT_FILE`. The two must choose the same k
classifiers for every example and hold the same weights and biases, except where a summed gradient
is within 1e-6 of zero, where its sign may hang on the order of a sum; such differences are counted
and may be at most one in 10,000. Exit code 0 when all of it holds, 1 when not, 2 when called wrongly.

Both files are little-endian, without padding; case_file.hpp reads and writes them from C++.

  case:    "JDSEEDC1"                     8 bytes
           n k d classes batches queries  6 x uint32
           learning_rate tau              2 x float64
           keys                           float64 [n][d], of any length but 0
           weights                        int32   [n][classes][d], in steps of learning_rate
           biases                         int32   [n][classes], in steps of learning_rate
           for every batch:
             size                         uint32
             z                            float64 [size][d]
             label                        uint32  [size]
           z                              float64 [queries][d]

  result:  "JDSEEDR1"                     8 bytes
           for every batch: chosen        uint32  [size][k], ascending
           weights                        int32   [n][classes][d]
           biases                         int32   [n][classes]
           chosen                         uint32  [queries][k], ascending
           answers y                      float64 [queries][classes]
"""

import argparse
import dataclasses
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: this python3 has no NumPy (on Debian: apt-get install python3-numpy)")
    raise SystemExit(77)

NEAR_ZERO = 1e-6  # of a summed gradient, before the division by the batch's size
MOST_DIFFERENT = 1e-4  # of the weights and biases that were taught
ANSWER_TOLERANCE = 1e-9  # of an answer, relative to the largest answer of the case


@dataclasses.dataclass
class Case:
    k: int
    learning_rate: float
    tau: float
    keys: np.ndarray  # float64 [n][d]
    weights: np.ndarray  # int32 [n][classes][d]
    biases: np.ndarray  # int32 [n][classes]
    batches: list  # of (float64 [B][d], uint32 [B])
    queries: np.ndarray  # float64 [queries][d]


@dataclasses.dataclass
class Result:
    chosen: list  # per batch, uint32 [B][k]
    weights: np.ndarray
    biases: np.ndarray
    query_chosen: np.ndarray
    answers: np.ndarray


# --- the rule ------------------------------------------------------------------------------------


def normalise(z):
    """x = z / sqrt(max(|z|^2, 1e-12)), for each row."""
    return z / np.sqrt(np.maximum(np.sum(z * z, axis=-1, keepdims=True), 1e-12))


def nearest(unit_keys, x, k):
    """The k most similar keys of each x, ascending by index, and their cosines.

    A sum per row, not a matrix product: equal keys must have equal similarities, to the bit, for
    the tie rule (the lower index wins) to mean anything.
    """
    s = np.stack([np.sum(unit_keys * row, axis=1) for row in x])  # [B][n]
    order = np.argsort(-s, axis=1, kind="stable")  # stable: the lower index first
    chosen = np.sort(order[:, :k], axis=1)
    return chosen, np.take_along_axis(s, chosen, axis=1)


def phi(u, tau):
    return tau * np.tanh(u / tau)


def phi_slope(u, tau):
    return 1.0 - np.tanh(u / tau) ** 2


def answer(case, unit_keys, weights, biases, z):
    """y_c = sum over T of s_j phi(W_jc.x + b_jc) / S, for each row of z: (chosen, y)."""
    x = normalise(z)
    chosen, s = nearest(unit_keys, x, case.k)
    y = np.empty((len(z), weights.shape[1]))
    for b in range(len(z)):
        j = chosen[b]
        u = (weights[j].astype(np.float64) @ x[b] + biases[j]) * case.learning_rate  # [k][classes]
        y[b] = s[b] @ phi(u, case.tau) / np.sum(s[b])
    return chosen, y


def teach(case, unit_keys, weights, biases, z, labels, near_zero, taught):
    """One batch: p <- p - lr*sign(dL/dp), L = -mean of y_true. Changes weights and biases.

    dL/dW_jc = -(1/B) sum over the examples b of class c that chose j of (s_bj/S_b) phi' x_b, and
    the same without x_b for the bias. Marks what was taught, and where the sum is near zero.
    """
    x = normalise(z)
    chosen, s = nearest(unit_keys, x, case.k)
    sums = {}  # (classifier, class) -> [sum for the weights, sum for the bias]
    for b, c in enumerate(labels):
        for j, share in zip(chosen[b], s[b] / np.sum(s[b])):
            u = (np.dot(weights[j, c].astype(np.float64), x[b]) + biases[j, c]) * case.learning_rate
            pull = share * phi_slope(u, case.tau)
            both = sums.setdefault((j, c), [np.zeros(x.shape[1]), 0.0])
            both[0] += pull * x[b]
            both[1] += pull
    for (j, c), (for_weights, for_bias) in sums.items():  # all from the state before the batch
        weights[j, c] += np.sign(for_weights).astype(np.int32)
        biases[j, c] += np.int32(np.sign(for_bias))
        near_zero[0][j, c] |= np.abs(for_weights) <= NEAR_ZERO
        near_zero[1][j, c] |= abs(for_bias) <= NEAR_ZERO
        taught[j, c] = True
    return chosen


def run(case):
    """Teaches every batch, answers every query: (Result, near zero weights, near zero biases, taught)."""
    weights, biases = case.weights.copy(), case.biases.copy()
    unit_keys = normalise(case.keys)
    near_zero = (np.zeros(weights.shape, bool), np.zeros(biases.shape, bool))
    taught = np.zeros(biases.shape, bool)
    chosen = [teach(case, unit_keys, weights, biases, z, labels, near_zero, taught) for z, labels in case.batches]
    query_chosen, answers = answer(case, unit_keys, weights, biases, case.queries)
    return Result(chosen, weights, biases, query_chosen, answers), near_zero[0], near_zero[1], taught


# --- files ---------------------------------------------------------------------------------------


def write_case(path, case):
    n, classes, d = case.weights.shape
    with open(path, "wb") as out:
        out.write(b"JDSEEDC1")
        out.write(struct.pack("<6I", n, case.k, d, classes, len(case.batches), len(case.queries)))
        out.write(struct.pack("<2d", case.learning_rate, case.tau))
        out.write(case.keys.astype("<f8").tobytes())
        out.write(case.weights.astype("<i4").tobytes())
        out.write(case.biases.astype("<i4").tobytes())
        for z, labels in case.batches:
            out.write(struct.pack("<I", len(z)))
            out.write(z.astype("<f8").tobytes())
            out.write(labels.astype("<u4").tobytes())
        out.write(case.queries.astype("<f8").tobytes())


def read_result(path, case):
    data = path.read_bytes()
    if data[:8] != b"JDSEEDR1":
        raise ValueError(f"{path}: does not begin with JDSEEDR1")
    at = 8

    def take(dtype, *shape):
        nonlocal at
        count = int(np.prod(shape))
        values = np.frombuffer(data, dtype, count, at).reshape(shape)
        at += values.nbytes
        return values

    n, classes, d = case.weights.shape
    chosen = [take("<u4", len(z), case.k) for z, _ in case.batches]
    weights, biases = take("<i4", n, classes, d), take("<i4", n, classes)
    queries = len(case.queries)
    result = Result(chosen, weights, biases, take("<u4", queries, case.k), take("<f8", queries, classes))
    if at != len(data):
        raise ValueError(f"{path}: {len(data)} bytes, expected {at}")
    return result


# --- random streams ------------------------------------------------------------------------------


def random_case(rng, n, k, d, classes, sizes, queries=20):
    """Classes are Gaussian clusters about means of their own, so that examples share classifiers."""
    means = rng.normal(size=(classes, d))

    def draw(count):
        labels = rng.integers(classes, size=count).astype(np.uint32)
        return means[labels] + rng.normal(size=(count, d)), labels

    lr = 1e-4
    initial = np.clip(rng.normal(size=(n, classes, d)), -2, 2) / np.sqrt(n * d) / lr  # as the authors' code
    return Case(
        k, lr, 250.0, rng.normal(size=(n, d)), np.rint(initial).astype(np.int32), np.zeros((n, classes), np.int32),
        [draw(size) for size in sizes], draw(queries)[0])


def tie_case(rng, n, k, d, classes, sizes, queries=20):
    """Keys and examples of +-1 in d = 16: every cosine is a multiple of 1/8, exact in any order.

    Most choices are then ties. Every fourth key repeats an earlier one, doubled in length.
    """
    assert d == 16
    case = random_case(rng, n, k, d, classes, sizes, queries)
    case.keys = rng.choice([-1.0, 1.0], size=(n, d))
    case.keys[3::4] = 2.0 * case.keys[0::4]
    case.batches = [(np.where(z >= 0, 1.0, -1.0), labels) for z, labels in case.batches]
    case.queries = np.where(case.queries >= 0, 1.0, -1.0)
    return case


def strong_case(rng, n, k, d, classes, sizes, queries=20):
    """Initial weights so large that tanh bends (u about tau): phi' is far from 1 and differs."""
    case = random_case(rng, n, k, d, classes, sizes, queries)
    case.weights = rng.integers(-4_000_000, 4_000_000, size=case.weights.shape).astype(np.int32)
    return case


def all_chosen_case(rng):
    """k = n: every key lies in the half of the space where the examples are, so that S > 0."""
    case = random_case(rng, 16, 16, 12, 3, [7] * 20)
    case.keys = np.abs(case.keys)
    case.batches = [(np.abs(z), labels) for z, labels in case.batches]
    case.queries = np.abs(case.queries)
    return case


def negative_case(rng):
    """k near n: some of the chosen lie on the far side (s < 0), while their sum S stays above 0.

    There a share is negative, and the rule moves the row, and its bias, away from the example.
    """
    while True:  # most draws are as they should be
        case = random_case(rng, 16, 14, 12, 3, [1, 7, 1, 3] * 10)
        case.keys += 0.5  # both lean to one side
        case.batches = [(np.abs(z), labels) for z, labels in case.batches]
        case.queries = np.abs(case.queries)
        examples = np.concatenate([z for z, _ in case.batches] + [case.queries])
        s = nearest(normalise(case.keys), normalise(examples), case.k)[1]
        if np.any(s < 0) and np.all(s.sum(axis=1) > 0.01):
            return case


CASES = {
    "single": lambda rng: random_case(rng, 64, 8, 20, 5, [1] * 200),
    "batch-7": lambda rng: random_case(rng, 64, 8, 20, 5, [7] * 100),
    "uneven": lambda rng: random_case(rng, 64, 8, 33, 5, [1, 13, 2, 60, 5, 31, 1, 7] * 4),
    "all-chosen": all_chosen_case,
    "negative": negative_case,
    "ties": lambda rng: tie_case(rng, 64, 8, 16, 5, [7] * 100, 100),
    "bent": lambda rng: strong_case(rng, 64, 8, 20, 5, [7] * 50),
    "paper": lambda rng: random_case(rng, 1024, 32, 512, 10, [60] * 6, 60),
}


# --- comparison ----------------------------------------------------------------------------------


def compare(name, case, theirs):
    """Prints one line; returns whether the program agrees with NumPy."""
    ours, near_weights, near_biases, taught = run(case)
    sets = sum(len(z) for z, _ in case.batches) + len(case.queries)
    wrong_sets = sum(int(np.any(a != b, axis=1).sum()) for a, b in zip(ours.chosen, theirs.chosen))
    wrong_sets += int(np.any(ours.query_chosen != theirs.query_chosen, axis=1).sum())

    off_weights, off_biases = ours.weights != theirs.weights, ours.biases != theirs.biases
    excused = int((off_weights & near_weights).sum() + (off_biases & near_biases).sum())
    wrong = int((off_weights & ~near_weights).sum() + (off_biases & ~near_biases).sum())
    values = int(taught.sum()) * (case.weights.shape[2] + 1)
    near = int(near_weights.sum() + near_biases.sum())

    # A differing sign moves an answer by up to a step or two: only then is there more to allow.
    largest = max(1e-12, float(np.abs(ours.answers).max()))
    gap = float(np.abs(ours.answers - theirs.answers).max()) / largest
    answers_agree = gap <= ANSWER_TOLERANCE or excused > 0

    good = wrong_sets == 0 and wrong == 0 and excused <= MOST_DIFFERENT * values and answers_agree
    print(f"{name:11} top-k: {wrong_sets} of {sets} differ; taught weights and biases: {wrong} of {values} wrong, "
          f"{excused} differ where the gradient is near zero ({near} such places); answers within {gap:.1e}: "
          f"{'ok' if good else 'FAILED'}", flush=True)
    return good


def self_check(seed):
    """The written-out gradient against finite differences of the loss, on a strongly bent case."""
    rng = np.random.default_rng(seed)
    case = strong_case(rng, 12, 4, 6, 3, [5], 2)
    z, labels = case.batches[0]
    unit_keys = normalise(case.keys)

    def loss(weights, biases):
        return -np.mean(answer(case, unit_keys, weights, biases, z)[1][np.arange(len(z)), labels])

    before = case.weights.astype(np.float64), case.biases.astype(np.float64)
    after = run(dataclasses.replace(case, batches=[(z, labels)]))[0]
    compared = 0
    for parameter, stepped, start in ((0, after.weights, case.weights), (1, after.biases, case.biases)):
        for index in np.ndindex(start.shape):
            slopes = []
            for direction in (100.0, -100.0):  # steps of 1e-4
                moved = [before[0].copy(), before[1].copy()]
                moved[parameter][index] += direction
                slopes.append(loss(*moved))
            slope = slopes[0] - slopes[1]
            if abs(slope) > 1e-9 or slope == 0.0:
                compared += 1
                if np.sign(slope) != -(int(stepped[index]) - int(start[index])):
                    print(f"self-check FAILED at {index}: slope {slope}, step {stepped[index] - start[index]}")
                    return False
    print(f"self-check: {compared} steps have the sign of the loss's finite difference: ok")
    return compared > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="*")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", choices=sorted(CASES), action="append")
    parser.add_argument("--self-check", action="store_true")
    arguments = parser.parse_args()
    if not arguments.program and not arguments.self_check:
        parser.error("give the program to compare with, or --self-check")

    print(f"seed {arguments.seed}, NumPy {np.__version__}")
    good = self_check(arguments.seed) if arguments.self_check else True
    for name in (arguments.case or CASES) if arguments.program else ():
        case = CASES[name](np.random.default_rng([arguments.seed, *name.encode()]))
        with tempfile.TemporaryDirectory() as folder:
            case_path, result_path = pathlib.Path(folder, "case"), pathlib.Path(folder, "result")
            write_case(case_path, case)
            done = subprocess.run([*arguments.program, str(case_path), str(result_path)], check=False)
            if done.returncode != 0:
                print(f"{name}: {arguments.program[0]} ended with code {done.returncode}: FAILED")
                good = False
                continue
            good = compare(name, case, read_result(result_path, case)) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
