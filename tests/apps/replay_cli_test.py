#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""`jackdaw replay` as a person meets it: results, exit codes, and what errors say.

Usage: replay_cli_test.py JACKDAW MAKE_ENCODER
"""
import gzip
import json
import os
import pathlib
import random
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

from refusals import Refusals

JACKDAW, MAKE_ENCODER = sys.argv[1:3]
SEED = int(os.environ.get("JACKDAW_TEST_SEED", "20240607"))


def write_pictures(root, classes, each, numbers=random.Random(SEED)):
    """Each class has a pattern of its own, each picture noise of its own."""
    for name in classes:
        pattern = [numbers.randrange(40, 216) for _ in range(64)]
        for split in ("train", "test"):
            folder = root / split / name
            folder.mkdir(parents=True)
            for i in range(each):
                pixels = bytes(min(255, max(0, p + numbers.randrange(-30, 31))) for p in pattern)
                (folder / f"{i:03}.pgm").write_bytes(b"P5 8 8 255\n" + pixels)


class Replay(Refusals):
    @classmethod
    def setUpClass(cls):
        print("seed:", SEED)
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name)
        write_pictures(cls.root / "shapes", ["disc", "ring", "square", "star"], 12)
        cls.make_encoder(cls.root / "cache" / "encoders" / "tiny", 16)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def make_encoder(folder, numbers, *calibrated):
        folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([MAKE_ENCODER, folder, str(numbers), *calibrated], check=True, timeout=60)

    def setUp(self):
        self.own = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.own.name)

    def tearDown(self):
        self.own.cleanup()

    def environment(self, cache):
        return {"PATH": "/usr/bin:/bin", "JACKDAW_CACHE": str(cache or self.root / "cache")}

    def replay(self, *arguments, cache=None, limit=None):
        def set_limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        return subprocess.run([JACKDAW, "replay", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              env=self.environment(cache), preexec_fn=set_limit if limit else None)

    def shapes(self, *arguments, data=None, schedule="2way", nearest=8, **others):
        return self.replay("--data", data or self.root / "shapes", "--schedule", schedule, "--encoder", "tiny",
                           "--runs", 2, "--batch-size", 4, "--classifiers", 64, "--nearest", nearest, *arguments, **others)

    def test_every_command_has_help_with_an_example(self):
        for command in ([], ["compare"], ["convert"], ["paper"], ["report"]):
            result = self.replay(*command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Example: jackdaw replay", result.stdout)

    def test_results(self):
        out = self.path / "r.json"
        result = self.shapes("--head", "ensemble,ncm,slda,knn,vanilla,tanh", "--profile", "default,seed", "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("shapes 2way ensemble default", result.stdout)
        self.assertIn("of 1000 batches", result.stdout)  # shortened, and said so
        results = json.loads(out.read_text())
        self.assertEqual(results["schema"], 1)
        heads = [(row["head"], row["profile"]) for row in results["rows"]]
        self.assertEqual(heads, [("ensemble", "default"), ("ensemble", "seed"), ("ncm", ""), ("slda", ""), ("knn", ""),
                                 ("vanilla", ""), ("tanh", "")])
        for row in results["rows"]:
            self.assertEqual(len(row["accuracy"]["runs"]), 2)
            self.assertGreater(row["memory_bytes"], 0)
            self.assertEqual(row["settings"]["ensemble"]["classifiers"], 64)
            if row["head"] in ("ncm", "slda", "knn") or row["profile"] == "default":
                self.assertGreater(row["accuracy"]["mean"], 90)
        self.assertEqual(results["data"][0]["train"], 48)
        self.assertTrue(results["streams"][0]["shortened"])
        self.assertEqual(results["encoders"][0]["name"], "tiny")
        self.assertEqual([p.name for p in self.path.iterdir()], ["r.json"])

    def test_the_same_seed_gives_the_same_results_for_any_number_of_threads(self):
        def rows(*arguments):
            results = json.loads(self.shapes("--head", "ensemble,knn", "--json", *arguments).stdout)
            for row in results["rows"]:
                del row["seconds"]
            return results["rows"], results["streams"]
        one = rows("--threads", 1)
        self.assertEqual(rows("--threads", 2), one)
        self.assertEqual(rows("--threads", 7), one)
        self.assertNotEqual(rows("--seed", 1), one)

    def test_pictures_are_encoded_once(self):
        cache = self.path / "cache"
        shutil.copytree(self.root / "cache" / "encoders", cache / "encoders")
        first = json.loads(self.shapes("--json", cache=cache).stdout)["encoders"][0]
        again = json.loads(self.shapes("--json", cache=cache).stdout)["encoders"][0]
        self.assertEqual((first["encoded"], again["encoded"]), (96, 0))

    def test_compare(self):
        for name, nearest in (("a", 8), ("b", 4)):
            self.assertEqual(self.shapes("--out", self.path / name, nearest=nearest).returncode, 0)
        result = self.replay("compare", self.path / "a", self.path / "b")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("standard error", result.stdout)
        row = json.loads(self.replay("compare", self.path / "a", self.path / "b", "--json").stdout)["rows"][0]
        self.assertTrue(row["paired"])
        self.assertAlmostEqual(row["accuracy_difference"]["mean"], row["accuracy_b"] - row["accuracy_a"])
        self.fails(1, self.replay("compare", self.path / "a", self.path / "none"), "none")
        (self.path / "bad").write_text("{}")
        self.fails(1, self.replay("compare", self.path / "bad", self.path / "a"), "bad", "schema")
        (self.path / "bad").write_text('{"schema": 1}')
        self.fails(1, self.replay("compare", self.path / "bad", self.path / "a"), "bad", "rows")
        self.assertEqual(self.shapes("--seed", 1, "--out", self.path / "c").returncode, 0)
        self.assertIn("unpaired: another seed", self.replay("compare", self.path / "a", self.path / "c").stdout)

    def test_report(self):
        data, out, page = self.path / "data", self.path / "r.json", self.path / "r.html"
        write_pictures(data, ["<b>", "&amp;", '"quoted"', "plain"], 12)
        result = self.shapes("--head", "ensemble,ncm,vanilla", "--profile", "default,seed", "--out", out,
                             "--report", page, data=data)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(page), result.stdout)
        tree = xml.etree.ElementTree.fromstring(page.read_text())  # throws if it is not well-formed
        texts = [text for element in tree.iter() for text in (element.text,) if text]
        for row in json.loads(out.read_text())["rows"]:
            shown = f"{row['accuracy']['mean']:.1f} ± {row['accuracy']['std']:.1f}"
            self.assertIn(shown, texts)
        self.assertIn("<b>", texts)
        names = {element.tag.split("}")[1] for element in tree.iter()}
        self.assertTrue({"svg", "table", "figcaption", "img"} <= names)
        self.assertFalse({"link", "iframe"} & names)
        # The same page again from the file.
        again = self.path / "again.html"
        result = self.replay("report", out, "--out", again)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(again.read_text(), page.read_text())
        self.fails(1, self.replay("report", self.path / "none.json", "--out", again), "none.json")
        self.fails(2, self.replay("report", out, "--out", out), "given twice")
        self.fails(2, self.replay("report", out, "--out", self.path / "no" / "r.html"), "--out")
        self.fails(2, self.shapes("--report", self.path / "no" / "r.html"), "--report")
        self.fails(1, self.replay("report", out, "--out", self.path / "full.html", limit=4096), "full.html")
        self.assertFalse((self.path / "full.html").exists())

    def test_wrong_calls_exit_with_2(self):
        self.fails(2, self.replay(), "--data")
        self.fails(2, self.replay("--data", "x"), "--schedule")
        self.fails(2, self.shapes(schedule="sometimes"), "there is no schedule", "gaussian")
        self.fails(2, self.shapes("--head", "oracle"), "oracle", "slda")
        self.fails(2, self.shapes(schedule="5way"), "at least 5 classes")
        result = self.shapes(schedule="2way,5way")
        self.fails(2, result, "at least 5 classes")  # before 2way is run
        self.assertNotIn("2way", result.stderr)
        self.fails(2, self.shapes("--batches", 1), "--batches")
        self.fails(2, self.shapes("--dim", 17), "--dim")
        self.fails(2, self.shapes(nearest=65), "nearest")
        self.fails(2, self.shapes("--out", self.path / "no" / "r.json"), "--out")
        (self.path / "file").write_text("")
        self.fails(2, self.shapes("--out", self.path / "file" / "r.json"), "--out", "no folder")
        os.mkfifo(self.path / "pipe")
        self.fails(2, self.shapes("--out", self.path / "pipe"), "pipe", "no ordinary file")
        self.fails(2, self.shapes("--out", self.path / "r", "--report", self.path / "." / "r"), "given twice")
        self.fails(2, self.shapes("--head", "ncm,slda,ncm"), "ncm twice")
        self.fails(2, self.shapes(schedule="2way,2way"), "2way twice")
        self.fails(2, self.shapes("--encoder", "tiny"), "tiny twice")
        self.fails(2, self.shapes("--encoder", "other,third"), "--encoder names 3", "--runs")
        self.fails(2, self.shapes(schedule="file:none.json"), "none.json")
        self.assertIn("2^64", self.shapes("--seed", 2**64).stderr)
        self.fails(2, self.shapes("--batches", 4294967295), "may have")
        for arguments in (["--runs", "0"], ["--profile", "other"], ["--store", "int8"]):
            self.assertEqual(self.shapes(*arguments).returncode, 2)

    def test_an_encoder_that_is_not_there(self):
        result = self.replay("--data", self.root / "shapes", "--schedule", "iid", "--encoder", "nobody")
        self.fails(1, result, "nobody", "jackdaw engine get")

    def test_bad_data(self):
        data = self.path / "data"
        shutil.copytree(self.root / "shapes", data)
        out = self.path / "r.json"
        (data / "train" / "ring" / "005.pgm").rename(data / "train" / "ring" / "005\x1b[31m.pgm")
        (data / "train" / "ring" / "005\x1b[31m.pgm").write_bytes(b"P5 8 8 255\nshort")
        self.fails(1, self.shapes("--out", out, data=data), "1 of 96", "ring/005\\x1b[31m.pgm", "--skip-bad")
        self.assertFalse(out.exists())
        result = self.shapes("--out", out, "--skip-bad", data=data)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ring/005\\x1b[31m.pgm", result.stderr)
        results = json.loads(out.read_text())
        self.assertEqual(results["data"][0]["skipped"], 1)
        self.assertTrue(any("ring/005" in note for note in results["notes"]))
        shutil.rmtree(data / "train" / "ring")
        (data / "train" / "ring").mkdir()
        self.fails(1, self.shapes(data=data), "\"ring\" is empty")
        shutil.rmtree(data / "train" / "ring")
        self.fails(1, self.shapes(data=data), "ring")
        self.fails(1, self.shapes(data=self.path / "none"), "none")

    def test_one_picture_a_class(self):
        data = self.path / "one"
        write_pictures(data, ["a", "b"], 1)
        result = self.shapes("--head", "ensemble,ncm,slda,knn", data=data)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_list_of_pictures(self):
        lines = ["split,class,path"]
        for picture in sorted((self.root / "shapes").rglob("*.pgm")):
            split, label, _ = picture.relative_to(self.root / "shapes").parts
            lines.append(f"{split},{label},{picture}")
        (self.path / "list.csv").write_text("\n".join(lines) + "\n")
        from_list = json.loads(self.shapes("--json", data=self.path / "list.csv").stdout)
        from_folders = json.loads(self.shapes("--json").stdout)
        self.assertEqual(from_list["rows"][0]["accuracy"], from_folders["rows"][0]["accuracy"])

    def test_a_schedule_of_ones_own(self):
        file = self.path / "day.json"
        file.write_text(json.dumps({"jackdaw_schedule": 1, "batch_size": 2, "parts": [
            {"classes": ["disc", "star"], "batches": 6}, {"classes": ["ring"], "batches": 3, "order": "recorded"},
            {"classes": ["square"], "batches": 3}]}))
        results = json.loads(self.shapes("--json", schedule=f"file:{file}").stdout)
        self.assertEqual(results["streams"][0]["batches"], 12)
        self.assertEqual(len(results["streams"][0]["tasks"]), 3)
        file.write_text(json.dumps({"jackdaw_schedule": 1, "parts": [{"classes": ["dog"], "batches": 6}]}))
        self.fails(2, self.shapes(schedule=f"file:{file}"), "\"dog\"", "day.json")
        # Before anything is encoded.
        cache = self.path / "cache"
        shutil.copytree(self.root / "cache" / "encoders", cache / "encoders")
        self.fails(2, self.shapes(schedule=f"file:{file}", cache=cache), "\"dog\"")
        self.assertFalse((cache / "embeddings").exists())

    def test_a_full_disk_under_the_cache(self):
        cache = self.path / "cache"
        shutil.copytree(self.root / "cache" / "encoders", cache / "encoders")
        out = self.path / "r.json"
        self.fails(1, self.shapes("--out", out, cache=cache, limit=4000), "embeddings", "JACKDAW_CACHE")
        self.assertFalse(out.exists())
        encoded = json.loads(self.shapes("--json", cache=cache).stdout)["encoders"][0]["encoded"]
        self.assertTrue(0 < encoded < 96, encoded)  # what fitted was kept

    def test_a_full_disk_under_the_results(self):
        self.shapes()  # so that the cache has all
        result = self.shapes("--out", self.path / "r.json", limit=4000)
        self.assertIn("ensemble default", result.stdout)  # what took hours is on the screen
        self.assertNotIn("written to", result.stdout)
        result.stdout = ""
        self.fails(1, result, "r.json")
        self.assertEqual(list(self.path.iterdir()), [])

    def test_nobody_reads_what_is_printed(self):
        self.shapes()  # so that the cache has all
        command = [JACKDAW, "replay", "--data", self.root / "shapes", "--schedule", "2way", "--encoder", "tiny", "--runs", "2",
                   "--batch-size", "4", "--head", "ncm", "--json"]
        reader, writer = os.pipe()
        os.close(reader)
        subprocess.run([*command, "--out", self.path / "r.json"], stdout=writer, stderr=subprocess.DEVNULL, timeout=120,
                       env=self.environment(None))
        os.close(writer)
        self.assertEqual(json.loads((self.path / "r.json").read_text())["schema"], 1)
        with open("/dev/full", "wb") as full:
            result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
                                    env=self.environment(None))
        self.assertEqual(result.returncode, 1)
        self.assertIn("not all that was printed could be written", result.stderr)

    def test_the_command_that_is_kept_can_be_given_to_a_shell(self):
        odd = self.path / "it's #1.json"
        self.assertEqual(self.shapes("--out", odd).returncode, 0)
        self.assertEqual(shlex.split(json.loads(odd.read_text())["command"])[-1], str(odd))

    def test_killed_while_encoding_it_goes_on(self):
        cache, data = self.path / "cache", self.path / "data"
        shutil.copytree(self.root / "cache" / "encoders", cache / "encoders")
        write_pictures(data, ["a", "b"], 1500)
        command = [JACKDAW, "replay", "--data", data, "--schedule", "iid", "--encoder", "tiny", "--runs", "1",
                   "--batches", "4", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.environment(cache))
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            files = list((cache / "embeddings").glob("*"))
            if files and files[0].stat().st_size > 10000:
                break
            time.sleep(0.002)
        process.kill()
        process.wait()
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=self.environment(cache))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(json.loads(result.stdout)["encoders"][0]["encoded"], 6000)

    def test_convert(self):
        mnist = self.path / "mnist-files"
        mnist.mkdir()
        for prefix, count in (("train", 20), ("t10k", 10)):
            with gzip.open(mnist / f"{prefix}-images-idx3-ubyte.gz", "wb") as file:
                file.write(struct.pack(">4I", 0x803, count, 28, 28) + bytes(784 * count))
            with gzip.open(mnist / f"{prefix}-labels-idx1-ubyte.gz", "wb") as file:
                file.write(struct.pack(">2I", 0x801, count) + bytes(i % 10 for i in range(count)))
        result = self.replay("convert", mnist, "--out", self.path / "mnist")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("10 classes, 20 pictures", result.stdout)
        self.assertEqual(len(list((self.path / "mnist" / "train" / "3").iterdir())), 2)
        self.fails(1, self.replay("convert", mnist, "--out", self.path / "mnist"), "already")
        self.fails(1, self.replay("convert", self.path / "none.tar.gz", "--out", self.path / "x"), "none.tar.gz")
        self.fails(2, self.replay("convert", mnist), "--out")

    def test_paper(self):
        cache, data, out = self.path / "cache", self.path / "data", self.path / "p.json"
        self.make_encoder(cache / "encoders" / "efficientnet-lite0", 16)
        self.make_encoder(cache / "encoders" / "efficientnet-lite0@cifar100-8", 8, "cifar100")
        write_pictures(data / "cifar10", [f"c{i}" for i in range(10)], 6)
        arguments = ["paper", "--data", data, "--runs", 1, "--groups", "main,few", "--out", out]
        result = self.replay(*arguments, "--list", cache=cache)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("efficientnet-lite0@cifar100-8: ensemble:default", result.stdout)
        result = self.replay(*arguments, cache=cache)
        self.assertEqual(result.returncode, 0, result.stderr)
        results = json.loads(out.read_text())
        self.assertEqual({row["schedule"] for row in results["rows"]},
                         {"5way", "10way", "gaussian", "iid", "shots:1", "shots:5", "shots:20", "unequal"})
        self.assertTrue(any(f["accuracy"] == 79.0 for f in results["published"]))
        self.assertTrue(any("mnist" in note for note in results["notes"]))
        self.assertFalse(pathlib.Path(f"{out}.partial").exists())
        # Interrupted after some rows, it goes on after them.
        results["rows"] = [row for row in results["rows"] if row["schedule"] == "5way"]
        pathlib.Path(f"{out}.partial").write_text(json.dumps(results))
        result = self.replay(*arguments, cache=cache)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("going on after", result.stderr)
        self.assertGreater(len(json.loads(out.read_text())["rows"]), len(results["rows"]))
        # Not with rows of an encoder that would not be taken now, nor with other pictures.
        results["rows"][0]["encoder"] = "another"
        pathlib.Path(f"{out}.partial").write_text(json.dumps(results))
        self.fails(2, self.replay(*arguments, cache=cache), "p.json.partial", "another", "remove the file")
        results["rows"][0]["encoder"] = "efficientnet-lite0"
        rule = results["rows"][0]["settings"]["ensemble"]["default_rule"]
        rule["lambda"] += 1
        pathlib.Path(f"{out}.partial").write_text(json.dumps(results))
        self.fails(2, self.replay(*arguments, cache=cache), "p.json.partial", "the rule is another", "remove the file")
        rule["lambda"] -= 1
        pathlib.Path(f"{out}.partial").write_text(json.dumps(results))
        next((data / "cifar10" / "train" / "c3").iterdir()).unlink()
        self.fails(1, self.replay(*arguments, cache=cache), "cifar10", "not the pictures")
        self.fails(2, self.replay(*arguments, "--schedules", "gausian", cache=cache), "gausian")
        self.fails(2, self.replay("paper", "--data", data, "--encoder", "efficientnet-lite0@cifar100-8", cache=cache),
                   "is calibrated", "efficientnet-lite0;")
        self.fails(1, self.replay("paper", "--data", data, "--encoder", "resnet", cache=cache), "--encoder resnet", "engine list")
        write_pictures(data / "cifar100", [f"c{i}" for i in range(100)], 1)
        self.fails(1, self.replay("paper", "--data", data, "--runs", 1, "--sets", "cifar100", "--schedules", "20way",
                                  cache=cache), "superclass")
        self.fails(2, self.replay("paper", "--data", self.path / "cache"), "jackdaw replay convert")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
