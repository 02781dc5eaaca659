// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/names.hpp"

#include <algorithm>
#include <filesystem>

namespace jackdaw::replay::report {
namespace {

struct Known {
  const char *key, *name, *brief, *css;
};

constexpr Known kModels[] = {
    {"vanilla", "Vanilla classifier", "vanilla", "s-vanilla"},
    {"tanh", "Tanh classifier", "tanh", "s-tanh"},
    {"ensemble seed", "Ensemble, profile seed", "ensemble seed", "s-seed"},
    {"ensemble default", "Ensemble, profile default", "ensemble default", "s-default"},
    {"ncm", "Nearest class mean", "ncm", "s-ncm"},
    {"slda", "Streaming LDA", "slda", "s-slda"},
    {"knn", "k nearest neighbours", "knn", "s-knn"},
};

std::string key_of(const Row& row) {
  return row.profile.empty() ? row.head : row.head + " " + row.profile;
}

const Known* find_model(const Row& row) {
  const std::string key = key_of(row);
  const auto* found = std::find_if(std::begin(kModels), std::end(kModels),
                                   [&](const Known& known) { return key == known.key; });
  return found == std::end(kModels) ? nullptr : found;
}

std::string with_label(std::string name, const Row& row) {
  return row.label.empty() ? name : name + ", " + row.label;
}

}  // namespace

std::string data_name(const std::string& data) {
  if (data == "mnist") return "MNIST";
  if (data == "cifar10") return "CIFAR-10";
  if (data == "cifar100") return "CIFAR-100";
  return data;
}

std::string schedule_name(const std::string& schedule) {
  if (schedule == "iid") return "i.i.d.";
  if (schedule == "gaussian") return "Gaussian";
  if (schedule == "lowdata") return "5-way, low data";
  if (schedule == "unequal") return "unequal classes";
  if (schedule.rfind("shots:", 0) == 0) return schedule.substr(6) + " a class";
  if (schedule.rfind("file:", 0) == 0) {
    return std::filesystem::path(schedule.substr(5)).filename().string();
  }
  const std::size_t digits = schedule.find_first_not_of("0123456789");
  if (digits != 0 && digits != std::string::npos && schedule.substr(digits) == "way") {
    return schedule.substr(0, digits) + "-way split";
  }
  return schedule;
}

std::string group_name(const std::string& group) {
  if (group == "few") return "Few and unequal examples";
  if (group == "ablation") return "Ablations";
  if (group == "second") return "A second encoder";
  if (group == "encoders") return "Encoders to choose from";
  return group.empty() || group == "main" ? "Accuracy" : group;
}

std::string model_name(const Row& row) {
  const Known* known = find_model(row);
  return with_label(known != nullptr ? known->name : key_of(row), row);
}

std::string short_model(const Row& row) {
  const Known* known = find_model(row);
  return with_label(known != nullptr ? known->brief : key_of(row), row);
}

std::string brief_model(const std::string& published) {
  return published.rfind("the ", 0) == 0 ? published.substr(4) : published;
}

std::string series_class(const Row& row) {
  const Known* known = find_model(row);
  return known != nullptr ? known->css : "s-other";
}

int series_rank(const Row& row) {
  const Known* known = find_model(row);
  const auto at = known != nullptr ? known - kModels : std::end(kModels) - kModels;
  return static_cast<int>(2 * at) + (row.label.empty() ? 0 : 1);
}

bool is_main(const Row& row) { return row.group.empty() || row.group == "main"; }

std::vector<const Row*> main_rows(const Results& results, const std::string& data,
                                  const std::string& schedule) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows) {
    if (is_main(row) && row.data == data && row.schedule == schedule) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row* a, const Row* b) { return series_rank(*a) < series_rank(*b); });
  return rows;
}

std::vector<Setting> settings_of(const Results& results, bool (*wanted)(const Row&)) {
  std::vector<Setting> out;
  for (const Row& row : results.rows) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const Setting& s) {
      return s.data == row.data && s.schedule == row.schedule;
    });
    if (wanted(row) && !known) out.push_back({row.data, row.schedule});
  }
  // Data sets stay together.
  std::vector<std::string> order;
  for (const Setting& s : out) {
    if (std::find(order.begin(), order.end(), s.data) == order.end()) order.push_back(s.data);
  }
  const auto place = [&](const Setting& s) {
    return std::find(order.begin(), order.end(), s.data) - order.begin();
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const Setting& a, const Setting& b) { return place(a) < place(b); });
  return out;
}

const Row* headline_row(const Results& results, const std::string& data) {
  const Row* best = nullptr;
  std::string schedule;
  for (const Row& row : results.rows) {
    if (!is_main(row) || row.data != data) continue;
    if (schedule.empty()) schedule = row.schedule;
    if (row.schedule != schedule) continue;
    if (row.head == "ensemble" && row.profile == "default") return &row;
    if (best == nullptr || row.accuracy.mean > best->accuracy.mean) best = &row;
  }
  return best;
}

const DataInfo* find_data(const Results& results, const std::string& name) {
  for (const DataInfo& data : results.data) {
    if (data.name == name) return &data;
  }
  return nullptr;
}

const EncoderInfo* find_encoder_info(const Results& results, const std::string& name) {
  for (const EncoderInfo& encoder : results.encoders) {
    if (encoder.name == name) return &encoder;
  }
  return nullptr;
}

std::string class_name(const Results& results, const std::string& data, std::size_t index) {
  const DataInfo* info = find_data(results, data);
  return info != nullptr && index < info->classes.size() ? info->classes[index]
                                                         : "class " + std::to_string(index);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

}  // namespace jackdaw::replay::report
