// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything a replay found out, as one tree of plain structs: what results.json holds, what
// `compare` reads and what a report draws. Accuracies and forgetting are percentages, 0 to 100.
//
//   Results results = read_results("a.json");
//   for (const Row& row : results.rows) print(row.head, row.accuracy.mean, row.accuracy.std);

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jackdaw/settings.hpp"

namespace jackdaw::replay {

// A number for each run. std is the sample's deviation (divided by runs - 1); 0 for one run.
struct Spread {
  double mean = 0.0;
  double std = 0.0;
  std::vector<double> runs;
};

Spread spread_of(std::vector<double> runs);

// A curve over the evaluations of a stream: mean and deviation over the runs at each.
struct Band {
  std::vector<double> mean;
  std::vector<double> std;
};

struct Curves {
  std::vector<std::uint32_t> batches;  // batches taught before each evaluation; the last is all
  Band overall;                        // mean over all classes
  // By position in the stream: tasks[0] is whatever a run taught first. The paper's curves.
  std::vector<Band> tasks;
  std::vector<std::vector<double>> classes;  // [class][evaluation], mean over the runs
};

struct ClassResult {
  std::string name;
  Spread accuracy;          // after the stream
  double forgetting = 0.0;  // mean over the runs
  double taught = 0.0;      // examples, mean over the runs
};

// Whether "unknown" can be told: pictures of classes that were taught against those of classes
// that were not yet, at the last evaluation at which at most half of the classes had been taught.
struct Unknown {
  double auroc = 0.0;   // mean over the runs; 1 is perfect, 0.5 is chance
  double taught = 0.0;  // classes, mean over the runs
  double untaught = 0.0;
  double batch = 0.0;  // when, mean over the runs
};

struct Seconds {  // of one run, mean over the runs
  double teach = 0.0;
  double predict = 0.0;  // all evaluations; includes refreshes before them
  double lessons = 0.0;  // examples taught in `teach`
  double answers = 0.0;  // answers given in `predict`
};

// What a row was run with, enough to repeat it.
struct RowSettings {
  EnsembleSettings ensemble;     // for the other heads: what memory they are compared at
  std::uint32_t dimensions = 0;  // of the embeddings, after --dim
  std::uint64_t knn_buffer_bytes = 0;
  float linear_initial_scale = 0.0F;
  float linear_tau = 0.0F;
  float slda_shrinkage = 0.0F;
  bool sign_lessons = false;
};

struct Row {
  std::string data, schedule, encoder, head, profile;  // profile: empty unless head is "ensemble"
  std::string group;         // which table it belongs to: "", or in `paper` "main", "ablation", ...
  std::string label;         // what sets it apart from rows that are else alike: "n=128 k=8"
  std::uint32_t stream = 0;  // index into Results::streams
  Spread accuracy;
  Spread forgetting;
  std::optional<Unknown> unknown;
  double calibration_error = 0.0;  // expected calibration error after the stream, 0 to 100
  std::uint64_t memory_bytes = 0;
  Seconds seconds;
  RowSettings settings;
  Curves curves;
  std::vector<ClassResult> classes;
};

// "ensemble seed n=128 k=8", "knn"
std::string what_of(const Row& row);

// The classes of a stream over time, as in the paper's figure of the Gaussian schedule.
struct Occupancy {
  std::uint32_t batches_in_bin = 10;
  std::vector<std::vector<std::uint32_t>> examples;  // [class][bin]: taught in run 0
};

struct StreamInfo {
  std::string data, schedule;
  std::string grouping;  // "random", "superclass", "file", "none"
  std::uint32_t batches = 0, batch_size = 0;
  std::uint32_t full_batches = 0;     // what the schedule asks for on the whole data set
  bool shortened = false;             // batches < full_batches: every part in proportion
  std::uint32_t evaluate_every = 10;  // batches; forgetting is a maximum over these moments
  std::vector<std::vector<std::uint32_t>> tasks;  // of run 0: classes, in the order taught
  Occupancy occupancy;
};

struct DataInfo {
  std::string name, path;
  std::vector<std::string> classes;
  std::uint64_t train = 0, test = 0;  // pictures used
  std::uint64_t skipped = 0;          // broken pictures that were left out
  std::uint64_t full_train = 0;       // of the whole data set, where it is a known one; else 0
  std::string sha256;                 // of all pictures' hashes and labels, the broken ones, too
};

struct EncoderInfo {
  std::string name, hash, description, calibration;
  std::string backend;  // of those encoded now; empty if all came from the cache
  std::uint32_t output_size = 0;
  std::uint64_t encoded = 0;  // now; the others were in the cache
  double pictures_per_second = 0.0;
};

// A figure that others have published, to stand beside a row of the same data and schedule.
struct Published {
  std::string data, schedule, model;  // model: "the paper's ensemble", "CN-DPM", ...
  std::optional<double> accuracy, forgetting;
};

struct Machine {
  std::string processor, system, backend;  // backend: of the ensemble, "cpu avx2"
  std::uint32_t cores = 0;
  std::uint64_t memory_bytes = 0;
};

struct Versions {
  std::string jackdaw, opencv, compiler;
};

// What two pictures look like to the classifiers that answer for them, at some moments of run 0:
// the values before the weighted mean. Not a number: the class had not been taught yet.
struct ActivationMoment {
  std::uint32_t batch = 0;                  // batches taught before
  std::vector<std::vector<double>> values;  // [classifier][shown class]
  std::vector<double> answer;               // [shown class]: their weighted mean
};

struct SamplePicture {
  std::uint32_t picture = 0;  // index in the test split
  std::uint32_t label = 0;
  std::uint32_t task = 0;                  // in which its class is taught, from 0
  std::string thumbnail;                   // a small PNG in base64, or empty
  std::vector<std::uint32_t> classifiers;  // the k chosen
  std::vector<double> weights;
  std::vector<ActivationMoment> moments;
};

struct Activations {
  std::string data, schedule, encoder, profile;
  std::vector<std::uint32_t> classes;  // shown: all, or of many those that matter most
  std::vector<SamplePicture> pictures;
};

// Which keys answer for which class. Classifiers are sorted by the class they answer for most, and
// neighbours are put together in columns.
struct KeyUse {
  std::string data, encoder, profile;
  std::uint32_t classifiers = 0, nearest = 0, in_column = 1;
  std::uint32_t unused = 0;                // classifiers that answer for no test picture
  std::vector<std::vector<double>> share;  // [class][column]: percent of the class's answers
};

// Some test embeddings in two dimensions, each coordinate in 0 .. 1000.
struct EmbeddingMap {
  std::string data, encoder, method;
  std::vector<std::uint32_t> x, y, label;
};

// Not measured but shown: only a report needs it, so it may be missing.
struct Exhibits {
  std::vector<Activations> activations;
  std::vector<KeyUse> keys;
  std::vector<EmbeddingMap> maps;
};

// One of several calls whose results were put together.
struct Call {
  std::string command, started, processor, jackdaw;
  double total_seconds = 0.0;
};

struct Results {
  static constexpr int kSchema = 1;
  std::string command;  // as it was called
  std::string started;  // UTC, ISO 8601
  std::uint64_t seed = 0;
  std::uint32_t runs = 0, threads = 0;
  double total_seconds = 0.0;
  std::uint64_t peak_memory_bytes = 0;  // of the whole process
  Versions versions;
  Machine machine;
  std::vector<DataInfo> data;
  std::vector<EncoderInfo> encoders;
  std::vector<StreamInfo> streams;
  std::vector<Row> rows;
  std::vector<Published> published;  // `paper` only
  std::vector<std::string> notes;    // for people: what was left out, and why
  std::vector<Call> calls;           // all of them, if there was more than one
  Exhibits exhibits;
};

}  // namespace jackdaw::replay
