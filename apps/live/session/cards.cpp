// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/cards.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace jackdaw::live {
namespace {

constexpr std::size_t kMostThumbnailBytes = 1U << 20U;

}  // namespace

std::string Cards::path(std::uint32_t slot) const {
  return folder_ + "/" + std::to_string(slot) + ".jpg";
}

void Cards::remove_file(std::uint32_t slot) const {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove(path(slot), ignored);
}

void Cards::follow(const std::vector<ClassInfo>& classes) {
  const auto in_use = [&](const Card& card) {
    return std::any_of(classes.begin(), classes.end(),
                       [&](const ClassInfo& info) { return info.slot == card.slot; });
  };
  for (const Card& card : cards_) {
    if (!in_use(card)) remove_file(card.slot);
  }
  cards_.erase(
      std::remove_if(cards_.begin(), cards_.end(), [&](const Card& card) { return !in_use(card); }),
      cards_.end());
  for (const ClassInfo& info : classes) {
    auto card = std::find_if(cards_.begin(), cards_.end(),
                             [&](const Card& c) { return c.slot == info.slot; });
    if (card == cards_.end()) {
      Card made;
      made.id = next_id_++;
      made.slot = info.slot;
      card = cards_.insert(cards_.end(), std::move(made));
    }
    card->name = info.label.text();
    card->lessons = info.examples;
  }
}

void Cards::load_thumbnails() {
  if (folder_.empty()) return;
  for (Card& card : cards_) {
    std::ifstream file(path(card.slot), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty() || bytes.size() > kMostThumbnailBytes) continue;
    card.thumbnail = std::make_shared<const std::string>(std::move(bytes));
    card.thumbnail_version = 1;
  }
}

void Cards::clear() {
  for (const Card& card : cards_) remove_file(card.slot);
  cards_.clear();
}

const Card* Cards::find(std::uint32_t id) const {
  for (const Card& card : cards_) {
    if (card.id == id) return &card;
  }
  return nullptr;
}

const Card* Cards::of_slot(std::uint32_t slot) const {
  for (const Card& card : cards_) {
    if (card.slot == slot) return &card;
  }
  return nullptr;
}

const Card* Cards::of_name(const std::string& name) const {
  for (const Card& card : cards_) {
    if (card.name == name) return &card;
  }
  return nullptr;
}

void Cards::set_thumbnail(std::uint32_t slot, std::string jpeg) {
  for (Card& card : cards_) {
    if (card.slot != slot || jpeg.empty()) continue;
    if (!folder_.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(folder_, ignored);
      std::ofstream(path(slot), std::ios::binary) << jpeg;
    }
    card.thumbnail = std::make_shared<const std::string>(std::move(jpeg));
    ++card.thumbnail_version;
  }
}

}  // namespace jackdaw::live
