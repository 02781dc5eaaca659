#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""A whole run of profile seed in JAX on the CPU: what `jackdaw replay` is measured against.

    VENV/bin/python run_jax.py [--batches 1000] [--batch-size 48] [--every 10] [--test 10000]

n = 1024, k = 32, d = 512, 10 classes, jitted, random embeddings of these sizes (the time does not depend on
what they are). The step is seed_jax.py's faster form, the test split is answered in pieces of --piece
pictures, and accuracy by class is computed, too. One line of JSON: seconds of the loop, compiling left out.
"""
import argparse
import json
import sys
import time

import seed_jax


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", type=int, default=1000)
    parser.add_argument("--batch-size", type=int, default=48)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--test", type=int, default=10000)
    parser.add_argument("--piece", type=int, default=1000)
    parser.add_argument("--form", choices=("gather", "dense"), default="gather")
    options = parser.parse_args()

    import jax
    import jax.numpy as jnp
    import numpy as np

    size, classes = seed_jax.D, seed_jax.CLASSES
    rng = np.random.default_rng(0)
    seed_jax.BATCH = options.batch_size
    update, _ = seed_jax.make_forms()[options.form]
    seed_jax.BATCH = options.piece
    _, predict = seed_jax.make_forms()[options.form]
    keys = rng.normal(size=(seed_jax.N, size))
    keys = jax.device_put((keys / np.linalg.norm(keys, axis=1, keepdims=True)).T.astype(np.float32))
    train = rng.normal(size=(20000, size)).astype(np.float32)
    labels = rng.integers(classes, size=len(train)).astype(np.int32)
    test = jax.device_put(rng.normal(size=(options.test, size)).astype(np.float32))
    test_labels = rng.integers(classes, size=options.test)

    def start():
        return jax.device_put(((rng.normal(size=(seed_jax.N, classes, size)) / 700).astype(np.float32),
                               np.zeros((seed_jax.N, classes), np.float32)))

    def teach(state):
        seed_jax.BATCH = options.batch_size  # the forms read it when they are compiled
        picked = rng.integers(len(train), size=options.batch_size)
        return update(*state, keys, train[picked], labels[picked])

    @jax.jit
    def best(weights, biases, z):
        return jnp.argmax(predict(weights, biases, keys, z)[1], axis=1)

    def evaluate(state):
        seed_jax.BATCH = options.piece
        answers = np.concatenate([np.asarray(best(*state, test[at:at + options.piece]))
                                  for at in range(0, options.test, options.piece)])
        return [float(np.mean(answers[test_labels == c] == c)) for c in range(classes)]

    state = teach(start())
    evaluate(state)
    begin = time.perf_counter()
    evaluations = 0
    for batch in range(1, options.batches + 1):
        state = teach(state)
        if batch % options.every == 0:
            evaluate(state)
            evaluations += 1
    jax.block_until_ready(state)
    print(json.dumps({"seconds": time.perf_counter() - begin, "batches": options.batches, "evaluations": evaluations,
                      "form": options.form, "jax_version": jax.__version__}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
