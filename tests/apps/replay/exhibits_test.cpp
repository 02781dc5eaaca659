// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/exhibits.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "apps/replay/synthetic.hpp"
#include "replay/thumbnail.hpp"
#include "replay/tsne.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::replay {
namespace {

HeadChoice small_ensemble(Profile profile) {
  HeadChoice choice;
  choice.name = "ensemble";
  choice.ensemble.profile = profile;
  choice.ensemble.classifiers = 96;
  choice.ensemble.nearest = 8;
  return choice;
}

Experiment experiment_on(const EmbeddingSet& set, const Schedule& schedule) {
  Experiment experiment;
  experiment.sets = {&set};
  experiment.schedule = &schedule;
  experiment.batches = 40;
  experiment.batch_size = 6;
  experiment.runs = 1;
  experiment.encoder = set.encoder;
  return experiment;
}

}  // namespace

TEST_CASE("the weighted mean of the activations is the answer") {
  const EmbeddingSet set = testing::gaussian_set(6, 32, 40, 10, 7);
  const auto schedule = make_schedule("3way", {});
  Experiment experiment = experiment_on(set, *schedule);
  experiment.heads = {small_ensemble(Profile::kSeed)};
  Results results;
  add_exhibits(experiment, results);
  REQUIRE(results.exhibits.activations.size() == 1);
  const Activations& found = results.exhibits.activations[0];
  CHECK(found.schedule == "3way");
  REQUIRE(found.pictures.size() == 2);
  CHECK(found.pictures[0].task == 0);
  CHECK(found.pictures[1].task == 2);
  for (const SamplePicture& picture : found.pictures) {
    CHECK(set.test.labels[picture.picture] == picture.label);
    REQUIRE(picture.moments.size() == 4);
    CHECK(picture.moments.back().batch == 40);
    const double sum = std::accumulate(picture.weights.begin(), picture.weights.end(), 0.0);
    for (const ActivationMoment& moment : picture.moments) {
      REQUIRE(moment.values.size() == 8);
      for (std::size_t c = 0; c < moment.answer.size(); ++c) {
        double mean = 0.0;
        for (std::size_t r = 0; r < 8; ++r) {
          mean += picture.weights[r] / sum * moment.values[r][c];
        }
        CHECK(std::isnan(mean) == std::isnan(moment.answer[c]));
        // Values and weights are rounded to six digits.
        if (!std::isnan(mean)) CHECK(mean == doctest::Approx(moment.answer[c]).epsilon(2e-5));
      }
    }
  }
  // At the first moment the last task's class has not been taught; at the end all have.
  const std::uint32_t last = found.pictures[1].label;
  CHECK(std::isnan(found.pictures[1].moments.front().answer[last]));
  for (const double value : found.pictures[0].moments.back().answer) CHECK_FALSE(std::isnan(value));
}

TEST_CASE("of many classes the activations of some are kept, the pictures' own among them") {
  const EmbeddingSet set = testing::gaussian_set(40, 16, 10, 4, 3);
  const auto schedule = make_schedule("40way", {});
  Experiment experiment = experiment_on(set, *schedule);
  experiment.heads = {small_ensemble(Profile::kSeed)};
  Results results;
  add_exhibits(experiment, results);
  const Activations& found = results.exhibits.activations.at(0);
  CHECK(found.classes.size() == 16);
  for (const SamplePicture& picture : found.pictures) {
    CHECK(std::count(found.classes.begin(), found.classes.end(), picture.label) == 1);
    CHECK(picture.moments.back().answer.size() == 16);
  }
}

TEST_CASE("the shares of the keys add up, and every classifier has a column") {
  const EmbeddingSet set = testing::gaussian_set(5, 32, 4, 30, 11);
  for (const std::uint32_t n : {96U, 300U}) {
    HeadChoice choice = small_ensemble(Profile::kDefault);
    choice.ensemble.classifiers = n;
    const KeyUse use = count_key_use(set, choice, 1);
    CHECK(use.in_column == (n == 96 ? 1 : 3));
    REQUIRE(use.share.size() == 5);
    for (const std::vector<double>& share : use.share) {
      CHECK(share.size() == (n == 96 ? 96 : 100));
      const double sum = std::accumulate(share.begin(), share.end(), 0.0);
      CHECK(sum == doctest::Approx(100.0).epsilon(1e-3));  // each is rounded to a thousandth
    }
  }
}

