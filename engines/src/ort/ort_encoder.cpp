// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "ort/ort_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "cpu_encoder.hpp"
#include "files/graph_file.hpp"
#include "ort/ort_graph.hpp"
#include "ort/ort_library.hpp"
#include "preprocess/preprocess.hpp"

namespace jackdaw {
namespace {

using namespace ort;

constexpr std::uint32_t kMostThreads = 1024;

std::uint32_t threads_of(std::uint32_t asked) {
  const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::min(asked == 0 ? cores : asked, kMostThreads);
}

// [channels][height][width] of 0..255, perhaps a little beyond, to [height][width][channels].
void to_pixels(Span<const float> planes, std::size_t channels, std::uint8_t* pixels) {
  const std::size_t count = planes.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < count; ++i) {
      const float value = std::min(std::max(planes[c * count + i], 0.0F), 255.0F);
      pixels[i * channels + c] = static_cast<std::uint8_t>(std::lrint(value));
    }
  }
}

class OrtEncoder final : public CpuEncoder {
 public:
  OrtEncoder(const Manifest& manifest, std::uint32_t threads)
      : CpuEncoder(manifest),
        ort_(load_ort_library()),
        threads_(threads_of(threads)),
        preprocess_(manifest),
        picture_size_(std::size_t{manifest.channels} * manifest.height * manifest.width),
        session_(ort_),
        memory_(ort_),
        input_(ort_),
        output_(ort_) {
    planes_.resize(picture_size_ * (bytes() ? 1 : manifest.max_batch));
    if (bytes()) pixels_.resize(picture_size_ * manifest.max_batch);
    embeddings_.resize(std::size_t{manifest.output_size} * manifest.max_batch);
    open();
    check_ort_graph(ort_, *session_.get(), manifest_);
    run(1);  // once now, so that what cannot work is known before the first frame
  }

  std::string backend() const override {
    return "onnxruntime " + ort_.version() + ", " + threads_text(threads_);
  }

 private:
  Status encode_checked(Span<const FrameView> frames, Span<float> embeddings) override {
    const Clock::time_point begun = Clock::now();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (const Status status = prepare(frames[i], i); status != Status::kOk) return status;
    }
    const Clock::time_point prepared = Clock::now();
    run(frames.size());
    took(begun, prepared);
    return hand_out({embeddings_.data(), embeddings.size()}, embeddings);
  }

  bool bytes() const { return manifest_.layout == InputLayout::kBytePixels; }

  void open() {
    const std::string file = read_graph_file(manifest_);
    Handle<SessionOptions> options(ort_);
    ort_.check(kCreateSessionOptions(ort_.table(), options.out()), "make options");
    ort_.check(kSetSessionGraphOptimizationLevel(ort_.table(), options.get(), kAllOptimisations),
               "set the optimisation level");
    ort_.check(kSetIntraOpNumThreads(ort_.table(), options.get(), static_cast<int>(threads_)),
               "set the number of threads");
    // Threads that spin while they wait would take the cores from capture and learning.
    ort_.check(
        kAddSessionConfigEntry(ort_.table(), options.get(), "session.intra_op.allow_spinning", "0"),
        "keep its threads from spinning");
    ort_.check(kCreateSessionFromArray(ort_.table(), ort_.env(), file.data(), file.size(),
                                       options.get(), session_.out()),
               ("read " + manifest_.graph_path()).c_str());
    ort_.check(kCreateCpuMemoryInfo(ort_.table(), kArenaAllocator, kDefaultMemory, memory_.out()),
               "describe memory");
  }

  Status prepare(const FrameView& frame, std::size_t place) {
    const Span<float> planes(planes_.data() + (bytes() ? 0 : place * picture_size_), picture_size_);
    const Status status = preprocess_.run(frame, planes);
    if (status == Status::kOk && bytes()) {
      to_pixels(planes, manifest_.channels, pixels_.data() + place * picture_size_);
    }
    return status;
  }

  // Tensors are views of our own buffers, made anew only when the batch has another size.
  void shape_for(std::size_t batch) {
    if (batch == shaped_for_) return;
    shaped_for_ = 0;
    const auto b = static_cast<std::int64_t>(batch);
    const std::int64_t c = manifest_.channels, h = manifest_.height, w = manifest_.width;
    const std::int64_t planes[] = {b, c, h, w}, pixels[] = {b, h, w, c};
    const std::int64_t out[] = {b, manifest_.output_size};
    const std::size_t values = batch * picture_size_;
    void* const data = bytes() ? static_cast<void*>(pixels_.data()) : planes_.data();
    ort_.check(kCreateTensorWithDataAsOrtValue(
                   ort_.table(), memory_.get(), data, values * (bytes() ? 1 : sizeof(float)),
                   bytes() ? pixels : planes, 4, bytes() ? kUint8 : kFloat, input_.out()),
               "take the pictures");
    ort_.check(kCreateTensorWithDataAsOrtValue(ort_.table(), memory_.get(), embeddings_.data(),
                                               batch * manifest_.output_size * sizeof(float), out,
                                               2, kFloat, output_.out()),
               "take the memory for embeddings");
    shaped_for_ = batch;
  }

  void run(std::size_t batch) {
    shape_for(batch);
    const char* const from = manifest_.input_name.c_str();
    const char* const to = manifest_.output_name.c_str();
    const Value* const input = input_.get();
    Value* output = output_.get();
    ort_.check(kRun(ort_.table(), session_.get(), nullptr, &from, &input, 1, &to, 1, &output),
               "run the graph");
  }

  const OrtLibrary& ort_;
  std::uint32_t threads_;
  Preprocess preprocess_;
  std::size_t picture_size_;          // values of one picture
  std::vector<float> planes_;         // [batch][channels][height][width]; of one where bytes()
  std::vector<std::uint8_t> pixels_;  // [batch][height][width][channels], if bytes()
  std::vector<float> embeddings_;
  std::size_t shaped_for_ = 0;
  Handle<Session> session_;
  Handle<MemoryInfo> memory_;
  Handle<Value> input_, output_;
};

}  // namespace

std::unique_ptr<Encoder> make_ort_encoder(const Manifest& manifest, std::uint32_t threads) {
  return std::make_unique<OrtEncoder>(manifest, threads);
}

}  // namespace jackdaw
