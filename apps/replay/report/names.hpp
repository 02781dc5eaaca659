// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What rows are called in a report, and the CSS class that gives each head its colour.

#include <string>
#include <vector>

#include "replay/results.hpp"

namespace jackdaw::replay::report {

std::string data_name(const std::string& data);          // "CIFAR-10"
std::string schedule_name(const std::string& schedule);  // "5-way split"
std::string group_name(const std::string& group);
std::string model_name(const Row& row);                 // "Ensemble, default"
std::string short_model(const Row& row);                // for legends: "default", "seed", "ncm"
std::string brief_model(const std::string& published);  // without "the "
// "s-default", "s-seed", "s-vanilla", ...: one of those in style.cpp.
std::string series_class(const Row& row);
int series_rank(const Row& row);  // the paper's models, ours, the others

// Rows of the tables of the paper's form, in series order: neither ablations nor few shots.
bool is_main(const Row& row);
std::vector<const Row*> main_rows(const Results& results, const std::string& data,
                                  const std::string& schedule);
// (data, schedule) of rows that `wanted` takes, in the order in which they are met.
struct Setting {
  std::string data, schedule;
};
std::vector<Setting> settings_of(const Results& results, bool (*wanted)(const Row&));

// Profile default on the first schedule of a data set; else the best row there. Null of none.
const Row* headline_row(const Results& results, const std::string& data);

const DataInfo* find_data(const Results& results, const std::string& name);
const EncoderInfo* find_encoder_info(const Results& results, const std::string& name);
std::string class_name(const Results& results, const std::string& data, std::size_t index);

std::string listed(const std::vector<std::string>& names);  // "a, b and c"

}  // namespace jackdaw::replay::report
