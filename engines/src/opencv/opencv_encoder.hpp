// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An encoder on the CPU through OpenCV's DNN module.
//
//   auto encoder = make_opencv_encoder(manifest, 2);     // throws EncoderError
//
// The number of threads is OpenCV's and counts for the whole process (cv::setNumThreads): the last
// encoder that was made decides.
//
// Frames go through the graph one after another: with OpenCV 4.6 a batch gains next to nothing
// (processor time a picture on one core in batches of 1, 8, 48: EfficientNet-Lite0 15.7, 15.3,
// 15.1 ms; ResNet-50 72, 71, 72 ms), takes memory in proportion, and one of another size than the
// last makes OpenCV set up the whole graph again. One by one, an embedding also does not depend on
// what else is in the batch. Layers are fused, which is OpenCV's default: 3 to 8 % faster with
// EfficientNet-Lite0, no clear difference with ResNet-50.

#include <cstdint>
#include <memory>

#include "jackdaw/engines/encoder.hpp"

namespace jackdaw {

// threads: 0 is as many as there are cores.
std::unique_ptr<Encoder> make_opencv_encoder(const Manifest& manifest, std::uint32_t threads);

}  // namespace jackdaw
