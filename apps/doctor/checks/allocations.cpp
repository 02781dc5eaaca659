// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// After the first frame the learner asks for no memory.
#include <random>

#include "doctor/allocation_count.hpp"
#include "doctor/check.hpp"
#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/learner.hpp"

namespace jackdaw::doctor {
namespace {

constexpr std::uint32_t kFrames = 100;

std::vector<float> random_embedding(std::size_t size, std::mt19937_64& random) {
  std::normal_distribution<float> normal;
  std::vector<float> embedding(size);
  for (float& value : embedding) value = normal(random);
  return embedding;
}

std::uint64_t count_learner() {
  LearnerSettings settings;
  settings.device = Device::kCpu;
  settings.ensemble.max_classes = 4;
  Learner learner(settings);
  Answer answer = learner.make_answer();
  std::mt19937_64 random(1);
  const std::vector<float> embedding = random_embedding(settings.ensemble.dimensions, random);
  const auto frame = [&](std::uint32_t i) {
    static_cast<void>(learner.teach(embedding, i % 2 == 0 ? "one" : "other"));
    static_cast<void>(learner.predict(embedding, answer));
  };
  frame(0);
  frame(1);
  const AllocationCount count;
  for (std::uint32_t i = 0; i < kFrames; ++i) frame(i);
  return count.so_far();
}

// Of one picture, after the first ones.
std::uint64_t count_encoder(Encoder& encoder) {
  std::vector<std::byte> pixels(640 * 480 * 3);
  const FrameView frame{PixelFormat::kBgr, 640, 480, pixels.data(), 640 * 3};
  std::vector<float> embedding(encoder.manifest().output_size);
  static_cast<void>(encoder.encode({&frame, 1}, embedding));
  const AllocationCount count;
  static_cast<void>(encoder.encode({&frame, 1}, embedding));
  return count.so_far();
}

}  // namespace

Finding check_allocations(const DoctorOptions& options) {
  const std::uint64_t learner = count_learner();
  nlohmann::json facts{{"frames", kFrames}, {"learner", learner}, {"opencv_encoder", nullptr}};
  std::string text = "the learner made " + std::to_string(learner) + " in " +
                     std::to_string(kFrames) + " frames after the first (operator new)";
  if (learner > 0) {
    return failed(text, "none is expected; attach this report to an issue", facts);
  }
  if (!options.quick) {
    try {
      const auto encoder =
          make_encoder(find_encoder(options.encoder), {EncoderBackend::kOpenCv, 0});
      const std::uint64_t opencv = count_encoder(*encoder);
      facts["opencv_encoder"] = opencv;
      text += "; encoding a picture with OpenCV makes " + std::to_string(opencv) +
              ", which is OpenCV's way and no fault";
    } catch (const Error&) {  // the check of the encoder says why
    }
  }
  return ok(text, facts);
}

}  // namespace jackdaw::doctor
