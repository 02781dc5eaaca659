// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/process/capture_input.hpp"

#include <cstdlib>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

#include "jackdaw/error.hpp"
#include "live/source/flip.hpp"
#include "live/source/process/gst_elements.hpp"
#include "live/source/video_device.hpp"

namespace jackdaw::live {
namespace {

class VideoInput : public CaptureInput {
 public:
  VideoInput(const CaptureRequest& request, std::unique_ptr<cv::VideoCapture> video)
      : video_(std::move(video)), uri_(request.uri) {
    // nvvidconv has turned a CSI camera's pictures already, and made their size.
    flip_ = uri_.kind == SourceKind::kCsi ? Flip::kNone : parse_flip(request.options.flip);
    if (uri_.kind != SourceKind::kCsi && request.options.width > 0) {
      size_ = {static_cast<int>(request.options.width), static_cast<int>(request.options.height)};
    }
    fallback_rate_ = uri_.kind == SourceKind::kVideo ? 30.0 : 0.0;
  }

  bool read(cv::Mat& picture) override {
    if (!video_->read(picture) || picture.empty()) return false;
    if (picture.channels() == 1) cv::cvtColor(picture, picture, cv::COLOR_GRAY2BGR);
    if (picture.channels() == 4) cv::cvtColor(picture, picture, cv::COLOR_BGRA2BGR);
    if (size_.area() > 0 && picture.size() != size_) {
      cv::resize(picture, scratch_, size_, 0, 0, cv::INTER_AREA);
      cv::swap(picture, scratch_);
    }
    turn(picture, flip_, scratch_);
    return true;
  }

  double rate() const override {
    const double said = video_->get(cv::CAP_PROP_FPS);
    return said >= 1.0 && said <= 240.0 ? said : fallback_rate_;
  }

 private:
  std::unique_ptr<cv::VideoCapture> video_;
  SourceUri uri_;
  Flip flip_ = Flip::kNone;
  cv::Size size_;
  double fallback_rate_ = 0.0;
  cv::Mat scratch_;
};

using Video = std::unique_ptr<cv::VideoCapture>;

Video opened(const std::string& what, cv::VideoCaptureAPIs with) {
  auto video = std::make_unique<cv::VideoCapture>();
  try {
    if (!video->open(what, with)) return nullptr;
  } catch (const cv::Exception&) {  // OpenCV without that backend
    return nullptr;
  }
  return video;
}

Video open_csi(const CaptureRequest& request) {
  const std::string fault =
      missing_element({"nvarguscamerasrc", "nvvidconv", "videoconvert", "appsink"});
  if (!fault.empty()) {
    throw SettingsError(fault +
                        "; a CSI camera needs a Jetson with its multimedia packages "
                        "(nvidia-l4t-gstreamer)");
  }
  Video video = opened(csi_pipeline(request), cv::CAP_GSTREAMER);
  if (!video) {
    throw SettingsError(
        "the camera cannot be opened; is it connected, is nvargus-daemon running, "
        "and does OpenCV know GStreamer?");
  }
  return video;
}

Video open_v4l2(const CaptureRequest& request) {
  const VideoDevice device = look_at(request.uri.location);
  if (!device.fault.empty()) throw SettingsError(device.fault);
  Video video = opened(request.uri.location, cv::CAP_V4L2);
  if (!video) throw SettingsError("the camera cannot be opened; is another program using it?");
  const SourceOptions& options = request.options;
  // Compressed pictures first: over USB 2 raw ones of this size come at a few a second.
  video->set(cv::CAP_PROP_FOURCC, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'));
  video->set(cv::CAP_PROP_FRAME_WIDTH, options.width > 0 ? options.width : 1280);
  video->set(cv::CAP_PROP_FRAME_HEIGHT, options.height > 0 ? options.height : 720);
  if (options.rate > 0.0) video->set(cv::CAP_PROP_FPS, options.rate);
  video->set(cv::CAP_PROP_BUFFERSIZE, 1);
  return video;
}

Video open_rtsp(const CaptureRequest& request) {
  ::setenv("OPENCV_FFMPEG_CAPTURE_OPTIONS",
           "rtsp_transport;tcp|fflags;nobuffer|flags;low_delay|max_delay;200000|stimeout;8000000",
           0);
  Video video = opened(request.uri.location, cv::CAP_FFMPEG);
  if (!video && missing_element({"rtspsrc", "decodebin", "videoconvert", "appsink"}).empty()) {
    video = opened(rtsp_pipeline(request), cv::CAP_GSTREAMER);
  }
  if (!video) {
    throw SettingsError("the stream cannot be opened; check the address, user and password");
  }
  return video;
}

Video open_rtp(const CaptureRequest& request) {
  const std::string fault = missing_element(
      {"udpsrc", "rtph264depay", "rtph265depay", "decodebin", "videoconvert", "appsink"});
  if (!fault.empty()) throw SettingsError(fault + "; install gstreamer1.0-plugins-good");
  Video video = opened(rtp_pipeline(request), cv::CAP_GSTREAMER);
  if (!video) throw SettingsError("nothing can be received there; is the port free?");
  return video;
}

Video open_video(const CaptureRequest& request) {
  Video video = opened(request.uri.location, cv::CAP_FFMPEG);
  if (!video) video = opened(request.uri.location, cv::CAP_ANY);
  if (!video) throw SettingsError("the file cannot be read as a video");
  return video;
}

}  // namespace

std::unique_ptr<CaptureInput> open_input(const CaptureRequest& request) {
  Video video;
  switch (request.uri.kind) {
    case SourceKind::kCsi:
      video = open_csi(request);
      break;
    case SourceKind::kV4l2:
      video = open_v4l2(request);
      break;
    case SourceKind::kRtsp:
      video = open_rtsp(request);
      break;
    case SourceKind::kRtp:
      video = open_rtp(request);
      break;
    case SourceKind::kVideo:
      video = open_video(request);
      break;
    case SourceKind::kPictures:
    case SourceKind::kDemo:
      break;
  }
  if (!video) throw SettingsError("no source for a capture process");
  return std::make_unique<VideoInput>(request, std::move(video));
}

}  // namespace jackdaw::live
