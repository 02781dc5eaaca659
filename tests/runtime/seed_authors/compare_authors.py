#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Profile seed beside the code that the paper's authors published, on the same stream.

    compare_authors.py NOTEBOOK --data DIR --embeddings FILE --program seed_run_stream

NOTEBOOK is continual_learning/encoders_and_ensembles.ipynb of github.com/google-deepmind/deepmind-research.
Nothing of it is in this repository: its functions are taken from its cells when this runs, by their
names, and only its data loaders and its encoder are replaced. DIR holds train/CLASS/* and
test/CLASS/* (MNIST; CLASS is the digit), FILE is the embedding cache that `jackdaw replay` wrote for
them (apps/replay/embedding_cache.hpp). Needs jax, dm-haiku and optax.

Without arguments, as ctest calls it, they come from the environment: JACKDAW_AUTHORS_NOTEBOOK,
JACKDAW_DATA (a folder with mnist/ in it) and JACKDAW_AUTHORS_EMBEDDINGS; JACKDAW_AUTHORS_PYTHON may name
a python that has jax, if the one that runs this has not.

The notebook draws the schedule, batches are drawn as it draws them (shuffled, no picture twice until
all have been shown; the last batch of a pass may be smaller), and three models of its are taught:

    same        with Jackdaw's keys and initial weights. This one must agree.
    unrounded   with the same before rounding: keys were rounded to 1/32 of a deviation and weights to
                whole steps, so what they were before is, as far as the rounded ones tell, uniform
                about them, and is drawn so
    own         with keys and initial weights that the notebook drew: how far two runs differ

Exit code 0 if `same` answers at least --least percent of the test pictures as Jackdaw does and has learned
the same: at most 0.2 % of the test pictures may have other nearest classifiers, and of the weights that
moved and of the biases at most 0.2 % may be a step apart. Predictions alone would not do: without any
biases 99.8 % of them are the same. 1 if not, 2 when called wrongly, 77 when something it needs is not there.
"""

import argparse
import ast
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
USED = ("config", "get_schedule", "initialise_model", "get_test_batches", "train_with_schedule", "model",
        "get_dataset", "get_batch", "apply_encoder")
# Where two keys are equally near but for 1e-7, the notebook's float32 sums may choose the other: of 60,000 examples
# a few, each of which changes two of the 10,240 rows.
MOST_DIFFERENT = 0.002
MEMORY = "ensemble_model/~/memory"  # what the notebook calls the ensemble's parameters


def skip(why):
    print(f"skipped: {why}")
    raise SystemExit(SKIPPED)


MISSING = None
try:
    import haiku as hk
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax  # noqa: F401, the notebook uses it
except ImportError as error:
    MISSING = error


# --- the notebook --------------------------------------------------------------------------------


def load_notebook(path):
    """The notebook's functions, classes and settings, by name, without running what it runs."""
    # JAX dropped two names after the notebook was written.
    for old in ("tree_map", "tree_multimap"):
        if not hasattr(jax, old):
            setattr(jax, old, jax.tree_util.tree_map)
    known = {"jax", "haiku", "optax"}
    names = {}
    for cell in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        lines = "".join(cell["source"]).splitlines()
        tree = ast.parse("\n".join("" if line.lstrip().startswith(("!", "%")) else line for line in lines))
        for node in tree.body:
            if isinstance(node, ast.Import):
                wanted = all(alias.name.split(".")[0] in known for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                wanted = (node.module or "").split(".")[0] in known
            elif isinstance(node, ast.Assign):
                wanted = any(isinstance(target, ast.Name) and target.id in USED for target in node.targets)
            else:
                wanted = isinstance(node, (ast.FunctionDef, ast.ClassDef))
            if wanted:
                exec(compile(ast.Module([node], []), str(path), "exec"), names)  # noqa: S102
    missing = [name for name in USED if name not in names]
    if missing:
        raise SystemExit(f"{path}: has no {', '.join(missing)}; is it encoders_and_ensembles.ipynb?")
    return names


class Authors:
    """The notebook's model on embeddings instead of pictures."""

    def __init__(self, path, data, schedule, seed):
        self.names, self.data, self.seed = load_notebook(path), data, seed
        self.config = self.names["config"]
        self.config["schedule_type"] = schedule
        self.config["enc_size"] = data.train.shape[1]
        self.names["get_dataset"] = self._get_dataset
        self.names["get_batch"] = lambda dataset, _: next(dataset)
        self.names["apply_encoder"] = lambda parameters, rng, embeddings: embeddings
        self.apply = jax.jit(hk.transform(self.names["model"]).apply)
        self.batches, self.at = [], 0

    def _get_dataset(self, _, split, batch_size, filter_labels=None):
        if split == "train" and filter_labels is not None:
            return self._stream(filter_labels)
        pictures, labels = (self.data.train, self.data.train_labels) if split == "train" else (
            self.data.test, self.data.test_labels)
        of = np.flatnonzero(np.isin(labels, filter_labels)) if filter_labels is not None else np.arange(len(labels))
        of = of[:batch_size]
        return iter([self._batch(pictures[of], labels[of])])

    def _stream(self, filter_labels):
        while True:
            batch = self.batches[self.at]
            self.at += 1
            labels = self.data.train_labels[batch]
            assert np.isin(labels, filter_labels).all(), "the notebook asked for other classes than its schedule"
            yield self._batch(self.data.train[batch], labels)

    def _batch(self, embeddings, labels):
        one_hots = np.eye(self.config["num_classes"], dtype=np.float32)[labels]
        return jnp.asarray(embeddings), jnp.asarray(one_hots), jnp.asarray(labels)

    def schedule(self, most_batches):
        schedule, self.test_labels = self.names["get_schedule"](self.config["schedule_type"],
                                                                jax.random.PRNGKey(self.seed))
        cut, left = [], most_batches
        for episode in schedule:
            cut.append({**episode, "n_batches": min(left, episode["n_batches"])})
            left -= cut[-1]["n_batches"]
            if left == 0:
                break
        return cut

    def start(self):
        return self.names["initialise_model"](jax.random.PRNGKey(self.seed + 1), None)

    def run(self, parameters, schedule, batches):
        """(parameters, accuracy as the notebook measures it) after the stream."""
        self.batches, self.at = batches, 0
        self.config["log_every"] = len(batches)  # once, after the last
        tests = self.names["get_test_batches"](self.test_labels)
        parameters, accuracies = self.names["train_with_schedule"](
            parameters, None, jax.random.PRNGKey(self.seed + 2), schedule, self.test_labels, tests, 0)
        assert self.at == len(batches)
        return parameters, 100.0 * float(np.mean([a[-1] for a in accuracies["accuracies_ensemble"]]))

    def answer(self, parameters, embeddings):
        """(answers [pictures][classes], chosen [pictures][k] ascending)"""
        out = [self.apply(parameters, None, embeddings[i:i + 500]) for i in range(0, len(embeddings), 500)]
        return (np.concatenate([np.asarray(o["mean_value"]) for o in out]),
                np.sort(np.concatenate([np.asarray(o["idx"]) for o in out]), axis=1))


# --- data ----------------------------------------------------------------------------------------


class Data:
    def __init__(self, folder, cache):
        self.encoder, found = read_cache(cache)
        self.train, self.train_labels = self._split(folder / "train", found)
        self.test, self.test_labels = self._split(folder / "test", found)

    @staticmethod
    def _split(folder, found):
        files = sorted(p for p in folder.glob("*/*") if p.is_file())
        if not files:
            skip(f"{folder}: holds no CLASS/PICTURE")
        rows = []
        for path in files:
            embedding = found.get(hashlib.sha256(path.read_bytes()).digest())
            if embedding is None:
                skip(f"{path} is not in the embedding cache; run jackdaw replay on this data first")
            rows.append(embedding)
        return np.stack(rows), np.array([int(p.parent.name) for p in files])


