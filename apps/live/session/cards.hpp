// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The classes as people see them: an id that stays through a rename and is not given twice, a
// picture. Pictures are kept as FOLDER/SLOT.jpg; losing one loses nothing that was learned.

#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/learner.hpp"
#include "live/control.hpp"

namespace jackdaw::live {

struct Card {
  std::uint32_t id = 0, slot = 0;
  std::string name;
  std::int64_t lessons = 0;
  std::uint32_t thumbnail_version = 0;
  Bytes thumbnail;
};

class Cards {
 public:
  // folder: where pictures are kept; empty: nowhere.
  explicit Cards(std::string folder) : folder_(std::move(folder)) {}

  // After every change of the learner's classes.
  void follow(const std::vector<ClassInfo>& classes);
  void load_thumbnails();  // once, after the first follow()
  void clear();            // another state: pictures are removed, ids are not given again

  const Card* find(std::uint32_t id) const;
  const Card* of_slot(std::uint32_t slot) const;
  const Card* of_name(const std::string& name) const;
  void set_thumbnail(std::uint32_t slot, std::string jpeg);

  const std::vector<Card>& all() const { return cards_; }  // in the order of their ids

 private:
  std::string path(std::uint32_t slot) const;
  void remove_file(std::uint32_t slot) const;

  std::string folder_;
  std::vector<Card> cards_;
  std::uint32_t next_id_ = 1;
};

}  // namespace jackdaw::live
