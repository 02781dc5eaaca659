// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cuda/device_plan.hpp"

#include <algorithm>
#include <string>

#include "core/checked.hpp"
#include "core/section.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw::cuda {
namespace {

constexpr std::uint64_t kPieceAlignment = 256;  // bytes; of everything a kernel is given

std::uint64_t round_up(std::uint64_t bytes) {
  return checked_sum("the plan", bytes, kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
}

// Hands out pieces of a block; with null bases it only counts.
class Cutter {
 public:
  Cutter(std::byte* host, std::byte* device) : host_(host), device_(device) {}

  template <class T>
  struct Piece {
    T* host = nullptr;
    T* device = nullptr;
  };

  template <class T>
  Piece<T> take(std::initializer_list<std::uint64_t> counts) {
    const std::uint64_t count = checked_product("scratch", counts);
    Piece<T> piece;
    if (host_ != nullptr) piece.host = reinterpret_cast<T*>(host_ + used_);
    if (device_ != nullptr) piece.device = reinterpret_cast<T*>(device_ + used_);
    used_ = round_up(checked_sum("scratch", used_, checked_product("scratch", {count, sizeof(T)})));
    return piece;
  }

  std::uint64_t used() const { return used_; }

 private:
  std::byte* host_;
  std::byte* device_;
  std::uint64_t used_ = 0;
};

// What one context, or the teacher, computes in.
void cut_device(Cutter& c, const EnsembleSettings& s, Query& q) {
  const std::uint64_t batch = s.max_batch;
  const bool seed = s.profile == Profile::kSeed;
  q.similarities = c.take<std::int32_t>({batch, s.classifiers}).device;
  q.chosen = c.take<std::uint32_t>({batch, s.nearest}).device;
  q.weights = c.take<float>({batch, s.nearest}).device;
  q.coefficients = c.take<float>({batch, s.nearest, seed ? 1U : 0U}).device;
  q.whitened = c.take<float>({batch, padded(s.dimensions), seed ? 0U : 1U}).device;
  q.class_answers = c.take<float>({batch, s.max_classes, seed ? 0U : 1U}).device;
  q.row_answers = c.take<RowAnswer>({batch, s.max_classes, s.nearest, seed ? 0U : 1U}).device;
}

void cut_mapped(Cutter& c, const EnsembleSettings& s, Area& area) {
  const std::uint64_t batch = s.max_batch;
  const std::uint64_t element = s.profile == Profile::kSeed ? sizeof(float) : 1;
  const auto examples = c.take<std::byte>({batch, padded(s.dimensions), element});
  const auto totals = c.take<float>({batch});
  const auto scores = c.take<ClassScore>({batch, s.max_classes});
  const auto square = c.take<double>({1});
  area.query.examples = examples.device;
  area.query.totals = totals.device;
  area.query.scores = scores.device;
  area.query.square = square.device;
  area.examples = examples.host;
  area.totals = totals.host;
  area.scores = scores.host;
  area.square = square.host;
}

// The teacher's own.
void cut_teacher(Cutter& device, Cutter& mapped, const EnsembleSettings& s, Layout& out) {
  const bool seed = s.profile == Profile::kSeed;
  out.teacher.work = device.take<float>({s.max_batch, padded(s.dimensions), seed ? 0U : 1U}).device;
  const auto targets = mapped.take<TeachTarget>({s.max_batch});
  out.teacher.targets = targets.device;
  out.targets = targets.host;
  out.teacher.clipped = mapped.take<std::int32_t>({s.max_classes}).host;
}

std::uint64_t staging_bytes(const EnsembleSettings& s) {
  return std::max(ClassSection(s).bytes, SharedSection(s).bytes);
}

std::uint64_t refresh_staging_bytes(const EnsembleSettings& s) {
  if (s.profile == Profile::kSeed) return 0;
  const std::uint64_t stride = padded(s.dimensions);
  return checked_product("refresh", {2, stride, stride, 4}) +
         checked_product("refresh", {s.max_classes, stride, 4}) + std::uint64_t{s.max_classes} * 4;
}

bool of_store(const PlannedSection& section) {
  return section.purpose != "scratch" && section.purpose != "undo";
}

class Sections {
 public:
  explicit Sections(MemoryPlan& plan) : plan_(plan) {}

  void add(const char* name, const char* purpose, std::uint64_t bytes) {
    if (bytes == 0) return;
    plan_.sections.push_back({name, purpose, plan_.total_bytes, bytes});
    plan_.total_bytes = round_up(checked_sum(name, plan_.total_bytes, bytes));
  }

 private:
  MemoryPlan& plan_;
};

}  // namespace

DevicePlan::DevicePlan(const EnsembleSettings& s) {
  EnsembleSettings unlimited = s;
  unlimited.budget_bytes = 0;  // the CPU's scratch is not ours; the sum below is checked
  const MemoryPlan base = plan_memory(unlimited);
  Sections sections(plan);
  for (const PlannedSection& section : base.sections) {
    if (of_store(section))
      sections.add(section.name.c_str(), section.purpose.c_str(), section.bytes);
  }
  Cutter device(nullptr, nullptr);
  Cutter mapped(nullptr, nullptr);
  Cutter teacher_device(nullptr, nullptr);
  Cutter teacher_mapped(nullptr, nullptr);
  Area area;
  Layout layout;
  cut_device(device, s, area.query);
  cut_mapped(mapped, s, area);
  cut_teacher(teacher_device, teacher_mapped, s, layout);
  sections.add("whitening views", "statistics",
               s.profile == Profile::kSeed ? 0 : 3 * sizeof(WhitenerView) + 2 * 256);
  sections.add("contexts", "scratch", checked_product("contexts", {s.contexts, device.used()}));
  sections.add("teacher", "scratch", checked_sum("teacher", device.used(), teacher_device.used()));
  device_bytes = plan.total_bytes;
  sections.add("pinned contexts", "scratch",
               checked_product("contexts", {s.contexts, mapped.used()}));
  sections.add("pinned teacher", "scratch",
               checked_sum("teacher", mapped.used(), teacher_mapped.used()));
  sections.add("pinned chosen", "scratch", checked_product("chosen", {s.contexts, s.nearest, 4}));
  sections.add("pinned class counts", "statistics", std::uint64_t{s.max_classes} * 4);
  sections.add("pinned staging", "scratch", staging_bytes(s));
  sections.add("pinned refresh", "scratch", refresh_staging_bytes(s));
  mapped_bytes = plan.total_bytes - device_bytes;
  for (const PlannedSection& section : base.sections) {
    if (section.purpose == "keys") {
      sections.add(("host " + section.name).c_str(), "keys", section.bytes);
    }
  }
  for (const PlannedSection& section : base.sections) {
    if (section.name == "refresh" || section.purpose == "undo") {
      sections.add(section.name.c_str(), section.purpose.c_str(), section.bytes);
    }
  }
  host_bytes = plan.total_bytes - device_bytes - mapped_bytes;
  if (s.budget_bytes != 0 && plan.total_bytes > s.budget_bytes) {
    throw CapacityError(
        "with CUDA the plan needs " + std::to_string(plan.total_bytes) + " bytes (" +
        std::to_string(device_bytes) + " of them on the device), the budget is " +
        std::to_string(s.budget_bytes) +
        "; give fewer classes, classifiers, dimensions or a smaller batch, or a larger budget");
  }
}

Layout lay_out(const EnsembleSettings& s, const DevicePlan& planned, std::byte* device,
               Mapped mapped, std::byte* host) {
  const MemoryPlan& plan = planned.plan;
  // Blocks lie apart, offsets count through: where a section's block starts is what differs.
  const auto find = [&](const char* name) -> const PlannedSection* {
    for (const PlannedSection& section : plan.sections) {
      if (section.name == name) return &section;
    }
    return nullptr;
  };
  const auto at = [&](const char* name, std::byte* block, std::uint64_t start) -> std::byte* {
    const PlannedSection* section = find(name);
    return section == nullptr ? nullptr : block + (section->offset - start);
  };
  const auto on_device = [&](const char* name) { return at(name, device, 0); };
  const auto mapped_host = [&](const char* name) {
    return at(name, mapped.host, planned.device_bytes);
  };
  const auto mapped_device = [&](const char* name) {
    return at(name, mapped.device, planned.device_bytes);
  };
  const auto on_host = [&](const char* name) -> Span<std::byte> {
    const PlannedSection* section = find(name);
    if (section == nullptr) return {};
    return {host + (section->offset - planned.device_bytes - planned.mapped_bytes),
            static_cast<std::size_t>(section->bytes)};
  };

  Layout out;
  const bool seed = s.profile == Profile::kSeed;
  const std::size_t stride = padded(s.dimensions);
  out.store.shape = shape_of(s);
  out.store.keys = reinterpret_cast<const std::int8_t*>(on_device("keys"));
  out.store.inverse_lengths = reinterpret_cast<const float*>(on_device("key lengths"));
  out.store.rows = on_device("rows");
  out.store.counts = reinterpret_cast<std::int32_t*>(on_device("counts"));
  out.store.class_sums = reinterpret_cast<std::int32_t*>(on_device("class sums"));
  out.store.scatter = reinterpret_cast<std::int32_t*>(on_device("scatter"));
  out.store.class_counts = reinterpret_cast<std::int32_t*>(on_device("class counts"));
  out.store.class_clipped = reinterpret_cast<std::int32_t*>(on_device("class clipped"));
  if (!seed) {
    std::byte* views = on_device("whitening views");
    out.views = reinterpret_cast<WhitenerView*>(views);
    for (std::size_t w = 0; w < 2; ++w) {
      out.inverse[w] = reinterpret_cast<float*>(on_device("whitening")) + w * stride * stride;
      out.whitener[w].inverse = out.inverse[w];
      out.whitener[w].class_norms =
          reinterpret_cast<float*>(on_device("class norms")) + w * s.max_classes;
      out.whitener[w].pooled = reinterpret_cast<Pooled*>(views + 256 + w * 64);
    }
  }

  Cutter device_contexts(nullptr, on_device("contexts"));
  Cutter mapped_contexts(mapped_host("pinned contexts"), mapped_device("pinned contexts"));
  out.contexts.resize(s.contexts);
  for (Area& area : out.contexts) {
    cut_device(device_contexts, s, area.query);
    cut_mapped(mapped_contexts, s, area);
  }
  Cutter device_teacher(nullptr, on_device("teacher"));
  Cutter mapped_teacher(mapped_host("pinned teacher"), mapped_device("pinned teacher"));
  cut_device(device_teacher, s, out.teaching.query);
  cut_mapped(mapped_teacher, s, out.teaching);
  cut_teacher(device_teacher, mapped_teacher, s, out);
  out.teacher.query = out.teaching.query;

  out.chosen = reinterpret_cast<std::uint32_t*>(mapped_host("pinned chosen"));
  out.class_counts = reinterpret_cast<std::int32_t*>(mapped_host("pinned class counts"));
  out.staging = mapped_host("pinned staging");
  out.refresh_staging = mapped_host("pinned refresh");
  out.refresh = reinterpret_cast<double*>(on_host("refresh").data());
  out.keys = on_host("host keys");
  const Span<std::byte> lengths = on_host("host key lengths");
  out.inverse_lengths = {reinterpret_cast<float*>(lengths.data()), lengths.size() / sizeof(float)};
  out.undo = on_host("undo ring");
  return out;
}

}  // namespace jackdaw::cuda
