// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A GStreamer plugin with the two elements of a Jetson's camera path, under the same names, as far
// as Jackdaw's pipeline can tell: nvarguscamerasrc gives NV12 "in the GPU's memory", nvvidconv
// brings it to BGRx on the host and turns it. The pictures are dark on the left, bright on the
// right, and a little different each time.
//
// JACKDAW_STAND_IN says what goes wrong: hang-open, hang:N, freeze:N (the same picture again and
// again), end:N; N: after so many frames.

#include <gst/base/gstbasetransform.h>
#include <gst/base/gstpushsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool told(const char* what, guint64 frame) {
  const char* text = std::getenv("JACKDAW_STAND_IN");
  const std::string order = text == nullptr ? "" : text;
  const std::string name = std::string(what) + ":";
  if (order == what) return true;
  return order.compare(0, name.size(), name) == 0 &&
         frame >= std::strtoull(order.c_str() + name.size(), nullptr, 10);
}

[[noreturn]] void hang() {
  for (;;) ::pause();
}

// --- nvarguscamerasrc ----------------------------------------------------------------------------
struct Camera {
  GstPushSrc parent;
  gint sensor;
  guint64 frame;
  GstVideoInfo info;
};
struct CameraClass {
  GstPushSrcClass parent;
};
G_DEFINE_TYPE(Camera, camera, GST_TYPE_PUSH_SRC)

GstStaticPadTemplate camera_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS("video/x-raw(memory:NVMM), format=(string)NV12, width=[16,8192], "
                    "height=[16,8192], framerate=[1/1,1000/1]"));

gboolean camera_start(GstBaseSrc*) {
  if (told("hang-open", 0)) hang();
  return TRUE;
}

gboolean camera_set_caps(GstBaseSrc* source, GstCaps* caps) {
  return gst_video_info_from_caps(&reinterpret_cast<Camera*>(source)->info, caps);
}

GstFlowReturn camera_create(GstPushSrc* source, GstBuffer** out) {
  auto* camera = reinterpret_cast<Camera*>(source);
  const guint64 frame = camera->frame++;
  if (told("hang", frame)) hang();
  if (told("end", frame)) return GST_FLOW_EOS;
  const guint64 seen = told("freeze", frame) ? 0 : frame;
  const GstVideoInfo& info = camera->info;
  const double rate = GST_VIDEO_INFO_FPS_N(&info) * 1.0 / GST_VIDEO_INFO_FPS_D(&info);
  g_usleep(static_cast<gulong>(1e6 / rate));
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&info), nullptr);
  GstMapInfo map;
  gst_buffer_map(buffer, &map, GST_MAP_WRITE);
  std::memset(map.data, 128, map.size);
  const int width = GST_VIDEO_INFO_WIDTH(&info), height = GST_VIDEO_INFO_HEIGHT(&info);
  for (int y = 0; y < height; ++y) {
    guint8* row = map.data + y * GST_VIDEO_INFO_PLANE_STRIDE(&info, 0);
    std::memset(row, 40 + static_cast<int>(seen % 16), static_cast<std::size_t>(width / 2));
    std::memset(row + width / 2, 200, static_cast<std::size_t>(width - width / 2));
  }
  gst_buffer_unmap(buffer, &map);
  *out = buffer;
  return GST_FLOW_OK;
}

void camera_set_property(GObject* object, guint, const GValue* value, GParamSpec*) {
  reinterpret_cast<Camera*>(object)->sensor = g_value_get_int(value);
}

void camera_class_init(CameraClass* type) {
  G_OBJECT_CLASS(type)->set_property = camera_set_property;
  g_object_class_install_property(
      G_OBJECT_CLASS(type), 1,
      g_param_spec_int("sensor-id", "sensor", "sensor", 0, 255, 0, G_PARAM_WRITABLE));
  gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(type), &camera_template);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(type), "stand-in", "Source/Video",
                                        "stand-in", "Jackdaw");
  GST_BASE_SRC_CLASS(type)->start = camera_start;
  GST_BASE_SRC_CLASS(type)->set_caps = camera_set_caps;
  GST_PUSH_SRC_CLASS(type)->create = camera_create;
}

void camera_init(Camera* camera) {
  gst_base_src_set_live(GST_BASE_SRC(camera), TRUE);
  gst_base_src_set_format(GST_BASE_SRC(camera), GST_FORMAT_TIME);
  gst_base_src_set_do_timestamp(GST_BASE_SRC(camera), TRUE);
}

