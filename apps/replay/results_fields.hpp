// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every field of the results once, for writing and for reading: Object is the struct or const of
// it. The names are those in results.json.

#include "replay/results.hpp"

namespace jackdaw::replay {

#define JACKDAW_FIELDS(Type)                                                              \
  template <class Object, class Field,                                                    \
            std::enable_if_t<std::is_same_v<std::remove_const_t<Object>, Type>, int> = 0> \
  void each_field(Object& o, const Field& field)

JACKDAW_FIELDS(Spread) {
  field("mean", o.mean);
  field("std", o.std);
  field("runs", o.runs);
}

JACKDAW_FIELDS(Band) {
  field("mean", o.mean);
  field("std", o.std);
}

JACKDAW_FIELDS(Curves) {
  field("batches", o.batches);
  field("overall", o.overall);
  field("tasks", o.tasks);
  field("classes", o.classes);
}

JACKDAW_FIELDS(ClassResult) {
  field("name", o.name);
  field("accuracy", o.accuracy);
  field("forgetting", o.forgetting);
  field("taught", o.taught);
}

JACKDAW_FIELDS(Unknown) {
  field("auroc", o.auroc);
  field("taught", o.taught);
  field("untaught", o.untaught);
  field("batch", o.batch);
}

JACKDAW_FIELDS(Seconds) {
  field("teach", o.teach);
  field("predict", o.predict);
  field("lessons", o.lessons);
  field("answers", o.answers);
}

JACKDAW_FIELDS(DefaultRule) {
  field("levels", o.levels);
  field("lambda", o.lambda);
  field("offset_examples", o.offset_examples);
  field("prior_examples", o.prior_examples);
  field("prior_variance", o.prior_variance);
  field("shrink_examples", o.shrink_examples);
  field("pool_examples", o.pool_examples);
  field("least_norm", o.least_norm);
  field("temperature", o.temperature);
}

JACKDAW_FIELDS(SeedRule) {
  field("learning_rate", o.learning_rate);
  field("tau", o.tau);
  field("fan_in_of_paper", o.fan_in_of_paper);
}

JACKDAW_FIELDS(EnsembleSettings) {
  field("profile", o.profile);
  field("classifiers", o.classifiers);
  field("nearest", o.nearest);
  field("store", o.store);
  field("default_rule", o.default_rule);
  field("seed_rule", o.seed_rule);
}

JACKDAW_FIELDS(RowSettings) {
  field("dimensions", o.dimensions);
  field("ensemble", o.ensemble);
  field("knn_buffer_bytes", o.knn_buffer_bytes);
  field("linear_initial_scale", o.linear_initial_scale);
  field("linear_tau", o.linear_tau);
  field("slda_shrinkage", o.slda_shrinkage);
  field("sign_lessons", o.sign_lessons);
}

JACKDAW_FIELDS(Row) {
  field("data", o.data);
  field("schedule", o.schedule);
  field("encoder", o.encoder);
  field("head", o.head);
  field("profile", o.profile);
  field("group", o.group);
  field("label", o.label);
  field("stream", o.stream);
  field("accuracy", o.accuracy);
  field("forgetting", o.forgetting);
  field("unknown", o.unknown);
  field("calibration_error", o.calibration_error);
  field("memory_bytes", o.memory_bytes);
  field("seconds", o.seconds);
  field("settings", o.settings);
  field("curves", o.curves);
  field("classes", o.classes);
}

JACKDAW_FIELDS(Occupancy) {
  field("batches_in_bin", o.batches_in_bin);
  field("examples", o.examples);
}

JACKDAW_FIELDS(StreamInfo) {
  field("data", o.data);
  field("schedule", o.schedule);
  field("grouping", o.grouping);
  field("batches", o.batches);
  field("batch_size", o.batch_size);
  field("full_batches", o.full_batches);
  field("shortened", o.shortened);
  field("evaluate_every", o.evaluate_every);
  field("tasks", o.tasks);
  field("occupancy", o.occupancy);
}

JACKDAW_FIELDS(DataInfo) {
  field("name", o.name);
  field("path", o.path);
  field("classes", o.classes);
  field("train", o.train);
  field("test", o.test);
  field("skipped", o.skipped);
  field("full_train", o.full_train);
  field("sha256", o.sha256);
}

JACKDAW_FIELDS(EncoderInfo) {
  field("name", o.name);
  field("hash", o.hash);
  field("description", o.description);
  field("calibration", o.calibration);
  field("backend", o.backend);
  field("output_size", o.output_size);
  field("encoded", o.encoded);
  field("pictures_per_second", o.pictures_per_second);
}

JACKDAW_FIELDS(Published) {
  field("data", o.data);
  field("schedule", o.schedule);
  field("model", o.model);
  field("accuracy", o.accuracy);
  field("forgetting", o.forgetting);
}

JACKDAW_FIELDS(Machine) {
  field("processor", o.processor);
  field("system", o.system);
  field("backend", o.backend);
  field("cores", o.cores);
  field("memory_bytes", o.memory_bytes);
}

JACKDAW_FIELDS(Versions) {
  field("jackdaw", o.jackdaw);
  field("opencv", o.opencv);
  field("compiler", o.compiler);
}

JACKDAW_FIELDS(ActivationMoment) {
  field("batch", o.batch);
  field("values", o.values);
  field("answer", o.answer);
}

JACKDAW_FIELDS(SamplePicture) {
  field("picture", o.picture);
  field("label", o.label);
  field("task", o.task);
  field("thumbnail", o.thumbnail);
  field("classifiers", o.classifiers);
  field("weights", o.weights);
  field("moments", o.moments);
}

JACKDAW_FIELDS(Activations) {
  field("data", o.data);
  field("schedule", o.schedule);
  field("encoder", o.encoder);
  field("profile", o.profile);
  field("classes", o.classes);
  field("pictures", o.pictures);
}

JACKDAW_FIELDS(KeyUse) {
  field("data", o.data);
  field("encoder", o.encoder);
  field("profile", o.profile);
  field("classifiers", o.classifiers);
  field("nearest", o.nearest);
  field("in_column", o.in_column);
  field("unused", o.unused);
  field("share", o.share);
}

JACKDAW_FIELDS(EmbeddingMap) {
  field("data", o.data);
  field("encoder", o.encoder);
  field("method", o.method);
  field("x", o.x);
  field("y", o.y);
  field("label", o.label);
}

JACKDAW_FIELDS(Exhibits) {
  field("activations", o.activations);
  field("keys", o.keys);
  field("maps", o.maps);
}

JACKDAW_FIELDS(Call) {
  field("command", o.command);
  field("started", o.started);
  field("processor", o.processor);
  field("jackdaw", o.jackdaw);
  field("total_seconds", o.total_seconds);
}

JACKDAW_FIELDS(Results) {
  field("command", o.command);
  field("started", o.started);
  field("seed", o.seed);
  field("runs", o.runs);
  field("threads", o.threads);
  field("total_seconds", o.total_seconds);
  field("peak_memory_bytes", o.peak_memory_bytes);
  field("versions", o.versions);
  field("machine", o.machine);
  field("data", o.data);
  field("encoders", o.encoders);
  field("streams", o.streams);
  field("rows", o.rows);
  field("published", o.published);
  field("notes", o.notes);
  field("calls", o.calls);
  field("exhibits", o.exhibits);
}

#undef JACKDAW_FIELDS

}  // namespace jackdaw::replay
