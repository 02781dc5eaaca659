// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/source_uri.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "jackdaw/error.hpp"
#include "live/source/cameras.hpp"
#include "live/source/flip.hpp"
#include "live/source/process/capture_input.hpp"
#include "live/source/process/capture_link.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live {
namespace {

using jackdaw::testing::TemporaryFolder;

std::string refusal(const std::string& uri) {
  try {
    parse_source_uri(uri);
  } catch (const SettingsError& error) {
    return error.what();
  }
  return "";
}

void check_uri(const std::string& text, SourceKind kind, const std::string& location,
               const std::string& shown) {
  CAPTURE(text);
  const SourceUri uri = parse_source_uri(text);
  CHECK(uri.kind == kind);
  CHECK(uri.location == location);
  CHECK(uri.shown == shown);
}

}  // namespace

TEST_CASE("cameras have several names") {
  check_uri("csi://0", SourceKind::kCsi, "0", "csi://0");
  check_uri("csi://01", SourceKind::kCsi, "1", "csi://1");
  check_uri("v4l2:///dev/video2", SourceKind::kV4l2, "/dev/video2", "v4l2:///dev/video2");
  check_uri("v4l2://2", SourceKind::kV4l2, "/dev/video2", "v4l2:///dev/video2");
  check_uri("/dev/video2", SourceKind::kV4l2, "/dev/video2", "v4l2:///dev/video2");
  check_uri("2", SourceKind::kV4l2, "/dev/video2", "v4l2:///dev/video2");
  check_uri("/dev/v4l/by-id/usb-cam", SourceKind::kV4l2, "/dev/v4l/by-id/usb-cam",
            "v4l2:///dev/v4l/by-id/usb-cam");
}

TEST_CASE("files, folders, patterns and pictures are told apart") {
  TemporaryFolder folder;
  std::ofstream(folder.path("clip.mp4")) << "x";
  std::ofstream(folder.path("a.JPG")) << "x";
  const std::string base = folder.path();
  check_uri("file://" + base + "/clip.mp4", SourceKind::kVideo, base + "/clip.mp4",
            "file://" + base + "/clip.mp4");
  check_uri(base + "/clip.mp4", SourceKind::kVideo, base + "/clip.mp4",
            "file://" + base + "/clip.mp4");
  check_uri(base, SourceKind::kPictures, base, "file://" + base);
  check_uri("file://" + base + "/", SourceKind::kPictures, base + "/", "file://" + base + "/");
  check_uri(base + "/a.JPG", SourceKind::kPictures, base + "/a.JPG", "file://" + base + "/a.JPG");
  check_uri(base + "/*.jpg", SourceKind::kPictures, base + "/*.jpg", "file://" + base + "/*.jpg");
  CHECK(refusal(base + "/none.mp4").find("no such file") != std::string::npos);
  CHECK(refusal("file://").find("no file is named") != std::string::npos);
}

TEST_CASE("streams: user and password are for the camera only") {
  check_uri("rtsp://me:pa%2Fss@host.example:8554/live/1", SourceKind::kRtsp,
            "rtsp://me:pa%2Fss@host.example:8554/live/1", "rtsp://host.example:8554/live/1");
  check_uri("rtsp://host/live?token=1234", SourceKind::kRtsp, "rtsp://host/live?token=1234",
            "rtsp://host/live?…");
  check_uri("rtsp://host/user=admin&password=1234", SourceKind::kRtsp,
            "rtsp://host/user=admin&password=1234", "rtsp://host/…");
  check_uri("rtsp://a@b:c@[fe80::1]:554/x", SourceKind::kRtsp, "rtsp://a@b:c@[fe80::1]:554/x",
            "rtsp://[fe80::1]:554/x");
  check_uri("rtp://@:5000", SourceKind::kRtp, "0.0.0.0:5000", "rtp://:5000");
  check_uri("rtp://@239.1.1.1:5000?codec=h265", SourceKind::kRtp, "239.1.1.1:5000",
            "rtp://239.1.1.1:5000?…");
}

TEST_CASE("refusals say what is accepted, and never a password") {
  for (const char* bad :
       {"", "csi://", "csi://x", "csi://-1", "csi://99999999999999999999", "v4l2:///dev/null",
        "v4l2://", "/dev/videox", "webrtc://@:8554/x", "nothing-here", "a\nb", "http://x/y"}) {
    CAPTURE(std::string(bad));
    CHECK(refusal(bad).find("accepted are csi://0") != std::string::npos);
  }
  CHECK(refusal(std::string(5000, 'x')).size() < 600);
  for (const char* bad :
       {"rtsp://me:hush@", "rtsp://me:hu/sh@host/x", "rtsp://me:hush@ho st/x",
        "rtsp://me:hush@host:99999/x", "rtsp://me:hush@host:port/x", "rtsp://me:hush@host/\"x",
        "http://me:hush@host/x", "webrtc://me:hush@host/x", "rtsp://me:hu?sh@host/x",
        "rtsp://me:hush@host/a|b"}) {
    CAPTURE(std::string(bad));
    const std::string said = refusal(bad);
    CHECK_FALSE(said.empty());
    CHECK(said.find("hu") == std::string::npos);
    CHECK(said.find("me:") == std::string::npos);
  }
  CHECK(refusal("rtp://@:0").find("rtp://@:5000") != std::string::npos);
  CHECK(refusal("rtp://@:5000?codec=vp8").find("h264 or h265") != std::string::npos);
  CHECK(refusal("demo://?sped=2").find("speed, hold") != std::string::npos);
  CHECK(refusal("demo://?speed").find("NAME=VALUE") != std::string::npos);
}

