// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The checks on made-up devices: files as Jetsons and a PC have them.
#include <doctest/doctest.h>

#include <fstream>

#include "cuda/gpu_ensemble.hpp"
#include "doctor/check.hpp"
#include "doctor/cuda_probe.hpp"
#include "doctor/parity.hpp"
#include "doctor/trt_probe.hpp"
#include "emulation/emulated_gpu.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::doctor {
namespace {

struct FakeDevice {
  FakeDevice() { options.root = folder.path(); }
  FakeDevice& with(const std::string& path, const std::string& text) {
    const std::filesystem::path whole = folder.path(path);
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
    return *this;
  }
  testing::TemporaryFolder folder;
  DoctorOptions options;
};

device::Identity orin() {
  device::Identity identity;
  identity.l4t = device::L4tVersion{36, 4, 3};
  return identity;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("doctor: boards and their JetPack") {
  FakeDevice six, seven, five, four, pc;
  six.with("proc/device-tree/model", std::string("NVIDIA Jetson AGX Orin Developer Kit") + '\0')
      .with("etc/nv_tegra_release", "# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: g\n");
  CHECK(check_board(six.options).facts["jetpack"] == "6.2");
  CHECK(check_board(six.options).facts["model"] == "NVIDIA Jetson AGX Orin Developer Kit");
  CHECK(check_board(six.options).outcome == Outcome::kOk);
  seven.with("proc/device-tree/model", "NVIDIA Jetson AGX Thor Developer Kit")
      .with("var/lib/dpkg/status",
            "Package: a\nStatus: install ok installed\nVersion: 1.2.3\n\nPackage: "
            "nvidia-l4t-core\nStatus: install ok installed\nVersion: 38.2.0-20250821174705\n");
  CHECK(check_board(seven.options).facts["jetpack"] == "7.0");
  five.with("etc/nv_tegra_release", "# R35 (release), REVISION: 9.9, GCID: 1\n");  // no such
  CHECK(check_board(five.options).facts["jetpack"] == "5");
  CHECK(check_board(five.options).outcome == Outcome::kWarning);
  four.with("etc/nv_tegra_release", "# R32 (release), REVISION: 7.6, GCID: 1\n");
  CHECK(check_board(four.options).outcome == Outcome::kFailed);
  CHECK(check_board(pc.options).outcome == Outcome::kOk);
  CHECK(check_board(pc.options).facts["jetson"] == false);
}

TEST_CASE("doctor: power, heat and memory") {
  FakeDevice d;
  CHECK(check_power(d.options).outcome == Outcome::kNotRun);
  const std::string zone = "sys/class/thermal/thermal_zone0/";
  d.with("var/lib/nvpmodel/status", "pmode:0001\n")
      .with("etc/nvpmodel.conf", "< POWER_MODEL ID=1 NAME=15W >\n")
      .with("sys/class/devfreq/17000000.gpu/cur_freq", "306000000\n")
      .with("sys/class/devfreq/17000000.gpu/max_freq", "612000000\n")
      .with("sys/class/devfreq/17000000.gpu/available_frequencies", "306000000 1300500000\n")
      .with(zone + "type", "cpu-thermal\n")
      .with(zone + "temp", "50000\n")
      .with(zone + "trip_point_0_type", "active\n")
      .with(zone + "trip_point_0_temp", "40000\n")
      .with(zone + "trip_point_1_type", "passive\n")
      .with(zone + "trip_point_1_temp", "99000\n");
  const Finding cool = check_power(d.options);
  CHECK(cool.outcome == Outcome::kOk);
  CHECK(has(cool.text, "15W (1)"));
  CHECK(has(cool.text, "0.61 of 1.30 GHz"));
  CHECK(has(cool.advice, "nvpmodel"));
  d.with(zone + "temp", "95000\n");
  CHECK(check_power(d.options).outcome == Outcome::kWarning);
  CHECK(check_memory(d.options).outcome == Outcome::kNotRun);
  d.with("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 6000000 kB\nSwapTotal: 0 kB\n");
  CHECK(check_memory(d.options).outcome == Outcome::kOk);
  d.with("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 600000 kB\nSwapTotal: 0 kB\n");
  CHECK(check_memory(d.options).outcome == Outcome::kWarning);
}

TEST_CASE("doctor: CUDA and TensorRT are judged by what can be expected of the device") {
  const device::Identity pc;
  CHECK(judge(CudaProbe{"", {}, "", "x"}, pc).outcome == Outcome::kNotRun);
  CHECK(judge(CudaProbe{"", {}, "", "x"}, orin()).outcome == Outcome::kWarning);
  CHECK(judge(CudaProbe{"12.6", {}, "", "x"}, orin()).outcome == Outcome::kFailed);
  CHECK(judge(CudaProbe{"12.6", 12060, "cuda Orin", ""}, orin()).outcome == Outcome::kOk);
  const Finding old = judge(CudaProbe{"13.0", 12060, "", "x"}, orin());
  CHECK(old.outcome == Outcome::kFailed);
  CHECK(has(old.advice, "JetPack 6"));
  TrtProbe trt;
  trt.version = "10.3.0";
  CHECK(judge(trt, orin()).outcome == Outcome::kOk);
  trt.engine_fault = "missing";
  CHECK(judge(trt, orin()).outcome == Outcome::kWarning);
  trt.reason = trt::TrtReason::kNoModule;
  CHECK(judge(trt, pc).outcome == Outcome::kNotRun);
  trt.reason = trt::TrtReason::kOtherAbi;
  CHECK(judge(trt, pc).outcome == Outcome::kFailed);
}

TEST_CASE("doctor: the GPU has to compute what the CPU does") {
  EnsembleSettings s;
  s.classifiers = 40;
  s.nearest = 5;
  s.dimensions = 35;
  s.max_classes = 3;
  const auto cpu = make_ensemble(s, Device::kCpu);
  const auto gpu =
      cuda::make_gpu_ensemble(s, {}, std::make_unique<emulation::EmulatedGpu>(testing::seed()));
  const Finding same = judge(compare(*cpu, *gpu, 40));
  CHECK(same.outcome == Outcome::kOk);
  CHECK(same.facts["scores_same_bits"] == true);
  s.seed = 1;  // other keys: another device altogether
  const auto other = make_ensemble(s, Device::kCpu);
  s.seed = 0;
  CHECK(judge(compare(*make_ensemble(s, Device::kCpu), *other, 40)).outcome == Outcome::kFailed);
  Parity off;
  off.largest_difference = 2 * kScoreTolerance;
  CHECK(judge(off).outcome == Outcome::kFailed);
}

TEST_CASE("doctor: disk and state") {
  FakeDevice d;
  d.options.state_folder = d.folder.path("not/yet/there");
  d.options.learner_folder = d.options.state_folder;
  CHECK(check_disk(d.options).outcome == Outcome::kOk);
  CHECK(check_state(d.options).outcome == Outcome::kNotRun);
  CHECK(testing::files_in(d.folder.path()).empty());  // nothing was left or made
  d.options.state_folder = "/proc";
  CHECK(check_disk(d.options).outcome == Outcome::kFailed);
}

}  // namespace jackdaw::doctor
