// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/tsne.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jackdaw::replay {
namespace {

using Matrix = std::vector<float>;  // [points][points]

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<float> centred(std::vector<float> rows, std::size_t d) {
  const std::size_t n = rows.size() / d;
  std::vector<double> mean(d, 0.0);
  for (std::size_t i = 0; i < n * d; ++i) mean[i % d] += static_cast<double>(rows[i]);
  for (double& value : mean) value /= static_cast<double>(n);
  for (std::size_t i = 0; i < n * d; ++i) rows[i] -= static_cast<float>(mean[i % d]);
  return rows;
}

// rows^T (rows v)
std::vector<double> times_covariance(const std::vector<float>& rows, const std::vector<double>& v) {
  const std::size_t d = v.size();
  std::vector<double> out(d, 0.0);
  for (std::size_t first = 0; first < rows.size(); first += d) {
    double along = 0.0;
    for (std::size_t i = 0; i < d; ++i) along += static_cast<double>(rows[first + i]) * v[i];
    for (std::size_t i = 0; i < d; ++i) out[i] += along * static_cast<double>(rows[first + i]);
  }
  return out;
}

Matrix squared_distances(const std::vector<float>& rows, std::size_t d) {
  const std::size_t n = rows.size() / d;
  Matrix out(n * n, 0.0F);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      float lanes[8] = {};
      const float* x = rows.data() + a * d;
      const float* y = rows.data() + b * d;
      std::size_t i = 0;
      for (; i + 8 <= d; i += 8) {
        for (std::size_t l = 0; l < 8; ++l)
          lanes[l] += (x[i + l] - y[i + l]) * (x[i + l] - y[i + l]);
      }
      for (; i < d; ++i) lanes[0] += (x[i] - y[i]) * (x[i] - y[i]);
      float sum = 0.0F;
      for (const float lane : lanes) sum += lane;
      out[a * n + b] = out[b * n + a] = sum;
    }
  }
  return out;
}

// One row of distances becomes neighbourhood shares whose entropy is that of `perplexity` equals.
void shares_of_row(float* row, std::size_t n, std::size_t self, double perplexity) {
  double nearest = std::numeric_limits<double>::max();
  for (std::size_t b = 0; b < n; ++b) {
    if (b != self) nearest = std::min(nearest, static_cast<double>(row[b]));
  }
  double least = 0.0, most = std::numeric_limits<double>::max();
  double mean = 0.0;
  for (std::size_t b = 0; b < n; ++b) mean += static_cast<double>(row[b]);
  double beta = mean > 0.0 ? static_cast<double>(n) / mean : 1.0;
  std::vector<double> share(n, 0.0);
  double sum = 1.0;
  for (int step = 0; step < 60; ++step) {
    sum = 0.0;
    double weighted = 0.0;
    for (std::size_t b = 0; b < n; ++b) {
      const double distance = static_cast<double>(row[b]) - nearest;
      share[b] = b == self ? 0.0 : std::exp(-beta * distance);
      sum += share[b];
      weighted += share[b] * distance;
    }
    const double entropy = std::log(sum) + beta * weighted / sum;
    const double over = entropy - std::log(perplexity);
    if (std::fabs(over) < 1e-4) break;
    (over > 0.0 ? least : most) = beta;
    beta = most == std::numeric_limits<double>::max() ? 2.0 * beta : 0.5 * (least + most);
  }
  for (std::size_t b = 0; b < n; ++b) row[b] = static_cast<float>(share[b] / sum);
}

Matrix neighbourhoods(const std::vector<float>& rows, std::size_t d, double perplexity) {
  Matrix p = squared_distances(rows, d);
  const std::size_t n = rows.size() / d;
  for (std::size_t a = 0; a < n; ++a) shares_of_row(p.data() + a * n, n, a, perplexity);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a; b < n; ++b) {
      const float both = (p[a * n + b] + p[b * n + a]) / (2.0F * static_cast<float>(n));
      p[a * n + b] = p[b * n + a] = both;
    }
  }
  return p;
}

// Plain gradient descent with momentum and gains, as in the authors' own program.
class Descent {
 public:
  Descent(const Matrix& p, const std::vector<Point>& start)
      : p_(p), n_(start.size()), kernel_(n_ * n_) {
    double scale = 1e-12;
    for (const Point& s : start) scale = std::max(scale, std::fabs(s.x));
    for (const Point& s : start) {
      at_[0].push_back(static_cast<float>(1e-2 * s.x / scale));
      at_[1].push_back(static_cast<float>(1e-2 * s.y / scale));
    }
    for (int axis = 0; axis < 2; ++axis) {
      speed_[axis].assign(n_, 0.0F);
      gain_[axis].assign(n_, 1.0F);
      slope_[axis].assign(n_, 0.0F);
    }
  }

