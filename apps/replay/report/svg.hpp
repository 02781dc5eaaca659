// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all charts share: a drawing with a title and a description, a scale with round ticks, text.
//
//   Drawing drawing(html, 320, 210, "Task 1", "Accuracy over the stream.");
//   Scale y{0, 100, 180, 10};
//   for (double tick : ticks(0, 100, 5)) label(html, 30, y(tick), "end", fixed(tick, 0));

#include <string>
#include <vector>

#include "replay/report/html.hpp"
#include "replay/report/text_width.hpp"

namespace jackdaw::replay::report {

class Drawing {
 public:
  Drawing(Html& html, double width, double height, const std::string& title,
          const std::string& description, const std::string& css_class = "",
          const std::string& scales = "");
  ~Drawing();
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

 private:
  Html& html_;
};

// From [from, to] to pixels.
struct Scale {
  double from = 0.0, to = 1.0, first = 0.0, last = 1.0;
  double operator()(double value) const {
    return to == from ? first : first + (value - from) / (to - from) * (last - first);
  }
};

// Round numbers from `least` to `most`, about `wanted` of them, both ends included if round.
std::vector<double> ticks(double least, double most, int wanted);
// The same for what is counted: no step is a part of one.
std::vector<double> whole_ticks(double least, double most, int wanted);
int digits_of(const std::vector<double>& ticks);  // that tell them apart

// A smallest round number not below: 1, 2, 2.5, 5 times a power of ten.
double round_up(double value);

void label(Html& html, double x, double y, const char* anchor, const std::string& text,
           const char* css_class = "");
// Shortened to `room`; the whole name is its title then.
void name_label(Html& html, double x, double y, const char* anchor, const std::string& name,
                double room, const char* css_class);
// As it is drawn with this class, in pixels.
double label_width(const std::string& text, const char* css_class);
// Of the widest of these numbers on an axis.
double widest_tick(const std::vector<double>& ticks, int digits);
void line(Html& html, double x1, double y1, double x2, double y2, const char* css_class);

}  // namespace jackdaw::replay::report
