// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <algorithm>

#include "apps/replay/report_results.hpp"
#include "apps/replay/xml_check.hpp"
#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/page.hpp"
#include "replay/report/pivot.hpp"
#include "replay/report/text_width.hpp"
#include "replay/results_json.hpp"

namespace jackdaw::replay::report {
namespace {

using testing::XmlCheck;

std::string page_fault(const Results& results) {
  const std::string page = html_page(results);
  return XmlCheck(page).fault();
}

bool holds(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

std::size_t count_of(const std::string& page, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) {
    ++count;
  }
  return count;
}

std::string attribute(const testing::XmlElement& element, const std::string& name) {
  for (const auto& [key, value] : element.attributes) {
    if (key == name) return value;
  }
  return "";
}

// Texts that are drawn over the left or the right edge of their drawing.
std::string cut_texts(const std::string& page) {
  const XmlCheck check(page);
  std::string cut;
  double width = 0.0;
  for (const testing::XmlElement& element : check.elements()) {
    if (element.name == "svg") width = std::stod(attribute(element, "viewBox").substr(4));
    if (element.name != "text" || attribute(element, "x").empty()) continue;  // aslant
    const std::string anchor = attribute(element, "text-anchor");
    const std::string css_class = attribute(element, "class");
    const double size = css_class == "centre" ? 13 : css_class == "panel" ? 12.5 : 10;
    const double drawn = text_width(element.text, size);
    const double left = std::stod(attribute(element, "x")) - drawn * (anchor == "end"      ? 1.0
                                                                      : anchor == "middle" ? 0.5
                                                                                           : 0.0);
    if (left < 0.0 || left + drawn > width) cut += element.text + "; ";
  }
  return cut;
}

}  // namespace

TEST_CASE("the reader of the tests refuses what is not well-formed") {
  const auto fault = [](const std::string& body) {
    const std::string text = "<!DOCTYPE html>" + body;
    return XmlCheck(text).fault();
  };
  CHECK(fault("<p>a</p>").empty());
  CHECK(fault("<br />").empty());
  CHECK_FALSE(fault("<p><b></p></b>").empty());
  CHECK_FALSE(fault("<p>").empty());
  CHECK_FALSE(fault("<p>a & b</p>").empty());
  CHECK_FALSE(fault("<p a=1>x</p>").empty());
  CHECK_FALSE(fault("<p a=\"1\" a=\"2\">x</p>").empty());
}

TEST_CASE("a page is well-formed for ten and a hundred classes, one and many runs, and nothing") {
  for (const std::size_t classes : {2U, 10U, 37U, 100U}) {
    for (const std::size_t runs : {1U, 3U}) {
      Results results = testing::made_results(classes, runs);
      CHECK(page_fault(results) == "");
      testing::add_made_exhibits(results);
      CHECK(page_fault(results) == "");
    }
  }
  CHECK(page_fault(Results{}) == "");
}

TEST_CASE("a page is drawn of results that lack parts or hold what is not a number") {
  Results results = testing::made_results(10, 2);
  testing::add_made_exhibits(results);
  results.data.clear();
  results.encoders.clear();
  CHECK(page_fault(results) == "");
  results.streams.clear();  // rows point to them
  CHECK(page_fault(results) == "");
  for (Row& row : results.rows) {
    row.curves = {};
    row.accuracy.mean = row.accuracy.std = std::numeric_limits<double>::quiet_NaN();
    row.forgetting.mean = std::numeric_limits<double>::infinity();
    row.unknown.reset();
    row.seconds = {};
  }
  results.exhibits.maps[0].label[0] = 0xFFFFFFFF;
  CHECK(page_fault(results) == "");
  results.exhibits.maps[0].x.clear();
  results.exhibits.keys[0].share.clear();
  results.exhibits.activations[0].pictures[0].moments.clear();
  const std::string page = html_page(results);
  CHECK(XmlCheck(page).fault() == "");
  CHECK_FALSE(holds(page, "nan"));
  CHECK_FALSE(holds(page, "inf\""));
  results.rows.resize(1);
  results.rows[0].group = "few";
  CHECK(page_fault(results) == "");
}

TEST_CASE("the table holds every mean and deviation of the results") {
  const Results results = testing::made_results(10, 3);
  const std::string page = html_page(results);
  const XmlCheck check(page);
  REQUIRE(check.fault() == "");
  const std::vector<std::string> cells = check.texts_of("td");
  for (const Row& row : results.rows) {
    const auto found = [&](const std::string& text) {
      return std::find(cells.begin(), cells.end(), text) != cells.end();
    };
    CHECK(found(plus_minus(row.accuracy)));
    CHECK(found(plus_minus(row.forgetting)));
    CHECK(found(fixed(row.unknown->auroc, 3)));
    CHECK(found(bytes(row.memory_bytes)));
  }
}

TEST_CASE("where a stream was tested once, no forgetting is shown") {
  Results results;
  results.rows.push_back(testing::made_row("mnist", "shots:5", "ncm", "", 77.0, 0, 2, 3));
  results.rows[0].group = "few";
  const std::string forgetting = ">" + plus_minus(results.rows[0].forgetting) + "<";
  CHECK(holds(html_page(results), forgetting));
  results.rows[0].curves.batches.resize(1);
  CHECK_FALSE(holds(html_page(results), forgetting));

  results = testing::made_results(10, 3);
  CHECK(holds(html_page(results), "points forgotten"));
  CHECK(holds(html_page(results), "id=\"forgetting\""));
  // One such row among others: its bar is missing, theirs are there.
  const std::string bar = ">" + plus_minus(results.rows[0].forgetting) + "<";
  const std::size_t bars = count_of(html_page(results), bar);
  results.rows[0].curves.batches.resize(1);
  CHECK(count_of(html_page(results), bar) < bars);
  CHECK(holds(html_page(results), "id=\"forgetting\""));
  for (Row& row : results.rows) row.curves.batches.resize(1);
  CHECK_FALSE(holds(html_page(results), "points forgotten"));
  CHECK_FALSE(holds(html_page(results), "id=\"forgetting\""));
}

TEST_CASE("a stream that was tested once has a sentence in place of curves") {
  Results results = testing::made_results(10, 3);
  for (StreamInfo& stream : results.streams) stream.evaluate_every = 100;
  const auto test_once = [&](const std::string& schedule) {
    for (Row& row : results.rows) {
      if (row.schedule != schedule) continue;
      row.curves.batches.assign(1, 100);
      row.curves.overall = testing::made_band(1, 90.0);
      for (Band& band : row.curves.tasks) band = testing::made_band(1, 90.0);
    }
  };
  CHECK_FALSE(holds(html_page(results), "tested only once"));
  test_once("5way");
  std::string page = html_page(results);
  CHECK(holds(page, "MNIST (5-way split) was tested only once"));
  CHECK(holds(page, "no curve to draw; <code>--every 1</code> tests after every batch."));
  CHECK(holds(page, "class=\"lines\""));  // of the other schedule
  CHECK_FALSE(holds(page, ">Task 1<"));
  test_once("gaussian");
  page = html_page(results);
  CHECK(XmlCheck(page).fault() == "");
  CHECK(holds(page, "MNIST (5-way split) and MNIST (Gaussian) were tested only once"));
  CHECK(holds(page, "nothing to say about forgetting"));
  CHECK_FALSE(holds(page, "class=\"lines\""));
  for (StreamInfo& stream : results.streams) stream.batches = 1;  // then there is no second test
  page = html_page(results);
  CHECK(holds(page, "tested only once"));
  CHECK_FALSE(holds(page, "--every 1"));
}

TEST_CASE("no text sticks out of its drawing, and shortened names are whole in a title") {
  for (const std::string name :
       {"hammer_left_hand", "SCREWDRIVER_TORX_T20_WITH_A_HANDLE", "螺丝刀和扳手工具箱螺丝刀"}) {
    for (const std::size_t classes : {5U, 10U, 30U}) {
      Results results = testing::made_results(classes, 3);
      testing::add_made_exhibits(results);
      results.published[1].model = "the paper";  // an entity would be measured as it is written
      for (std::string& one : results.data[0].classes) one = name;
      for (Row& row : results.rows) {
        for (ClassResult& one : row.classes) one.name = name;
      }
      for (SamplePicture& picture : results.exhibits.activations[0].pictures) {
        for (ActivationMoment& moment : picture.moments) {
          for (auto& values : moment.values) {
            for (double& value : values) value = 1e-4 * (value - 0.5);
          }
        }
      }
      EmbeddingMap& map = results.exhibits.maps[0];
      for (std::size_t i = 0; i < map.x.size(); ++i) {
        map.x[i] = map.label[i] % 2 == 0 ? 0 : 1000;
        map.y[i] = map.x[i];
      }
      const std::string page = html_page(results);
      CHECK(cut_texts(page) == "");
      CHECK(holds(page, "<title>" + name + "</title>" + name.substr(0, 6)));
      CHECK(holds(page, "…</text>"));
    }
  }
}

TEST_CASE("batches of a short stream stand at whole numbers") {
  Results results = testing::made_results(10, 1);
  for (Row& row : results.rows) {
    for (std::uint32_t& batch : row.curves.batches) batch /= 10;  // 1 to 10
  }
  const std::string page = html_page(results);
  const std::size_t at = page.find("class=\"lines\"");
  REQUIRE(at != std::string::npos);
  const std::string drawing = page.substr(at, page.find("</svg>", at) - at);
  for (const char* tick : {"0", "2", "4", "6", "8", "10"}) {
    CHECK(holds(drawing, "text-anchor=\"middle\" class=\"tick\">" + std::string(tick) + "<"));
  }
  CHECK_FALSE(holds(drawing, "text-anchor=\"middle\" class=\"tick\">5<"));
}

TEST_CASE("schedules and data tell lines of the same model apart") {
  Results results = testing::made_results(10, 3);
  std::string page = html_page(results);
  CHECK(holds(page, "MNIST: 100 of 1,000 batches (5-way split, Gaussian)."));
  CHECK(holds(page, ">5-way split, Gaussian</td>"));  // made alike: one line
  results.streams[1].batches = 200;
  Row other = results.rows[6];
  REQUIRE(other.head == "knn");
  other.data = "cifar100";
  other.settings.knn_buffer_bytes = 5000;
  results.rows.push_back(other);
  page = html_page(results);
  CHECK_FALSE(holds(page, ">5-way split, Gaussian</td>"));
  CHECK(holds(page,
              "MNIST: 100 of 1,000 batches (5-way split) and "
              "MNIST: 200 of 1,000 batches (Gaussian)."));
  CHECK(holds(page, ">5-way split</td>"));
  CHECK(holds(page, ">Gaussian</td>"));
  const std::string rules = page.substr(page.find("Settings of the models"));
  CHECK(holds(rules, "<td>CIFAR-100</td>\n<td class=\"wrap\">buffer 5.00 kB</td>"));
}

TEST_CASE("a map says how it was drawn") {
  Results results = testing::made_results(10, 2);
  testing::add_made_exhibits(results);
  CHECK(holds(html_page(results), ", drawn by t-SNE; near each other means alike."));
  results.exhibits.maps[0].method = "PCA";
  CHECK(holds(html_page(results), ", drawn by PCA; near each other means alike."));
  results.exhibits.maps.push_back(results.exhibits.maps[0]);
  results.exhibits.maps[1].method = "t-SNE";
  CHECK(holds(html_page(results), ", drawn by PCA and t-SNE;"));
  CHECK(holds(html_page(results), ">MNIST, vae-omniglot, PCA</text>"));
}

TEST_CASE("where only profile default was run, the page says why there are no activations") {
  Results results = testing::made_results(10, 2);
  const std::string way = "<code>--profile seed,default</code>";
  CHECK_FALSE(holds(html_page(results), way));  // profile seed was run
  const auto is_seed = [](const Row& row) { return row.profile == "seed"; };
  results.rows.erase(std::remove_if(results.rows.begin(), results.rows.end(), is_seed),
                     results.rows.end());
  const std::string page = html_page(results);
  CHECK(XmlCheck(page).fault() == "");
  CHECK(holds(page, "id=\"activations\""));
  CHECK(holds(page, way));
  const auto is_ensemble = [](const Row& row) { return row.head == "ensemble"; };
  results.rows.erase(std::remove_if(results.rows.begin(), results.rows.end(), is_ensemble),
                     results.rows.end());
  CHECK_FALSE(holds(html_page(results), way));
}

TEST_CASE("results that were put together name every call") {
  Results results = testing::made_results(10, 3);
  results.command = "the first alone";
  results.calls = {{"jackdaw one", "2026", "cpu", "0.1.0", 60.0}, {"jackdaw two", "", "", "", 0.0}};
  const std::string page = html_page(results);
  CHECK(holds(page, "jackdaw one"));
  CHECK(holds(page, "jackdaw two"));
  CHECK(holds(page, "2 calls"));
  CHECK_FALSE(holds(page, "the first alone"));
}

TEST_CASE("each number of the main table stands in the line of its model and under its schedule") {
  const Results results = testing::made_results(10, 3);
  const std::string page = html_page(results);
  std::size_t numbers = 0;
  const std::vector<Setting> columns = settings_of(results, is_main);
  REQUIRE(columns.size() == 2);
  for (const Row& row : results.rows) {
    if (!is_main(row)) continue;
    const std::size_t start = page.find("class=\"pivot\"");
    const std::size_t header = page.find("</span>" + model_name(row) + "</th>", start);
    REQUIRE(header != std::string::npos);
    const std::string line = page.substr(header, page.find("</tr>", header) - header);
    const std::string wrapped = "<!DOCTYPE html><tr><th>" + line.substr(7) + "</tr>";
    const XmlCheck check(wrapped);
    REQUIRE(check.fault() == "");
    const std::vector<std::string> cells = check.texts_of("td");
    REQUIRE(cells.size() == columns.size());
    const std::size_t column = row.schedule == columns[0].schedule ? 0 : 1;
    CHECK(cells[column] == plus_minus(row.accuracy));
    ++numbers;
  }
  CHECK(numbers == 14);
}

TEST_CASE("no number stands in the line of another encoder") {
  Results results;
  const auto add = [&](const char* data, const char* encoder, double accuracy) {
    results.rows.push_back(testing::made_row(data, "5way", "ensemble", "seed", accuracy, 0, 2, 1));
    results.rows.back().encoder = encoder;
  };
  add("cifar10", "one", 50.0);
  add("mnist", "third", 60.0);  // in the same line, until the next one comes
  CHECK(pivot_of(results, is_main).lines.size() == 1);
  add("cifar10", "two", 70.0);
  const Pivot pivot = pivot_of(results, is_main);
  REQUIRE(pivot.lines.size() == 3);
  for (const PivotLine& line : pivot.lines) {
    CHECK(line.by_encoder);
    for (const Row* row : line.cells) {
      if (row != nullptr) CHECK(row->encoder == line.first->encoder);
    }
  }
}

TEST_CASE("others' figures are shown as theirs, and only beside ours") {
  const std::string page = html_page(testing::made_results(10, 3));
  CHECK(holds(page, "Published by others"));
  CHECK(holds(page, "CN-DPM"));
  CHECK(holds(page, ">93.2<"));
  CHECK_FALSE(holds(page, "not among ours"));
}

TEST_CASE("hostile names stay text wherever they come from") {
  Results results = testing::made_results(10, 2);
  testing::add_made_exhibits(results);
  const std::string evil = "</title></svg><script>alert('x')</script>&\"\x01";
  for (std::string& name : results.data[0].classes) name = evil;
  results.data[0].name = results.data[0].path = evil;
  results.command = results.started = results.machine.processor = evil;
  results.versions = {evil, evil, evil};
  results.notes = {evil};
  results.calls = {{evil, evil, evil, evil, 1.0}};
  for (Published& p : results.published) p.model = p.data = evil;
  for (StreamInfo& s : results.streams) s.data = evil;
  for (EncoderInfo& e : results.encoders) e.name = e.description = e.calibration = e.hash = evil;
  for (Row& row : results.rows) {
    row.data = row.encoder = row.head = row.label = evil;
    row.schedule = "file:" + evil;
  }
  results.exhibits.activations[0].data = results.exhibits.activations[0].profile = evil;
  results.exhibits.activations[0].pictures[0].thumbnail = evil;
  results.exhibits.keys[0].data = results.exhibits.keys[0].encoder = evil;
  results.exhibits.maps[0].data = results.exhibits.maps[0].encoder = evil;
  const std::string page = html_page(results);
  const XmlCheck check(page);
  CHECK(check.fault() == "");
  CHECK(check.texts_of("script").size() == 1);
  CHECK_FALSE(holds(page, "alert('x')"));
  const auto images = check.texts_of("img");
  CHECK(images.size() == 1);  // the other picture's
}

TEST_CASE("a page needs no network") {
  Results results = testing::made_results(10, 2);
  testing::add_made_exhibits(results);
  const std::string page = html_page(results);
  const XmlCheck check(page);
  for (const testing::XmlElement& element : check.elements()) {
    CHECK(element.name != "link");
    for (const auto& [name, value] : element.attributes) {
      if (name == "src") CHECK(value == "data:image/png;base64,iVBORw0KGgo=");
      if (name == "href") CHECK(value.substr(0, 1) == "#");
    }
  }
  CHECK_FALSE(holds(page, "url("));
  CHECK_FALSE(holds(page, "@import"));
}

TEST_CASE("every drawing has a title and a description, every table a caption and headers") {
  Results results = testing::made_results(10, 2);
  testing::add_made_exhibits(results);
  const std::string page = html_page(results);
  const XmlCheck check(page);
  const auto& elements = check.elements();
  std::size_t drawings = 0;
  for (std::size_t i = 0; i + 3 < elements.size(); ++i) {
    if (elements[i].name == "svg") {
      ++drawings;
      CHECK(elements[i + 1].name == "title");
      CHECK_FALSE(elements[i + 1].text.empty());
      CHECK(elements[i + 2].name == "desc");
      CHECK_FALSE(elements[i + 2].text.empty());
    }
    if (elements[i].name == "table") {
      CHECK(elements[i + 1].name == "caption");
      CHECK(elements[i + 3].name == "thead");
    }
    if (elements[i].name == "th") {
      const auto& attributes = elements[i].attributes;
      CHECK(std::any_of(attributes.begin(), attributes.end(),
                        [](const auto& a) { return a.first == "scope"; }));
    }
  }
  CHECK(drawings > 20);
}

TEST_CASE("a page can be made again from the file") {
  Results results = testing::made_results(10, 3);
  testing::add_made_exhibits(results);
  const Results again = from_json(to_json(results), "results.json");
  CHECK(html_page(again) == html_page(results));
}

TEST_CASE("results without exhibits are read") {
  const Results results = testing::made_results(10, 3);
  std::string text = to_json(results);
  text.erase(text.find(",\n \"exhibits\""));
  text += "}";
  const Results again = from_json(text, "results.json");
  CHECK(again.rows.size() == results.rows.size());
  CHECK(again.exhibits.maps.empty());
  CHECK(page_fault(again) == "");
}

}  // namespace jackdaw::replay::report
