// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <limits>

#include "replay/report/html.hpp"
#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/svg.hpp"

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
  CHECK(round_up(6.2) == doctest::Approx(10.0));
  CHECK(round_up(0.21) == doctest::Approx(0.25));
}

TEST_CASE("names are cut between characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "ab…");
  CHECK(shortened("ééé", 3) == "ééé");
  CHECK(shortened("éééé", 3) == "éé…");
}

TEST_CASE("schedules have names for people") {
  CHECK(schedule_name("5way") == "5-way split");
  CHECK(schedule_name("shots:5") == "5 a class");
  CHECK(schedule_name("file:/a/b/day.json") == "day.json");
  CHECK(schedule_name("way") == "way");
}

}  // namespace jackdaw::replay::report
