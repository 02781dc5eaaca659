#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Profile seed's step in JAX on the CPU: what `jackdaw bench` is measured against.

    peer.sh VENV_FOLDER [--rounds 5] [--repetitions 25] [--threads 1]     installs JAX, then runs this

n = 1024 classifiers, k = 32, d = 512, 10 classes, batches of 60, float32, jitted, weights donated (they
are changed in place). Two forms, each written as fast as we could make it on x86 (variants that were
slower are named where they would have stood):

  gather   takes the rows of the chosen classifiers, computes gradients for those, adds them back
  dense    multiplies with all classifiers and keeps the chosen ones

First both are checked against tests/runtime/seed_reference/seed_numpy.py. Then, interleaved, each is
timed; a time is the least of the rounds' medians, so that a busy machine flatters nobody. One line of
JSON for each form: form, update_ms, predict_ms (a whole batch of 60), jax_version, threads.
"""

import argparse
import functools
import json
import os
import pathlib
import statistics
import sys
import time

N, K, D, CLASSES, BATCH = 1024, 32, 512, 10, 60
LEARNING_RATE, TAU = 1e-4, 250.0


def use_threads(count):
    """XLA sizes its pool by the CPUs the process may use, so this must come before JAX is loaded."""
    allowed = sorted(os.sched_getaffinity(0))
    if count:
        os.sched_setaffinity(0, allowed[:count])
    return len(os.sched_getaffinity(0))


def make_forms():
    import jax
    import jax.numpy as jnp

    def nearest(keys, z):
        """keys: unit length, [d][n], which multiplies faster than [n][d]. top_k: the lower index wins a tie."""
        x = z * jax.lax.rsqrt(jnp.maximum(jnp.sum(z * z, axis=1, keepdims=True), 1e-12))
        s, chosen = jax.lax.top_k(x @ keys, K)
        return x, chosen, s / jnp.sum(s, axis=1, keepdims=True)

    def slope(u):
        return 1.0 - jnp.tanh(u / TAU) ** 2

    def mean_answer(share, u):
        return jnp.einsum("bk,bkc->bc", share, TAU * jnp.tanh(u / TAU))

    def gather_update(weights, biases, keys, z, labels):
        x, chosen, share = nearest(keys, z)
        rows = chosen * CLASSES + labels[:, None]  # of the flat [n * classes][d]
        weights, biases = weights.reshape(-1, D), biases.reshape(-1)
        u = jnp.sum(weights[rows] * x[:, None, :], axis=-1) + biases[rows]
        pull = (share * slope(u) / BATCH).reshape(-1)
        # Examples that share a row must be summed before the sign: the first of them stands for all.
        # One small product was faster than segment_sum, sorted or not, and than a scatter of rows.
        rows = rows.reshape(-1)
        place = jnp.arange(rows.size, dtype=jnp.int32)
        first = jnp.full(N * CLASSES, rows.size, jnp.int32).at[rows].min(place)[rows]
        pulls = jnp.zeros((rows.size, BATCH), jnp.float32).at[first, place // K].add(pull)
        target = jnp.where(first == place, rows, N * CLASSES)  # the others fall out of range
        weights = weights.at[target].add(LEARNING_RATE * jnp.sign(pulls @ x), mode="drop")
        biases = biases.at[target].add(LEARNING_RATE * jnp.sign(jnp.sum(pulls, axis=1)), mode="drop")
        return weights.reshape(N, CLASSES, D), biases.reshape(N, CLASSES)

    def gather_predict(weights, biases, keys, z):
        x, chosen, share = nearest(keys, z)
        # One example at a time: all at once would copy 39 MB of rows (6 times slower).
        read = lambda one: (weights[one[1]].reshape(-1, D) @ one[0]).reshape(K, CLASSES)
        return chosen, mean_answer(share, jax.lax.map(read, (x, chosen)) + biases[chosen])

    def dense_update(weights, biases, keys, z, labels):
        x, chosen, share = nearest(keys, z)
        shares = jnp.zeros((BATCH, N), jnp.float32).at[jnp.arange(BATCH)[:, None], chosen].set(share)
        u = (x @ weights.reshape(-1, D).T).reshape(BATCH, N, CLASSES) + biases
        u = jnp.take_along_axis(u, labels[:, None, None], axis=2)[:, :, 0]
        # The gradient written out: jax.grad of the loss was half as fast.
        pull = shares * slope(u) / BATCH
        pulls = (pull[:, :, None] * jax.nn.one_hot(labels, CLASSES)[:, None, :]).reshape(BATCH, -1)
        weights = weights + LEARNING_RATE * jnp.sign(pulls.T @ x).reshape(N, CLASSES, D)
        return weights, biases + LEARNING_RATE * jnp.sign(jnp.sum(pulls, axis=0)).reshape(N, CLASSES)

    def dense_predict(weights, biases, keys, z):
        x, chosen, share = nearest(keys, z)
        u = (x @ weights.reshape(-1, D).T).reshape(BATCH, N, CLASSES)
        u = jnp.take_along_axis(u, chosen[:, :, None], axis=1) + biases[chosen]  # tanh of these only
        return chosen, mean_answer(share, u)

    donate = functools.partial(jax.jit, donate_argnums=(0, 1))
    return {
        "gather": (donate(gather_update), jax.jit(gather_predict)),
        "dense": (donate(dense_update), jax.jit(dense_predict)),
    }


def check(name, update, predict, case, reference):
    """Teaches the case's stream and compares with NumPy's double: returns whether the rule holds."""
    import jax.numpy as jnp
    import numpy as np

    import seed_numpy

    keys = jnp.asarray(seed_numpy.normalise(case.keys).T.astype(np.float32))
    weights = jnp.asarray(case.weights * LEARNING_RATE, dtype=jnp.float32)
    biases = jnp.asarray(case.biases * LEARNING_RATE, dtype=jnp.float32)
    for z, labels in case.batches:
        weights, biases = update(weights, biases, keys, z.astype(np.float32), labels.astype(np.int32))
    chosen, answers = predict(weights, biases, keys, case.queries.astype(np.float32))

    result, near_weights, near_biases, taught = reference
    off_weights = np.rint(np.asarray(weights) / LEARNING_RATE).astype(np.int32) != result.weights
    off_biases = np.rint(np.asarray(biases) / LEARNING_RATE).astype(np.int32) != result.biases
    off = int(off_weights.sum() + off_biases.sum())
    unexcused = int((off_weights & ~near_weights).sum() + (off_biases & ~near_biases).sum())
    wrong_sets = int(np.any(np.sort(chosen, axis=1) != result.query_chosen, axis=1).sum())
    values = int(taught.sum()) * (D + 1)
    gap = float(np.abs(answers - result.answers).max() / np.abs(result.answers).max())
    good = wrong_sets == 0 and unexcused == 0 and off <= 1e-4 * values and gap < 1e-4
    print(f"{name}: top-k of {wrong_sets} of {len(case.queries)} queries differ from NumPy; weights and biases: "
          f"{off} of {values} differ, {unexcused} of them where the gradient is not near zero; answers within "
          f"{gap:.1e}: {'ok' if good else 'FAILED'}", file=sys.stderr)
    return good


def measure(forms, rounds, repetitions):
    """Milliseconds by (form, "update" or "predict"): the least of the rounds' medians."""
    import jax
    import numpy as np

    rng = np.random.default_rng(0)
    keys = rng.normal(size=(N, D))
    keys = jax.device_put((keys / np.linalg.norm(keys, axis=1, keepdims=True)).T.astype(np.float32))
    # Several batches in turn: one alone would find its rows in the cache.
    batches = [jax.device_put((rng.normal(size=(BATCH, D)).astype(np.float32),
                               rng.integers(CLASSES, size=BATCH).astype(np.int32))) for _ in range(8)]
    initial = (rng.normal(size=(N, CLASSES, D)) / np.sqrt(N * D)).astype(np.float32)
    state = {name: jax.device_put((initial, np.zeros((N, CLASSES), np.float32))) for name in forms}

    def step(name, i):
        z, labels = batches[i % len(batches)]
        update, predict = forms[name]
        start = time.perf_counter()
        state[name] = jax.block_until_ready(update(*state[name], keys, z, labels))
        middle = time.perf_counter()
        jax.block_until_ready(predict(*state[name], keys, z))
        return (middle - start) * 1e3, (time.perf_counter() - middle) * 1e3

    for name in forms:  # compile and warm up
        for i in range(3):
            step(name, i)
    medians = {}
    for _ in range(rounds):
        times = {}
        for i in range(repetitions):
            for name in forms:
                for what, ms in zip(("update", "predict"), step(name, i)):
                    times.setdefault((name, what), []).append(ms)
        for key, values in times.items():
            medians.setdefault(key, []).append(statistics.median(values))
    return {key: min(values) for key, values in medians.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=25)
    parser.add_argument("--threads", type=int, default=0, help="CPUs to use; 0 means all that are allowed")
    parser.add_argument("--form", choices=("gather", "dense"), action="append")
    arguments = parser.parse_args()
    threads = use_threads(arguments.threads)

    sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "runtime" / "seed_reference"))
    import jax
    import numpy as np

    import seed_numpy

    forms = {name: form for name, form in make_forms().items() if name in (arguments.form or ("gather", "dense"))}
    case = seed_numpy.random_case(np.random.default_rng(0), N, K, D, CLASSES, [BATCH] * 4, BATCH)
    reference = seed_numpy.run(case)
    if not all([check(name, *form, case, reference) for name, form in forms.items()]):
        return 1

    best = measure(forms, arguments.rounds, arguments.repetitions)
    for name in forms:
        print(json.dumps({
            "form": name, "update_ms": round(best[name, "update"], 3), "predict_ms": round(best[name, "predict"], 3),
            "jax_version": jax.__version__, "threads": threads}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