def read_cache(path):
    """The encoder's hash, and SHA-256 of a picture's file -> embedding (apps/replay/embedding_cache.hpp)."""
    content = path.read_bytes()
    if content[:8] != b"JDEMBED1":
        raise SystemExit(f"{path}: not an embedding cache (it should begin with JDEMBED1)")
    d = struct.unpack("<I", content[8:12])[0]
    record = np.dtype([("digest", "V32"), ("embedding", "<f4", d), ("crc", "<u4")])
    records = np.frombuffer(content, record, (len(content) - 80) // record.itemsize, 80)
    rows = zip(records["digest"], records["embedding"])
    return content[16:80].decode("ascii", "replace"), {digest.tobytes(): row for digest, row in rows}


def draw_batches(schedule, labels, size, seed):
    """Pictures of each batch: those of the episode's classes, shuffled, in pieces, and again."""
    rng = np.random.default_rng(seed)
    batches = []
    for episode in schedule:
        of = np.flatnonzero(np.isin(labels, episode["label_set"]))
        queue = []
        for _ in range(episode["n_batches"]):
            if not queue:
                shuffled = rng.permutation(of)
                queue = [shuffled[i:i + size] for i in range(0, len(of), size)]
            batches.append(queue.pop(0))
    return batches


# --- Jackdaw -------------------------------------------------------------------------------------


class Jackdaw:
    """What run_stream.cpp made of the stream."""

    def __init__(self, program, config, data, batches, seed, folder):
        n, k, d, classes = (config[name] for name in ("mem_size", "k", "enc_size", "num_classes"))
        stream, result = folder / "stream", folder / "result"
        queries = len(data.test)
        with open(stream, "wb") as out:
            out.write(b"JDSTREAM")
            out.write(struct.pack("<8I", n, k, d, classes, len(data.train) + queries, len(batches), queries, seed))
            out.write(data.train.astype("<f4").tobytes() + data.test.astype("<f4").tobytes())
            for batch in batches:
                out.write(struct.pack("<I", len(batch)))
                out.write(batch.astype("<u4").tobytes() + data.train_labels[batch].astype("<u4").tobytes())
            out.write((np.arange(queries) + len(data.train)).astype("<u4").tobytes())
        subprocess.run([program, stream, result], check=True)

        content, at = result.read_bytes(), 8

        def take(dtype, *shape):
            nonlocal at
            values = np.frombuffer(content, dtype, int(np.prod(shape)), at).reshape(shape)
            at += values.nbytes
            return values

        assert content[:8] == b"JDANSWER"
        self.keys = take("i1", n, d)
        self.start = take("<i4", classes, n, d).transpose(1, 2, 0)  # as the notebook: [n][d][classes]
        self.weights = take("<i4", classes, n, d).transpose(1, 2, 0)
        self.biases = take("<i4", classes, n).T
        self.chosen = take("<u4", queries, k)
        self.answers = take("<f4", queries, classes)
        assert at == len(content)


# --- the comparison ------------------------------------------------------------------------------


def accuracy(answers, labels):
    """In percent, the mean over the classes."""
    right = answers.argmax(axis=1) == labels
    return 100.0 * float(np.mean([right[labels == c].mean() for c in np.unique(labels)]))


def agreement(ours, theirs):
    """In percent of the pictures, and which are answered differently."""
    differ = np.flatnonzero(ours.argmax(axis=1) != theirs.argmax(axis=1))
    return 100.0 * (1.0 - len(differ) / len(ours)), differ


def with_memory(parameters, keys, weights):
    memory = {**parameters[MEMORY], "mem_keys": jnp.asarray(keys, jnp.float32),
              "mem_weights": jnp.asarray(weights, jnp.float32)}
    return {**parameters, MEMORY: memory}


def print_details(ours, answers, chosen, parameters, start, rate, differ):
    """Where the two stand apart, when they began with the same; whether that is little enough."""
    memory = parameters[MEMORY]
    off = np.rint(np.asarray(memory["mem_weights"], np.float64) / rate) - ours.weights
    off_bias = np.rint(np.asarray(memory["mem_biases"], np.float64)[:, 0] / rate) - ours.biases
    drift = np.abs(np.asarray(memory["mem_weights"], np.float64) / rate - ours.weights - off).max()
    moved = ours.weights != start
    sets = int(np.any(chosen != ours.chosen, axis=1).sum())
    taught = np.isfinite(ours.answers[0])
    gap = float(np.abs(ours.answers - answers)[:, taught].max() / np.abs(answers).max())
    ordered = np.sort(answers, axis=1)
    margin = (ordered[:, -1] - ordered[:, -2]) / np.abs(answers).max()
    print(f"  nearest {chosen.shape[1]}: {sets} of {len(chosen)} test pictures have another set")
    in_rows = int((off != 0).sum(axis=1)[off_bias != 0].sum())  # where another classifier was taught
    print(f"  biases: {int((off_bias != 0).sum())} of {off_bias.size} are a step or more apart, at most "
          f"{int(np.abs(off_bias).max())}; weights: {int((off != 0).sum())} of the {int(moved.sum())} that moved, at "
          f"most {int(np.abs(off).max())}, {in_rows} of them in the rows of those biases")
    print(f"  float32 rounding and weight decay took the notebook's weights at most {drift:.1e} of a step from whole "
          "steps")
    print(f"  largest difference of an answer: {gap:.1e} of the largest answer; median lead of the first class over "
          f"the second: {np.median(margin):.1e}" +
          (f", among the differing pictures at most {margin[differ].max():.1e}" if len(differ) else ""))
    if not taught.all():
        masked = np.where(taught, answers, -np.inf)
        print(f"  {int((~taught).sum())} classes not taught yet, which the notebook may still answer with and Jackdaw "
              f"does not: {agreement(ours.answers, masked)[0]:.2f} % agree without them")
    shares = (sets / len(chosen), np.mean(off_bias != 0), (off != 0).sum() / max(1, moved.sum()))
    return max(shares) <= MOST_DIFFERENT


def compare(options):
    data = Data(options.data, options.embeddings)
    authors = Authors(options.notebook, data, f"{options.schedule}_split" if options.schedule != "gaussian" else
                      "gaussian_schedule", options.seed)
    schedule = authors.schedule(options.batches)
    batches = draw_batches(schedule, data.train_labels, authors.config["batch_size"], options.seed)
    print(f"{options.schedule}, seed {options.seed}: {len(batches)} batches, {sum(map(len, batches))} examples, "
          f"{len(data.test)} test pictures; encoder {data.encoder[:12]}, jax {jax.__version__}, haiku {hk.__version__}", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        ours = Jackdaw(options.program, authors.config, data, batches, options.seed, folder)
    print(f"Jackdaw: accuracy {accuracy(ours.answers, data.test_labels):.2f} "
          f"({time.monotonic() - began:.0f} s)", flush=True)

    rate = authors.config["learning_rate"]
    drawn = authors.start()
    own = np.asarray(drawn[MEMORY]["mem_weights"], np.float64) / rate
    print(f"initial weights, in steps: deviation {ours.start.std():.3f}, largest {np.abs(ours.start).max()}; the "
          f"notebook's own: {own.std():.3f}, {np.abs(own).max():.1f}")
    rng = np.random.default_rng([options.seed, 1])

    def before_rounding(values):
        return values + rng.uniform(-0.5, 0.5, values.shape)

    starts = {
        "same": lambda: with_memory(drawn, ours.keys, ours.start * rate),
        "unrounded": lambda: with_memory(drawn, before_rounding(ours.keys), before_rounding(ours.start) * rate),
        "own": lambda: drawn,
    }
    good = True
    for name in options.starts or starts:
        began = time.monotonic()
        parameters, reported = authors.run(starts[name](), schedule, batches)
        answers, chosen = authors.answer(parameters, data.test)
        percent, differ = agreement(ours.answers, answers)
        print(f"notebook, {name}: accuracy {accuracy(answers, data.test_labels):.2f} (by its own measure "
              f"{reported:.2f}); {percent:.2f} % of the predictions agree, {len(differ)} differ "
              f"({time.monotonic() - began:.0f} s)", flush=True)
        if name == "same":
            learned = print_details(ours, answers, chosen, parameters, ours.start, rate, differ)
            if not learned:
                print(f"FAILED: more than {100 * MOST_DIFFERENT} % of what was chosen or learned differs")
            if percent < options.least:
                print(f"FAILED: less than {options.least} % of the predictions agree")
            good = learned and percent >= options.least
    print("ok" if good else "FAILED")
    return 0 if good else 1


def from_environment(name, why):
    value = os.environ.get(name)
    if not value:
        skip(f"{name} is not set; {why}")
    return pathlib.Path(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebook", nargs="?", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--embeddings", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--program", required=True, help="seed_run_stream, from the build's tests folder")
    parser.add_argument("--schedule", default="5way", choices=("1way", "2way", "5way", "10way", "gaussian"))
    parser.add_argument("--batches", type=int, default=1000, help="stop after so many")
    parser.add_argument("--seed", type=int, default=0, help="of the schedule, batches, keys and initial weights")
    parser.add_argument("--starts", nargs="+", choices=("same", "unrounded", "own"))
    parser.add_argument("--least", type=float, default=99.5, metavar="PERCENT")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                        help="keep the stream and what Jackdaw made of it: keys, weights, answers")
    options = parser.parse_args()
    options.notebook = options.notebook or from_environment(
        "JACKDAW_AUTHORS_NOTEBOOK", "give it the path of the authors' encoders_and_ensembles.ipynb")
    options.data = options.data or from_environment("JACKDAW_DATA", "give it a folder with mnist/") / "mnist"
    options.embeddings = options.embeddings or from_environment(
        "JACKDAW_AUTHORS_EMBEDDINGS", "give it jackdaw replay's embedding cache of MNIST by vae-omniglot")
    if MISSING:
        python = os.environ.pop("JACKDAW_AUTHORS_PYTHON", None)  # not again, if that one has not either
        if python:
            os.execv(python, [python, *sys.argv])
        skip(f"{MISSING}; install jax, dm-haiku and optax, and set JACKDAW_AUTHORS_PYTHON to a python that has them")
    return compare(options)


if __name__ == "__main__":
    sys.exit(main())