// --- nvvidconv -----------------------------------------------------------------------------------
struct Converter {
  GstBaseTransform parent;
  gint method;
  GstVideoInfo in, out;
};
struct ConverterClass {
  GstBaseTransformClass parent;
};
G_DEFINE_TYPE(Converter, converter, GST_TYPE_BASE_TRANSFORM)

GstStaticPadTemplate converter_sink =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
                            GST_STATIC_CAPS("video/x-raw(memory:NVMM), format=(string)NV12"));
GstStaticPadTemplate converter_src = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS("video/x-raw, format=(string)BGRx"));

GstCaps* converter_transform_caps(GstBaseTransform*, GstPadDirection direction, GstCaps* caps,
                                  GstCaps* filter) {
  GstCaps* other = gst_caps_copy(caps);
  for (guint i = 0; i < gst_caps_get_size(other); ++i) {
    GstStructure* structure = gst_caps_get_structure(other, i);
    gst_structure_set(structure, "format", G_TYPE_STRING,
                      direction == GST_PAD_SINK ? "BGRx" : "NV12", nullptr);
    gst_structure_remove_fields(structure, "colorimetry", "chroma-site", nullptr);
    gst_caps_set_features(
        other, i,
        direction == GST_PAD_SINK ? nullptr : gst_caps_features_new("memory:NVMM", nullptr));
  }
  if (filter == nullptr) return other;
  GstCaps* both = gst_caps_intersect_full(filter, other, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(other);
  return both;
}

gboolean converter_set_caps(GstBaseTransform* element, GstCaps* in, GstCaps* out) {
  auto* converter = reinterpret_cast<Converter*>(element);
  return gst_video_info_from_caps(&converter->in, in) &&
         gst_video_info_from_caps(&converter->out, out);
}

gboolean converter_unit_size(GstBaseTransform*, GstCaps* caps, gsize* size) {
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps)) return FALSE;
  *size = GST_VIDEO_INFO_SIZE(&info);
  return TRUE;
}

GstFlowReturn converter_transform(GstBaseTransform* element, GstBuffer* in, GstBuffer* out) {
  auto* converter = reinterpret_cast<Converter*>(element);
  GstMapInfo from, to;
  gst_buffer_map(in, &from, GST_MAP_READ);
  gst_buffer_map(out, &to, GST_MAP_WRITE);
  const int width = GST_VIDEO_INFO_WIDTH(&converter->in),
            height = GST_VIDEO_INFO_HEIGHT(&converter->in);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool round = converter->method == 2;  // by half a turn; the others are not needed
      const int from_y = round ? height - 1 - y : y, from_x = round ? width - 1 - x : x;
      const guint8 grey =
          from.data[from_y * GST_VIDEO_INFO_PLANE_STRIDE(&converter->in, 0) + from_x];
      std::memset(to.data + y * GST_VIDEO_INFO_PLANE_STRIDE(&converter->out, 0) + 4 * x, grey, 4);
    }
  }
  gst_buffer_unmap(in, &from);
  gst_buffer_unmap(out, &to);
  return GST_FLOW_OK;
}

void converter_set_property(GObject* object, guint, const GValue* value, GParamSpec*) {
  reinterpret_cast<Converter*>(object)->method = g_value_get_int(value);
}

void converter_class_init(ConverterClass* type) {
  G_OBJECT_CLASS(type)->set_property = converter_set_property;
  g_object_class_install_property(
      G_OBJECT_CLASS(type), 1,
      g_param_spec_int("flip-method", "flip", "flip", 0, 7, 0, G_PARAM_WRITABLE));
  gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(type), &converter_sink);
  gst_element_class_add_static_pad_template(GST_ELEMENT_CLASS(type), &converter_src);
  gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(type), "stand-in", "Filter/Video",
                                        "stand-in", "Jackdaw");
  GstBaseTransformClass* transform = GST_BASE_TRANSFORM_CLASS(type);
  transform->transform_caps = converter_transform_caps;
  transform->set_caps = converter_set_caps;
  transform->get_unit_size = converter_unit_size;
  transform->transform = converter_transform;
}

void converter_init(Converter*) {}

gboolean plugin_init(GstPlugin* plugin) {
  return gst_element_register(plugin, "nvarguscamerasrc", GST_RANK_NONE, camera_get_type()) &&
         gst_element_register(plugin, "nvvidconv", GST_RANK_NONE, converter_get_type());
}

}  // namespace

#define PACKAGE "jackdaw"
GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, jackdawstandins, "stand-ins", plugin_init,
                  "1", "unknown", "jackdaw", "https://example.org")
