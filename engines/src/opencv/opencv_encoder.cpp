// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "opencv/opencv_encoder.hpp"

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>

#include "cpu_encoder.hpp"
#include "files/graph_file.hpp"
#include "opencv/graph_check.hpp"
#include "preprocess/preprocess.hpp"

namespace jackdaw {
namespace {

constexpr std::uint32_t kMostThreads = 1024;

// The importer prints what it also throws.
class QuietOpenCv {
 public:
  QuietOpenCv() : before_(cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT)) {}
  ~QuietOpenCv() { cv::utils::logging::setLogLevel(before_); }
  QuietOpenCv(const QuietOpenCv&) = delete;
  QuietOpenCv& operator=(const QuietOpenCv&) = delete;

 private:
  cv::utils::logging::LogLevel before_;
};

std::string opencv_name() { return "OpenCV " + cv::getVersionString(); }

cv::dnn::Net load(const Manifest& manifest) {
  const std::string file = read_graph_file(manifest);
  check_graph(file, manifest);
  const QuietOpenCv quiet;
  cv::dnn::Net net = cv::dnn::readNetFromONNX(file.data(), file.size());
  net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
  return net;
}

class OpenCvEncoder final : public CpuEncoder {
 public:
  OpenCvEncoder(const Manifest& manifest, std::uint32_t threads)
      : CpuEncoder(manifest), preprocess_(manifest) {
    if (manifest.layout != InputLayout::kFloatPlanes) {
      throw EncoderError(manifest.name +
                         " takes pixels as bytes, which OpenCV's networks do not; " +
                         "it needs ONNX Runtime: jackdaw engine get onnxruntime");
    }
    cv::setNumThreads(threads == 0 ? cv::getNumberOfCPUs()
                                   : static_cast<int>(std::min(threads, kMostThreads)));
    const int sizes[] = {1, static_cast<int>(manifest.channels), static_cast<int>(manifest.height),
                         static_cast<int>(manifest.width)};
    input_ = cv::Mat(4, sizes, CV_32F, cv::Scalar(0));
    try {
      net_ = load(manifest);
      check_output(run());
    } catch (const cv::Exception& error) {
      throw EncoderError(manifest.graph_path() + ": " + opencv_name() +
                         " cannot run it with an input of " + shape() + ": " + error.err +
                         "; export it with other operators (engines/recipes/README.md) or use " +
                         "another backend");
    }
  }

  std::string backend() const override {
    return "opencv " + cv::getVersionString() + ", " +
           threads_text(static_cast<std::uint32_t>(cv::getNumThreads()));
  }

 private:
  Status encode_checked(Span<const FrameView> frames, Span<float> embeddings) override {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const Clock::time_point begun = Clock::now();
      Status status = preprocess_.run(frames[i], {input_.ptr<float>(), input_.total()});
      if (status != Status::kOk) return status;
      const Clock::time_point prepared = Clock::now();
      const cv::Mat output = run();
      took(begun, prepared);
      if (output.total() != manifest_.output_size || output.type() != CV_32F ||
          !output.isContinuous()) {
        throw EncoderError("its output changed its size");
      }
      const Span<const float> values(output.ptr<float>(), output.total());
      const std::size_t at = i * manifest_.output_size;
      status = hand_out(values, embeddings.subspan(at, values.size()));
      if (status != Status::kOk) return status;
    }
    return Status::kOk;
  }

  cv::Mat run() {
    net_.setInput(input_, manifest_.input_name);
    return net_.forward();
  }

  void check_output(const cv::Mat& output) const {
    if (output.total() != manifest_.output_size || output.type() != CV_32F) {
      throw EncoderError(manifest_.graph_path() + ": it gives " + std::to_string(output.total()) +
                         " values for an input of " + shape() +
                         ", but the manifest's output.size is " +
                         std::to_string(manifest_.output_size) + "; correct the manifest");
    }
  }

  std::string shape() const {
    return std::to_string(manifest_.channels) + "x" + std::to_string(manifest_.height) + "x" +
           std::to_string(manifest_.width);
  }

  Preprocess preprocess_;
  cv::dnn::Net net_;
  cv::Mat input_;  // [1, channels, height, width]
};

}  // namespace

std::unique_ptr<Encoder> make_opencv_encoder(const Manifest& manifest, std::uint32_t threads) {
  return std::make_unique<OpenCvEncoder>(manifest, threads);
}

}  // namespace jackdaw