TEST_CASE("what a library says of an address is cleaned") {
  const SourceUri uri = parse_source_uri("rtsp://caretaker:s3%40cret@host/live?token=abc");
  const std::string said = without_secrets(
      "cannot open rtsp://caretaker:s3%40cret@host/live?token=abc: caretaker / s3@cret refused, "
      "/live?token=abc",
      uri);
  CHECK(said == "cannot open rtsp://host/live?…: … / … refused, /…");
}

TEST_CASE("numbers after the ? are checked") {
  SourceUri uri = parse_source_uri("demo://mug?speed=2.5");
  CHECK(number_choice(uri, "speed", 1.0, 0.01, 100.0) == 2.5);
  CHECK(number_choice(uri, "hold", 6.0, 0.1, 10.0) == 6.0);
  for (const char* bad : {"", "x", "2x", "nan", "-1", "1e9"}) {
    uri.choices["speed"] = bad;
    CHECK_THROWS_WITH_AS(number_choice(uri, "speed", 1.0, 0.01, 100.0),
                         doctest::Contains("speed is a number from 0.01 to 100"), SettingsError);
  }
}

TEST_CASE("options are checked") {
  SourceOptions good;
  CHECK_NOTHROW(check_options(good));
  const auto refuses = [&](auto change) {
    SourceOptions options = good;
    change(options);
    CHECK_THROWS_AS(check_options(options), SettingsError);
  };
  refuses([](SourceOptions& o) { o.width = 640; });
  refuses([](SourceOptions& o) { o.width = o.height = 8; });
  refuses([](SourceOptions& o) { o.width = o.height = 100000; });
  refuses([](SourceOptions& o) { o.rate = -1; });
  refuses([](SourceOptions& o) { o.rate = std::numeric_limits<double>::quiet_NaN(); });
  refuses([](SourceOptions& o) { o.rate = 1e9; });
  refuses([](SourceOptions& o) { o.loop = -2; });
  refuses([](SourceOptions& o) { o.flip = "sideways"; });
}

TEST_CASE("every flip puts the corners where its name says") {
  // a b    turned:
  // c d
  const std::pair<const char*, const char*> cases[] = {{"none", "abcd"},
                                                       {"rotate-90", "cadb"},
                                                       {"clockwise", "cadb"},
                                                       {"rotate-180", "dcba"},
                                                       {"rotate-270", "bdac"},
                                                       {"counterclockwise", "bdac"},
                                                       {"horizontal", "badc"},
                                                       {"vertical", "cdab"},
                                                       {"upper-left-diagonal", "acbd"},
                                                       {"upper-right-diagonal", "dbca"}};
  for (const auto& [name, wanted] : cases) {
    cv::Mat picture = (cv::Mat_<std::uint8_t>(2, 2) << 'a', 'b', 'c', 'd'), scratch;
    turn(picture, parse_flip(name), scratch);
    CHECK(std::string(picture.begin<std::uint8_t>(), picture.end<std::uint8_t>()) == wanted);
  }
}

TEST_CASE("the CSI pipeline is the one that Jetson users know") {
  CaptureRequest request{parse_source_uri("csi://1"), {}};
  request.options.flip = "rotate-180";
  CHECK(csi_pipeline(request) ==
        "nvarguscamerasrc sensor-id=1 ! "
        "video/x-raw(memory:NVMM),width=1280,height=720,framerate=30/1,"
        "format=NV12 ! nvvidconv flip-method=2 ! video/x-raw,format=BGRx ! videoconvert ! "
        "video/x-raw,format=BGR ! appsink drop=true max-buffers=1 sync=false");
  request.options.rate = 29.97;
  CHECK(csi_pipeline(request).find("framerate=29970/1000") != std::string::npos);
}

TEST_CASE("a request comes over the link as it was") {
  CaptureRequest request{parse_source_uri("rtp://@:5000?codec=h265"), {}};
  request.options.width = 320;
  request.options.height = 240;
  request.options.rate = 29.97;
  request.options.flip = "vertical";
  request.options.loop = -1;
  const CaptureRequest got = request_from(to_text(request));
  CHECK(got.uri.kind == SourceKind::kRtp);
  CHECK(got.uri.location == "0.0.0.0:5000");
  CHECK(got.uri.shown == request.uri.shown);
  CHECK(got.uri.choices.at("codec") == "h265");
  CHECK(got.options.width == 320);
  CHECK(got.options.height == 240);
  CHECK(got.options.rate == 29.97);
  CHECK(got.options.flip == "vertical");
  CHECK(got.options.loop == -1);
}

TEST_CASE("cameras are listed: none here, a CSI camera where its parts are") {
  TemporaryFolder root;
  namespace fs = std::filesystem;
  CHECK(list_cameras(root.path()).empty());
  fs::create_directories(root.path("dev"));
  std::ofstream(root.path("dev/video0")) << "no camera";
  CHECK(list_cameras(root.path()).empty());
  std::ofstream(root.path("dev/capture-vi-channel0")) << "";
  CHECK(list_cameras(root.path()).empty());
  fs::create_directories(root.path("usr/lib/aarch64-linux-gnu/gstreamer-1.0"));
  std::ofstream(root.path("usr/lib/aarch64-linux-gnu/gstreamer-1.0/libgstnvarguscamerasrc.so"))
      << "";
  REQUIRE(list_cameras(root.path()).size() == 1);
  CHECK(list_cameras(root.path()).front().uri == "csi://0");
}

}  // namespace jackdaw::live
