// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/engine_builder.hpp"

#include <algorithm>

#include "trt/trt_log.hpp"

namespace jackdaw::trt {
namespace {

[[noreturn]] void fail(const std::string& what) { throw TrtError(what + logger().because()); }

std::string to_text(const nvinfer1::Dims& shape) {
  std::string text;
  for (int i = 0; i < shape.nbDims; ++i) {
    text += (i == 0 ? "" : "x") + (shape.d[i] < 0 ? "?" : std::to_string(shape.d[i]));
  }
  return text.empty() ? "nothing" : text;
}

nvinfer1::Dims4 input_shape(const GraphShape& graph, std::uint32_t batch) {
  return {static_cast<std::int32_t>(batch), static_cast<std::int32_t>(graph.channels),
          static_cast<std::int32_t>(graph.height), static_cast<std::int32_t>(graph.width)};
}

// The network refers to constants that the parser owns, so the parser must live until the build is
// done.
Owned<nvonnxparser::IParser> parse(nvinfer1::INetworkDefinition& network,
                                   const BuildSettings& settings) {
  Owned<nvonnxparser::IParser> parser(nvonnxparser::createParser(network, logger()));
  if (!parser) fail("TensorRT's ONNX parser did not start");
  if (parser->parse(settings.onnx.data(), settings.onnx.size(), settings.onnx_path.c_str()))
    return parser;
  std::string why = settings.onnx_path + ": TensorRT cannot read this graph";
  const int errors = std::min(parser->getNbErrors(), 3);
  for (int i = 0; i < errors; ++i) why += std::string("; ") + parser->getError(i)->desc();
  throw TrtError(why);
}

nvinfer1::ITensor& find_input(const nvinfer1::INetworkDefinition& network,
                              const BuildSettings& settings) {
  if (network.getNbInputs() != 1 || settings.graph.input_name != network.getInput(0)->getName()) {
    std::string names;
    for (int i = 0; i < network.getNbInputs(); ++i) {
      names += (i == 0 ? "" : ", ") + std::string(network.getInput(i)->getName());
    }
    throw TrtError(settings.onnx_path + ": the manifest names the one input '" +
                   settings.graph.input_name + "', the graph has: " + names);
  }
  return *network.getInput(0);
}

void check_input(const nvinfer1::ITensor& input, const BuildSettings& settings) {
  const GraphShape& graph = settings.graph;
  const nvinfer1::Dims shape = input.getDimensions();
  const nvinfer1::Dims4 wanted = input_shape(graph, settings.batch.max);
  bool fits = shape.nbDims == 4 && input.getType() == nvinfer1::DataType::kFLOAT;
  for (int i = 1; fits && i < 4; ++i) fits = shape.d[i] < 0 || shape.d[i] == wanted.d[i];
  if (!fits) {
    throw TrtError(settings.onnx_path + ": the input '" + graph.input_name +
                   "' must be float and hold ?x" + std::to_string(graph.channels) + "x" +
                   std::to_string(graph.height) + "x" + std::to_string(graph.width) +
                   ", as the manifest says; the graph has " + to_text(shape) +
                   (input.getType() == nvinfer1::DataType::kFLOAT ? "" : ", not of float"));
  }
  const BatchRange& batch = settings.batch;
  if (shape.d[0] >= 0 &&
      (batch.min != batch.max || static_cast<std::uint32_t>(shape.d[0]) != batch.max)) {
    throw TrtError(settings.onnx_path + ": the graph takes exactly " + std::to_string(shape.d[0]) +
                   " pictures at once, " + std::to_string(batch.min) + " to " +
                   std::to_string(batch.max) +
                   " were asked for; ask for that number, or export the graph with an open batch");
  }
}

void keep_one_output(nvinfer1::INetworkDefinition& network, const BuildSettings& settings) {
  const std::string& name = settings.graph.output_name;
  nvinfer1::ITensor* found = nullptr;
  std::string names;
  for (int i = network.getNbOutputs(); i-- > 0;) {
    nvinfer1::ITensor* output = network.getOutput(i);
    names += (names.empty() ? "" : ", ") + std::string(output->getName());
    if (name == output->getName()) {
      found = output;
    } else {
      network.unmarkOutput(*output);
    }
  }
  if (found == nullptr) {
    throw TrtError(settings.onnx_path + ": the manifest names the output '" + name +
                   "', the graph has: " + names);
  }
  const nvinfer1::Dims shape = found->getDimensions();
  std::uint64_t values = shape.nbDims < 2 ? 0 : 1;
  bool open = false;  // a size that the parser cannot tell; the encoder checks it when it starts
  for (int i = 1; i < shape.nbDims; ++i) {
    open = open || shape.d[i] < 0;
    values *= static_cast<std::uint64_t>(std::max<compat::Extent>(shape.d[i], 0));
  }
  if (found->getType() != nvinfer1::DataType::kFLOAT ||
      (!open && values != settings.graph.output_size)) {
    throw TrtError(settings.onnx_path + ": the output '" + name + "' must be float and hold ?x" +
                   std::to_string(settings.graph.output_size) +
                   ", as the manifest says; the graph has " + to_text(shape) +
                   (found->getType() == nvinfer1::DataType::kFLOAT ? "" : ", not of float"));
  }
}

void add_profile(nvinfer1::IBuilder& builder, nvinfer1::IBuilderConfig& config,
                 const BuildSettings& settings) {
  using Which = nvinfer1::OptProfileSelector;
  nvinfer1::IOptimizationProfile* profile = builder.createOptimizationProfile();  // the builder's
  const char* name = settings.graph.input_name.c_str();
  const auto set = [&](Which which, std::uint32_t batch) {
    return profile->setDimensions(name, which, input_shape(settings.graph, batch));
  };
  if (profile == nullptr || !set(Which::kMIN, settings.batch.min) ||
      !set(Which::kOPT, settings.batch.opt) || !set(Which::kMAX, settings.batch.max) ||
      config.addOptimizationProfile(profile) < 0) {
    fail(settings.onnx_path + ": TensorRT does not take the batches " +
         std::to_string(settings.batch.min) + ":" + std::to_string(settings.batch.opt) + ":" +
         std::to_string(settings.batch.max));
  }
}

// A cache only saves time: one that TensorRT does not like is started anew.
Owned<nvinfer1::ITimingCache> use_timing_cache(nvinfer1::IBuilderConfig& config,
                                               Span<const std::byte> stored) {
  Owned<nvinfer1::ITimingCache> cache(config.createTimingCache(stored.data(), stored.size()));
  if (cache && config.setTimingCache(*cache, false)) return cache;
  if (!stored.empty()) {
    logger().say(JACKDAW_TRT_WARNING,
                 "TensorRT does not take the stored timing cache; a new one is begun");
    cache.reset(config.createTimingCache(nullptr, 0));
    if (cache && config.setTimingCache(*cache, false)) return cache;
  }
  return nullptr;
}

void check_settings(const BuildSettings& settings) {
  const BatchRange& batch = settings.batch;
  const GraphShape& graph = settings.graph;
  constexpr std::uint32_t kMost = 1U << 20U;  // far above any graph, far below what overflows
  if (batch.min == 0 || batch.min > batch.opt || batch.opt > batch.max || batch.max > kMost) {
    throw TrtError("batch " + std::to_string(batch.min) + ":" + std::to_string(batch.opt) + ":" +
                   std::to_string(batch.max) + " is not least:usual:most, each 1 or more");
  }
  for (const std::uint32_t size : {graph.channels, graph.height, graph.width, graph.output_size}) {
    if (size == 0 || size > kMost) throw TrtError("a size of the graph is 0 or over 2^20");
  }
}

}  // namespace

BuiltEngine build_engine(const BuildSettings& settings, const BuildProgress::Report& report) {
  check_settings(settings);
  logger().forget();
  // Before everything that TensorRT makes, so that it outlives it.
  BuildProgress progress(0.1, 0.95, report);
  const auto go_on = [&](double done, const char* step) {
    if (!progress.report(done, step)) throw BuildCancelled("the engine build was stopped");
  };
  go_on(0.0, "starting TensorRT");
  const Owned<nvinfer1::IBuilder> builder(compat::create_builder(logger()));
  if (!builder) fail("TensorRT's builder did not start");
  const Owned<nvinfer1::INetworkDefinition> network(
      builder->createNetworkV2(compat::network_flags()));
  if (!network) fail("TensorRT gave no network to fill");
  const Owned<nvinfer1::IBuilderConfig> config(builder->createBuilderConfig());
  if (!config) fail("TensorRT gave no settings to fill");

  go_on(0.05, "reading the graph");
  const Owned<nvonnxparser::IParser> parser = parse(*network, settings);
  nvinfer1::ITensor& input = find_input(*network, settings);
  check_input(input, settings);
  keep_one_output(*network, settings);
  if (input.getDimensions().d[0] < 0) add_profile(*builder, *config, settings);
  compat::allow_types(*config, *network, settings.precision == Precision::kHalf);
  if (settings.workspace_bytes != 0) {
    config->setMemoryPoolLimit(nvinfer1::MemoryPoolType::kWORKSPACE,
                               static_cast<std::size_t>(settings.workspace_bytes));
  }
  const Owned<nvinfer1::ITimingCache> timings = use_timing_cache(*config, settings.timing_cache);
  compat::set_progress_monitor(*config, progress);
  logger().forget();  // timings that were refused are not why a build fails

  go_on(0.1, "building the engine");
  BuiltEngine built;
  built.plan.reset(builder->buildSerializedNetwork(*network, *config));
  if (progress.cancelled()) throw BuildCancelled("the engine build was stopped");
  if (!built.plan || built.plan->size() == 0) {
    fail(settings.onnx_path + ": TensorRT could not build an engine");
  }
  if (timings) built.timing_cache.reset(timings->serialize());
  go_on(0.95, "storing the engine");
  return built;
}

}  // namespace jackdaw::trt
