// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw engine calibrate`: one pass over pictures, fixed memory.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "jackdaw/engine_commands.hpp"
#include "jackdaw/engines/calibration.hpp"
#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/engines/picture.hpp"
#include "jackdaw/engines/picture_folder.hpp"
#include "jackdaw/format.hpp"
#include "jackdaw/progress.hpp"

namespace jackdaw::app {
namespace {

struct CalibrateOptions {
  std::string encoder, data, label, out;
  std::uint32_t dimensions = 256;
  double shrinkage = 1.0;
  std::uint64_t most = 0;
  bool invert = false;
};

void invert(Picture& picture) {
  for (std::byte& value : picture.pixels) value = ~value;
}

// Every n-th, so that all classes of a sorted folder take part.
std::vector<std::string> thin_out(const std::vector<std::string>& all, std::uint64_t most) {
  if (most == 0 || all.size() <= most) return all;
  std::vector<std::string> some;
  for (std::uint64_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

// The folder's name; of cifar10/train it is cifar10, because benchmarks go by it.
std::string label_of(const std::string& folder) {
  auto path = std::filesystem::weakly_canonical(folder);
  if (path.filename().empty()) path = path.parent_path();
  if (path.filename() == "train" || path.filename() == "test") path = path.parent_path();
  return path.filename().string();
}

// How many files were left out.
std::uint64_t encode_all(Encoder& encoder, const std::vector<std::string>& files, bool inverted,
                         CalibrationStatistics& statistics) {
  const Manifest& m = encoder.manifest();
  std::vector<Picture> pictures(m.max_batch);
  std::vector<FrameView> frames;
  std::vector<float> embeddings(std::size_t{m.max_batch} * m.output_size);
  std::uint64_t refused = 0;
  Progress progress("calibrating", files.size());
  const auto flush = [&] {
    const Span<float> out(embeddings.data(), frames.size() * m.output_size);
    if (const Status s = encoder.encode(frames, out); s != Status::kOk) {
      throw EncoderError(std::string("encoding failed: ") + describe(s));
    }
    for (std::size_t b = 0; b < frames.size(); ++b) {
      statistics.add(out.subspan(b * m.output_size, m.output_size));
    }
    frames.clear();
  };
  for (const std::string& file : files) {
    Picture& picture = pictures[frames.size()];
    if (const std::string fault = read_picture(file, picture); !fault.empty()) {
      std::fprintf(stderr, "jackdaw: left out: %s\n", fault.c_str());
      ++refused;
    } else {
      if (inverted) invert(picture);
      frames.push_back(picture.view);
      if (frames.size() == m.max_batch) flush();
    }
    progress.step();
  }
  if (!frames.empty()) flush();
  return refused;
}

void calibrate(const CalibrateOptions& o) {
  const Manifest manifest = find_encoder(o.encoder);
  check_calibratable(manifest);  // before hours of work
  const std::vector<std::string> files = thin_out(list_pictures(o.data), o.most);
  const std::string label = o.label.empty() ? label_of(o.data) : o.label;
  CalibrationStatistics statistics(manifest.output_size);
  const auto encoder = make_encoder(manifest);
  const std::uint64_t refused = encode_all(*encoder, files, o.invert, statistics);
  const Calibration c = statistics.finish(o.dimensions, o.shrinkage, label, manifest.graph_sha256);
  const std::string name = manifest.name + "@" + label + "-" + std::to_string(o.dimensions);
  const std::string folder = cache_folder() + "/encoders/" + name;
  const Manifest made = fold_calibration(manifest, c, folder);
  if (!o.out.empty()) write_calibration(c, o.out);
  std::printf("%s: %u numbers instead of %u, from %llu pictures (%llu left out), %s of memory\n",
              made.name.c_str(), made.output_size, manifest.output_size,
              static_cast<unsigned long long>(c.note.count),
              static_cast<unsigned long long>(refused), human_bytes(statistics.bytes()).c_str());
  std::printf("use it with --encoder %s; the calibration alone is in %s\n", made.name.c_str(),
              o.out.empty() ? calibration_path(made).c_str() : o.out.c_str());
}

}  // namespace

void add_engine_calibrate_command(CLI::App& engine) {
  auto o = std::make_shared<CalibrateOptions>();
  CLI::App* command = engine.add_subcommand(
      "calibrate", "Fit an encoder's last layer to pictures of your own; they need no labels");
  command->add_option("--encoder", o->encoder, "Its name, or the path of its manifest")->required();
  command->add_option("--data", o->data, "A folder with pictures, at any depth")->required();
  command->add_option("--dim", o->dimensions, "How many numbers an embedding shall have")
      ->capture_default_str();
  command
      ->add_option(
          "--shrinkage", o->shrinkage,
          "Above 0, up to 1: 1 keeps the variances as they are, towards 0 they become equal")
      ->capture_default_str();
  command->add_option("--most", o->most, "Use at most so many pictures, evenly spread; 0: all");
  command->add_flag(
      "--invert", o->invert,
      "Turn black into white: for drawings in the other colour than what will be seen");
  command->add_option("--label", o->label,
                      "What to call the pictures (default: the folder's name)");
  command->add_option("--out", o->out, "Where to write the calibration alone");
  command->footer(
      "Example: jackdaw engine calibrate --encoder efficientnet-lite0 --data pictures/ --dim 256");
  command->callback([o] { calibrate(*o); });
}

}  // namespace jackdaw::app
