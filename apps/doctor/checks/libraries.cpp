// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What runs encoders on the CPU.
#include <opencv2/core/utility.hpp>

#include "doctor/check.hpp"
#include "jackdaw/error.hpp"
#include "ort/ort_library.hpp"

namespace jackdaw::doctor {

Finding check_libraries(const DoctorOptions&) {
  nlohmann::json facts{{"opencv", cv::getVersionString()}, {"onnxruntime", nullptr}};
  const std::string opencv = "OpenCV " + cv::getVersionString();
  try {
    const std::string version = ort::load_ort_library().version();
    facts["onnxruntime"] = version;
    return ok(opencv + ", ONNX Runtime " + version, facts);
  } catch (const Error& error) {
    Finding found = ok(opencv + "; " + error.what(), facts);
    found.advice = "on a CPU 'jackdaw engine get onnxruntime' makes encoders faster";
    return found;
  }
}

}  // namespace jackdaw::doctor
