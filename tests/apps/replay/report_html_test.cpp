// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "replay/report/html.hpp"
#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/svg.hpp"
#include "replay/report/text_width.hpp"

namespace jackdaw::replay::report {

TEST_CASE("text cannot leave its element or attribute") {
  CHECK(escape("<script>&\"'") == "&lt;script&gt;&amp;&quot;&#39;");
  Html html;
  html.element("p", {{"title", "\" onclick=\"x"}}, "</p><script>");
  CHECK(html.take() == "<p title=\"&quot; onclick=&quot;x\">&lt;/p&gt;&lt;script&gt;</p>\n");
}

TEST_CASE("what XML cannot hold becomes the replacement character") {
  const std::string replacement = "\xEF\xBF\xBD";
  CHECK(escape(std::string("a\0b", 3)) == "a" + replacement + "b");
  CHECK(escape("\x01\x1B\x7F") == replacement + replacement + replacement);
  CHECK(escape("tab\tline\n") == "tab\tline\n");
  CHECK(escape("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x90\xA6") == "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x90\xA6");
  CHECK(escape("\xC3") == replacement);                             // cut off
  CHECK(escape("\xC0\xAF") == replacement + replacement);           // overlong
  CHECK(escape("\xED\xA0\x80") == replacement);                     // a surrogate
  CHECK(escape("\xEF\xBF\xBE") == replacement);                     // no character
  CHECK(escape("\xE2\x80\xAEgnp.exe") == replacement + "gnp.exe");  // right to left from here on
}

TEST_CASE("numbers are written as people read them") {
  CHECK(fixed(93.25, 1) == "93.2");
  CHECK(fixed(-0.01, 1) == "0.0");
  CHECK(fixed(std::numeric_limits<double>::quiet_NaN(), 1) == "–");
  CHECK(coordinate(12.04) == "12");
  CHECK(coordinate(-0.04) == "0");
  CHECK(whole(60000) == "60,000");
  CHECK(whole(999) == "999");
  CHECK(whole(1234567) == "1,234,567");
  CHECK(bytes(999) == "999 B");
  CHECK(bytes(52'400'000) == "52.4 MB");
  CHECK(bytes(999'600) == "1.00 MB");
  CHECK(duration(0.31) == "310 ms");
  CHECK(duration(48.2) == "48.2 s");
  CHECK(duration(11'520) == "3 h 12 min");
  CHECK(plus_minus(spread_of({90.0})) == "90.0");
  CHECK(plus_minus(spread_of({90.0, 92.0})) == "91.0 ± 1.4");
}

TEST_CASE("ticks are round and inside") {
  CHECK(ticks(0, 100, 4) == std::vector<double>{0, 25, 50, 75, 100});
  CHECK(ticks(0, 0, 4) == std::vector<double>{0});
  CHECK(ticks(0, 10, 4) == std::vector<double>{0, 2.5, 5, 7.5, 10});
  CHECK(round_up(6.2) == doctest::Approx(10.0));
  CHECK(round_up(0.21) == doctest::Approx(0.25));
}

TEST_CASE("what is counted has ticks at whole numbers") {
  CHECK(whole_ticks(0, 10, 4) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(whole_ticks(0, 1, 4) == std::vector<double>{0, 1});
  CHECK(whole_ticks(0, 3, 4) == std::vector<double>{0, 1, 2, 3});
  CHECK(whole_ticks(0, 1000, 4) == std::vector<double>{0, 250, 500, 750, 1000});
  CHECK(whole_ticks(0, 0, 4) == std::vector<double>{0});
  for (int most = 1; most < 300; ++most) {
    for (const double tick : whole_ticks(0, most, 4)) CHECK(tick == std::floor(tick));
    CHECK(whole_ticks(0, most, 4).size() <= 6);
  }
}

TEST_CASE("a text is as wide as its characters, not its bytes") {
  CHECK(text_width("", 10) == 0.0);
  CHECK(text_width("ab", 20) == doctest::Approx(2 * text_width("ab", 10)));
  CHECK(text_width("é", 10) == text_width("e", 10));
  CHECK(text_width("螺", 10) == doctest::Approx(10.0));
  CHECK(text_width("WIDE", 10) > text_width("wide", 10));
  CHECK(text_width("mm", 10) > text_width("nn", 10));
  CHECK(text_width("e\xCC\x81", 10) == text_width("e", 10));   // an accent of its own
  CHECK(text_width("\xC3\xFF", 10) == doctest::Approx(20.0));  // two replacement characters
}

TEST_CASE("names are cut by width, at the end, between characters") {
  const double wide = text_width("abcd", 11);
  CHECK(shortened("abcd", wide, 11) == "abcd");
  CHECK(shortened("abcde", wide, 11) == "ab…");
  CHECK(shortened("éééé", wide, 11) == "éééé");
  CHECK(shortened("ééééé", wide, 11) == "éé…");
  CHECK(shortened("螺丝刀", 30, 10) == "螺丝刀");
  CHECK(shortened("螺丝刀和", 30, 10) == "螺丝…");
  CHECK(shortened("abc", 1, 11) == "…");
  for (const char* name : {"hammer_left_hand", "SCREWDRIVER_TORX_T20", "WIDE MAMMOTH WOMBAT",
                           "螺丝刀和扳手工具箱", "Wäscheklammer, \xF0\x9F\x90\xA6"}) {
    for (double width = 15; width < 150; ++width) {
      const std::string text = shortened(name, width, 11);
      CHECK(text_width(text, 11) <= width);
      CHECK(escape(text).find("\xEF\xBF\xBD") == std::string::npos);
    }
  }
}

TEST_CASE("schedules have names for people") {
  CHECK(schedule_name("5way") == "5-way split");
  CHECK(schedule_name("shots:5") == "5 a class");
  CHECK(schedule_name("file:/a/b/day.json") == "day.json");
  CHECK(schedule_name("way") == "way");
}

}  // namespace jackdaw::replay::report