TEST_CASE("exhibits are made once for the same embeddings, and lowdata takes the place of others") {
  const EmbeddingSet set = testing::gaussian_set(10, 16, 30, 4, 5);
  const auto first = make_schedule("5way", {}), second = make_schedule("lowdata", {});
  Results results;
  Experiment experiment = experiment_on(set, *first);
  experiment.heads = {small_ensemble(Profile::kDefault), small_ensemble(Profile::kSeed)};
  add_exhibits(experiment, results);
  CHECK(results.exhibits.keys.size() == 2);
  experiment.schedule = second.get();
  add_exhibits(experiment, results);
  CHECK(results.exhibits.maps.size() == 1);
  CHECK(results.exhibits.keys.size() == 2);
  REQUIRE(results.exhibits.activations.size() == 1);
  CHECK(results.exhibits.activations[0].schedule == "lowdata");
  experiment.schedule = first.get();
  add_exhibits(experiment, results);
  CHECK(results.exhibits.activations[0].schedule == "lowdata");
}

TEST_CASE("a map keeps clouds apart and is the same every time") {
  const EmbeddingSet set = testing::gaussian_set(4, 24, 1, 40, 9, 0.3F);
  const EmbeddingMap map = draw_map(set);
  REQUIRE(map.x.size() == 160);
  CHECK(*std::max_element(map.x.begin(), map.x.end()) <= 1000);
  std::size_t right = 0;
  for (std::size_t i = 0; i < map.x.size(); ++i) {
    double nearest = 1e18;
    std::uint32_t label = 0;
    for (std::size_t j = 0; j < map.x.size(); ++j) {
      const double dx = double(map.x[i]) - double(map.x[j]),
                   dy = double(map.y[i]) - double(map.y[j]);
      if (i == j || dx * dx + dy * dy >= nearest) continue;
      nearest = dx * dx + dy * dy;
      label = map.label[j];
    }
    if (label == map.label[i]) ++right;
  }
  CHECK(right >= 156);  // clouds that overlap nowhere
  const EmbeddingMap again = draw_map(set);
  CHECK(again.x == map.x);
  CHECK(again.y == map.y);
}

TEST_CASE("base64 is that of the standard") {
  CHECK(base64({}) == "");
  CHECK(base64({'f'}) == "Zg==");
  CHECK(base64({'f', 'o'}) == "Zm8=");
  CHECK(base64({'f', 'o', 'o', 'b', 'a', 'r'}) == "Zm9vYmFy");
  CHECK(base64({0xFB, 0xFF}) == "+/8=");
}

TEST_CASE("a thumbnail is a PNG of the picture, made smaller") {
  testing::TemporaryFolder folder;
  const std::string path = folder.path("wide.ppm");
  {
    std::ofstream file(path, std::ios::binary);
    file << "P6 130 70 255\n" << std::string(130 * 70 * 3, 'x');
  }
  const std::string text = thumbnail_of(path);
  CHECK(text.substr(0, 11) == "iVBORw0KGgo");  // what PNG begins with
  // Width and height in the header, bytes 16 to 23 after "R": 43 and 23, a third.
  CHECK(text.substr(20, 12) == base64({'R', 0, 0, 0, 43, 0, 0, 0, 23}));
  CHECK(thumbnail_of(folder.path("nowhere.png")) == "");

  PictureSet pictures;
  pictures.name = "mine";
  pictures.test.paths = {path};
  Results results;
  results.exhibits.activations.push_back({"mine", "5way", "none", "seed", {}, {SamplePicture{}}});
  results.data.push_back({"mine", "", {}, 1, 2, 0, 0, ""});  // another number: pictures were left out
  add_thumbnails(pictures, results);
  CHECK(results.exhibits.activations[0].pictures[0].thumbnail.empty());
  results.data[0].test = 1;
  add_thumbnails(pictures, results);
  CHECK(results.exhibits.activations[0].pictures[0].thumbnail == text);
}

TEST_CASE("maps of few or equal points are drawn") {
  CHECK(tsne({}, 4).empty());
  CHECK(tsne({1, 2, 3, 4}, 2).size() == 2);
  const std::vector<Point> points = tsne(std::vector<float>(30 * 4, 1.0F), 4);
  REQUIRE(points.size() == 30);
  for (const Point& p : points) {
    CHECK(std::isfinite(p.x));
    CHECK(std::isfinite(p.y));
  }
}

}  // namespace jackdaw::replay
