// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Set-up and answering; the rest is in gpu_ensemble_{teach,classes,state}.cpp.
#include "cuda/gpu_ensemble.hpp"

#include <algorithm>
#include <cstring>

#include "core/door.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/log.hpp"

namespace jackdaw::cuda {
namespace {

const EnsembleSettings& checked(const EnsembleSettings& s) {
  validate(s);
  if (s.store == StoreType::kInt32) {
    throw SettingsError(
        "the CUDA backend stores 16-bit elements (int16, half); int32 is for the CPU only");
  }
  return s;
}

}  // namespace

void log_failure(const char* what, const std::exception& error) {
  log(LogLevel::kError, std::string(what) + " failed: " + error.what());
}

GpuEnsemble::GpuEnsemble(const EnsembleSettings& settings, Span<const std::int8_t> keys,
                         std::unique_ptr<Gpu> gpu, Span<void* const> streams)
    : settings_(checked(settings)),
      plan_(settings_),
      example_bytes_(settings.dimensions * (seed() ? sizeof(float) : 1)),
      host_(new std::byte[plan_.host_bytes]()),
      gpu_(std::move(gpu)),
      at_(lay_out(settings_, plan_, gpu_->allocate(plan_.device_bytes),
                  gpu_->allocate_mapped(plan_.mapped_bytes), host_.get())),
      diagonal_(seed() ? 0 : stride()),
      closing_(diagonal_.size()),
      class_counts_(new std::atomic<std::int32_t>[settings.max_classes]),
      class_clipped_(new std::atomic<std::int32_t>[settings.max_classes]) {
  if (!streams.empty() && streams.size() != settings_.contexts) {
    throw SettingsError(std::to_string(streams.size()) + " streams were given for " +
                        std::to_string(settings_.contexts) + " contexts");
  }
  store_ = {at_.store, seed() ? nullptr : at_.views + 2, rule_of(settings_), settings_.profile,
            settings_.store};
  for (std::uint32_t c = 0; c < settings_.contexts; ++c) {
    context_lanes_.push_back(
        gpu_->add_lane(Urgency::kAnswer, streams.empty() ? nullptr : streams[c]));
  }
  teacher_lane_ = gpu_->add_lane(Urgency::kLesson);
  refresh_lane_ = gpu_->add_lane(Urgency::kBackground);
  for (std::uint32_t slot = 0; slot < settings_.max_classes; ++slot) {
    class_counts_[slot] = at_.class_counts[slot] = -1;
    class_clipped_[slot] = 0;
  }
  set_up_keys(settings_, keys, {reinterpret_cast<std::int8_t*>(at_.keys.data()), at_.keys.size()},
              at_.inverse_lengths);
  change([&] {
    gpu_->copy(teacher_lane_, const_cast<std::int8_t*>(store_.view.keys), at_.keys.data(),
               at_.keys.size());
    if (seed()) {
      gpu_->copy(teacher_lane_, const_cast<float*>(store_.view.inverse_lengths),
                 at_.inverse_lengths.data(), at_.inverse_lengths.size_bytes());
    }
    gpu_->copy(teacher_lane_, store_.view.class_counts, at_.class_counts,
               settings_.max_classes * 4);
    if (!seed()) gpu_->copy(teacher_lane_, at_.views, at_.whitener, sizeof at_.whitener);
  });
  gpu_->load_kernels(store_);
  if (refresh() != Status::kOk)
    throw CudaError("the GPU failed while it was set up; the log says where");
  for (std::uint32_t c = 0; c < settings_.contexts; ++c) {
    // Once for real: a device that has no code for these kernels must be noticed here.
    gpu_->order_after(context_lanes_[c], teacher_lane_);
    gpu_->predict(context_lanes_[c], store_, at_.contexts[c].query, 1);
    gpu_->mark(context_lanes_[c]);
    gpu_->wait(context_lanes_[c]);
    as_graph_ = gpu_->record_predict(context_lanes_[c], store_, at_.contexts[c].query) && as_graph_;
  }
}

Status GpuEnsemble::admit(Span<const float> embedding, Span<std::byte> example) const noexcept {
  if (embedding.size() != settings_.dimensions || example.size() != example_bytes_)
    return Status::kWrongSize;
  if (seed())
    return normalise(embedding, {reinterpret_cast<float*>(example.data()), embedding.size()});
  return quantise(embedding, settings_.default_rule.levels,
                  {reinterpret_cast<std::int8_t*>(example.data()), embedding.size()});
}

std::uint32_t GpuEnsemble::put(Span<const std::byte> examples, const Area& area) const noexcept {
  const std::size_t count = examples.size() / example_bytes_;
  if (count > settings_.max_batch || count * example_bytes_ != examples.size()) return 0;
  const std::size_t padded_bytes = example_bytes_ / settings_.dimensions * stride();
  for (std::size_t b = 0; b < count; ++b) {
    std::memcpy(area.examples + b * padded_bytes, examples.data() + b * example_bytes_,
                example_bytes_);
    std::memset(area.examples + b * padded_bytes + example_bytes_, 0,
                padded_bytes - example_bytes_);
  }
  return static_cast<std::uint32_t>(count);
}

void GpuEnsemble::enqueue_admit(unsigned lane, const Area& area, const DeviceEmbedding& embedding) {
  gpu_->order_after_event(lane, embedding.ready);
  gpu_->admit(lane, store_, area.query, embedding.data);
}

// By the teacher's lane and area: what is admitted by itself is to be taught.
Status GpuEnsemble::admit_on_device(const DeviceEmbedding& embedding,
                                    Span<std::byte> example) noexcept {
  if (embedding.size != settings_.dimensions || example.size() != example_bytes_)
    return Status::kWrongSize;
  const std::lock_guard<std::mutex> teaching(teaching_);
  return guarded("admit", [&] {
    {
      const std::lock_guard<std::mutex> handing_over(enqueueing_);
      enqueue_admit(teacher_lane_, at_.teaching, embedding);
      gpu_->mark(teacher_lane_);
    }
    gpu_->wait(teacher_lane_);
    if (const Status s = check_square(*at_.teaching.square); s != Status::kOk) return s;
    std::memcpy(example.data(), at_.teaching.examples, example_bytes_);
    return Status::kOk;
  });
}

// --- answering ----------------------------------------------------------------------------------

Status GpuEnsemble::predict(std::uint32_t context, Span<const std::byte> example,
                            Span<ClassScore> scores) noexcept {
  if (example.size() != example_bytes_) return Status::kWrongSize;
  return predict_batch(context, example, scores);
}

Status GpuEnsemble::predict_batch(std::uint32_t context, Span<const std::byte> examples,
                                  Span<ClassScore> scores) noexcept {
  if (context >= settings_.contexts) return Status::kWrongSize;
  const Area& area = at_.contexts[context];
  const std::uint32_t batch = put(examples, area);
  if (batch == 0 || scores.size() != std::size_t{batch} * settings_.max_classes)
    return Status::kWrongSize;
  return ask(context, batch, nullptr, scores);
}

Status GpuEnsemble::predict_on_device(std::uint32_t context, const DeviceEmbedding& embedding,
                                      Span<ClassScore> scores) noexcept {
  if (context >= settings_.contexts || embedding.size != settings_.dimensions ||
      scores.size() != settings_.max_classes) {
    return Status::kWrongSize;
  }
  return ask(context, 1, &embedding, scores);
}

Status GpuEnsemble::ask(std::uint32_t context, std::uint32_t batch,
                        const DeviceEmbedding* embedding, Span<ClassScore> scores) noexcept {
  return guarded("predict", [&] {
    const Area& area = at_.contexts[context];
    const unsigned lane = context_lanes_[context];
    {
      const std::lock_guard<std::mutex> handing_over(enqueueing_);
      if (embedding != nullptr) enqueue_admit(lane, area, *embedding);
      gpu_->order_after(lane, teacher_lane_);
      gpu_->predict(lane, store_, area.query, batch);
      gpu_->mark(lane);
    }
    gpu_->wait(lane);
    if (embedding != nullptr) {
      if (const Status s = check_square(*area.square); s != Status::kOk) return s;
    }
    std::memcpy(scores.data(), area.scores, scores.size_bytes());
    const bool all_similar = !seed() || std::all_of(area.totals, area.totals + batch,
                                                    [](float total) { return total > 0.0F; });
    return all_similar ? Status::kOk : Status::kNoSimilarity;
  });
}

Status GpuEnsemble::nearest(std::uint32_t context, Span<const std::byte> example,
                            Span<std::uint32_t> chosen) noexcept {
  if (context >= settings_.contexts || example.size() != example_bytes_ ||
      chosen.size() != settings_.nearest) {
    return Status::kWrongSize;
  }
  const Area& area = at_.contexts[context];
  put(example, area);
  return guarded("nearest", [&] {
    const unsigned lane = context_lanes_[context];
    std::uint32_t* pinned = at_.chosen + std::size_t{context} * settings_.nearest;
    {
      const std::lock_guard<std::mutex> handing_over(enqueueing_);  // keys never change: no order
      gpu_->nearest(lane, store_, area.query, pinned);
      gpu_->mark(lane);
    }
    gpu_->wait(lane);
    std::copy_n(pinned, chosen.size(), chosen.data());
    return Status::kOk;
  });
}

std::unique_ptr<Ensemble> make_gpu_ensemble(const EnsembleSettings& settings,
                                            Span<const std::int8_t> keys, std::unique_ptr<Gpu> gpu,
                                            Span<void* const> streams) {
  return std::make_unique<GpuEnsemble>(settings, keys, std::move(gpu), streams);
}

}  // namespace jackdaw::cuda