  void step(float exaggeration, float momentum, float rate) {
    find_slope(exaggeration);
    for (int axis = 0; axis < 2; ++axis) {
      for (std::size_t i = 0; i < n_; ++i) {
        const bool same = (slope_[axis][i] > 0.0F) == (speed_[axis][i] > 0.0F);
        gain_[axis][i] = std::max(0.01F, same ? gain_[axis][i] * 0.8F : gain_[axis][i] + 0.2F);
        speed_[axis][i] = momentum * speed_[axis][i] - rate * gain_[axis][i] * slope_[axis][i];
        at_[axis][i] += speed_[axis][i];
      }
    }
  }

  std::vector<Point> points() const {
    double mean[2] = {0.0, 0.0};
    for (int axis = 0; axis < 2; ++axis) {
      for (const float value : at_[axis]) mean[axis] += static_cast<double>(value);
      mean[axis] /= static_cast<double>(n_);
    }
    std::vector<Point> out;
    for (std::size_t i = 0; i < n_; ++i) {
      out.push_back(
          {static_cast<double>(at_[0][i]) - mean[0], static_cast<double>(at_[1][i]) - mean[1]});
    }
    return out;
  }

 private:
  void find_slope(float exaggeration) {
    const float* x = at_[0].data();
    const float* y = at_[1].data();
    double all = 0.0;
    for (std::size_t a = 0; a < n_; ++a) {
      float* q = kernel_.data() + a * n_;
      for (std::size_t b = 0; b < n_; ++b) {
        const float dx = x[a] - x[b], dy = y[a] - y[b];
        q[b] = 1.0F / (1.0F + dx * dx + dy * dy);
      }
      float lanes[8] = {};
      std::size_t b = 0;
      for (; b + 8 <= n_; b += 8) {
        for (std::size_t l = 0; l < 8; ++l) lanes[l] += q[b + l];
      }
      for (; b < n_; ++b) lanes[0] += q[b];
      for (const float lane : lanes) all += static_cast<double>(lane);
    }
    const auto inverse = static_cast<float>(1.0 / std::max(1e-12, all - static_cast<double>(n_)));
    for (std::size_t a = 0; a < n_; ++a) {
      const float* p = p_.data() + a * n_;
      const float* q = kernel_.data() + a * n_;
      float sums[2][8] = {};
      std::size_t b = 0;
      const auto add = [&](std::size_t at, std::size_t lane) {
        const float pull = (exaggeration * p[at] - q[at] * inverse) * q[at];
        sums[0][lane] += pull * (x[a] - x[at]);
        sums[1][lane] += pull * (y[a] - y[at]);
      };
      for (; b + 8 <= n_; b += 8) {
        for (std::size_t l = 0; l < 8; ++l) add(b + l, l);
      }
      for (; b < n_; ++b) add(b, 0);
      for (int axis = 0; axis < 2; ++axis) {
        float sum = 0.0F;
        for (const float lane : sums[axis]) sum += lane;
        slope_[axis][a] = 4.0F * sum;
      }
    }
  }

  const Matrix& p_;
  std::size_t n_;
  Matrix kernel_;
  std::vector<float> at_[2], speed_[2], gain_[2], slope_[2];
};

}  // namespace

std::vector<Point> main_components(const std::vector<float>& rows_in, std::size_t d) {
  const std::vector<float> rows = centred(rows_in, d);
  std::vector<std::vector<double>> found;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::vector<double> v(d);
    for (std::size_t i = 0; i < d; ++i) v[i] = 1.0 + static_cast<double>((i * (axis + 3)) % 7);
    for (int step = 0; step < 30; ++step) {
      v = times_covariance(rows, v);
      for (const auto& before : found) {
        const double along = dot(v, before);
        for (std::size_t i = 0; i < d; ++i) v[i] -= along * before[i];
      }
      const double length = std::sqrt(std::max(1e-300, dot(v, v)));
      for (double& value : v) value /= length;
    }
    found.push_back(std::move(v));
  }
  std::vector<Point> points;
  for (std::size_t first = 0; first < rows.size(); first += d) {
    Point p;
    for (std::size_t i = 0; i < d; ++i) {
      p.x += static_cast<double>(rows[first + i]) * found[0][i];
      p.y += static_cast<double>(rows[first + i]) * found[1][i];
    }
    points.push_back(p);
  }
  return points;
}

std::vector<Point> tsne(const std::vector<float>& rows, std::size_t dimensions,
                        const TsneOptions& options) {
  if (rows.empty() || dimensions == 0) return {};
  std::vector<Point> start = main_components(rows, dimensions);
  const std::size_t n = start.size();
  if (n < 8) return start;
  const double perplexity = std::min(options.perplexity, static_cast<double>(n - 1) / 3.0);
  const Matrix p = neighbourhoods(rows, dimensions, perplexity);
  Descent descent(p, start);
  const int early = options.steps / 4;
  const float rate = std::max(10.0F, static_cast<float>(n) / 12.0F);
  for (int step = 0; step < options.steps; ++step) {
    descent.step(step < early ? 12.0F : 1.0F, step < early ? 0.5F : 0.8F, rate);
  }
  return descent.points();
}

}  // namespace jackdaw::replay
