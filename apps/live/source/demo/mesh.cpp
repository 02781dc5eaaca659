// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo/mesh.hpp"

#include <algorithm>
#include <cmath>

namespace jackdaw::live::demo {
namespace {

constexpr float kPi = 3.14159265F;
constexpr float kSharp = 0.77F;  // cosine of 40 degrees

cv::Vec3f unit(const cv::Vec3f& v) {
  const float length = std::sqrt(v.dot(v));
  return length > 1e-9F ? v * (1.0F / length) : cv::Vec3f(0, 1, 0);
}

// Outward normal of one piece of a profile that runs upwards.
cv::Vec2f profile_normal(const cv::Vec2f& from, const cv::Vec2f& to) {
  const cv::Vec2f d = to - from;
  const float length = std::max(std::sqrt(d.dot(d)), 1e-9F);
  return {d[1] / length, -d[0] / length};
}

std::uint32_t size_of(const Mesh& mesh) { return static_cast<std::uint32_t>(mesh.vertices.size()); }

// Two triangles for each cell of a grid of vertices that starts at `first`.
void add_grid(Mesh& mesh, std::uint32_t first, int columns, int rows) {
  const auto width = static_cast<std::uint32_t>(columns + 1);
  for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(rows); ++r) {
    for (std::uint32_t c = 0; c < static_cast<std::uint32_t>(columns); ++c) {
      const std::uint32_t a = first + r * width + c, b = a + 1, d = a + width, e = d + 1;
      mesh.triangles.push_back({a, d, b});
      mesh.triangles.push_back({b, d, e});
    }
  }
}

}  // namespace

Mesh revolve(const std::vector<cv::Vec2f>& profile, int segments) {
  Mesh mesh;
  float length = 0.0F, total = 0.0F;
  for (std::size_t i = 1; i < profile.size(); ++i)
    total += static_cast<float>(cv::norm(profile[i] - profile[i - 1]));
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const cv::Vec2f own = profile_normal(profile[i - 1], profile[i]);
    const float step = static_cast<float>(cv::norm(profile[i] - profile[i - 1]));
    const std::uint32_t first = size_of(mesh);
    for (int end = 1; end >= 0; --end) {  // the upper ring first: down in the texture is down
      const std::size_t at = i - 1 + static_cast<std::size_t>(end);
      cv::Vec2f normal = own;
      const bool inside = end == 1 ? i + 1 < profile.size() : i >= 2;
      if (inside) {
        const cv::Vec2f other = end == 1 ? profile_normal(profile[i], profile[i + 1])
                                         : profile_normal(profile[i - 2], profile[i - 1]);
        if (own.dot(other) > kSharp) normal = own + other;
      }
      const float along = (length + step * static_cast<float>(end)) / total;
      for (int s = 0; s <= segments; ++s) {
        const float angle = 2 * kPi * static_cast<float>(s) / static_cast<float>(segments);
        const float x = std::sin(angle), z = std::cos(angle);
        mesh.vertices.push_back(
            {{profile[at][0] * x, profile[at][1], profile[at][0] * z},
             unit({normal[0] * x, normal[1], normal[0] * z}),
             {static_cast<float>(s) / static_cast<float>(segments), 1 - along}});
      }
    }
    add_grid(mesh, first, segments, 1);
    length += step;
  }
  return mesh;
}

Mesh ellipsoid(const cv::Vec3f& radii, int segments) {
  std::vector<cv::Vec2f> profile;
  const int steps = segments / 2;
  for (int i = 0; i <= steps; ++i) {
    const float angle = kPi * static_cast<float>(i) / static_cast<float>(steps) - kPi / 2;
    profile.push_back({std::cos(angle), std::sin(angle)});
  }
  Mesh mesh = revolve(profile, segments);
  for (Vertex& v : mesh.vertices) {
    for (int k = 0; k < 3; ++k) {
      v.position[k] *= radii[k];
      v.normal[k] /= radii[k];
    }
    v.normal = unit(v.normal);
  }
  return mesh;
}

Mesh sheet(const cv::Vec3f& origin, const cv::Vec3f& across, const cv::Vec3f& down, int cells) {
  Mesh mesh;
  const cv::Vec3f normal = unit(down.cross(across));
  for (int r = 0; r <= cells; ++r) {
    for (int c = 0; c <= cells; ++c) {
      const float u = static_cast<float>(c) / static_cast<float>(cells);
      const float v = static_cast<float>(r) / static_cast<float>(cells);
      mesh.vertices.push_back({origin + across * u + down * v, normal, {u, v}});
    }
  }
  add_grid(mesh, 0, cells, cells);
  return mesh;
}

Mesh slab(const std::vector<cv::Vec2f>& outline, float depth) {
  Mesh mesh;
  cv::Vec2f low = outline[0], high = outline[0], middle(0, 0);
  for (const cv::Vec2f& p : outline) {
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
    middle += p * (1.0F / static_cast<float>(outline.size()));
  }
  const auto texture = [&](const cv::Vec2f& p) {
    return cv::Vec2f((p[0] - low[0]) / (high[0] - low[0]), (high[1] - p[1]) / (high[1] - low[1]));
  };
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const float side : {1.0F, -1.0F}) {
    const std::uint32_t first = size_of(mesh);
    mesh.vertices.push_back(
        {{middle[0], middle[1], side * depth / 2}, {0, 0, side}, texture(middle)});
    for (const cv::Vec2f& p : outline) {
      mesh.vertices.push_back({{p[0], p[1], side * depth / 2}, {0, 0, side}, texture(p)});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = first + 1 + i, b = first + 1 + (i + 1) % n;
      if (side > 0) mesh.triangles.push_back({first, a, b});
      if (side < 0) mesh.triangles.push_back({first, b, a});
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const cv::Vec2f &p = outline[i], &q = outline[(i + 1) % n];
    const cv::Vec2f normal = profile_normal(p, q);
    const std::uint32_t first = size_of(mesh);
    for (const cv::Vec2f& end : {p, q}) {
      for (const float side : {-0.5F, 0.5F}) {
        mesh.vertices.push_back(
            {{end[0], end[1], side * depth}, {normal[0], normal[1], 0}, texture(end)});
      }
    }
    mesh.triangles.push_back({first, first + 2, first + 1});
    mesh.triangles.push_back({first + 1, first + 2, first + 3});
  }
  return mesh;
}

Mesh tube(const std::vector<cv::Vec3f>& path, float radius, int sides) {
  Mesh mesh;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const cv::Vec3f along = unit(path[std::min(i + 1, path.size() - 1)] - path[i > 0 ? i - 1 : 0]);
    const cv::Vec3f helper = std::abs(along[2]) < 0.9F ? cv::Vec3f(0, 0, 1) : cv::Vec3f(0, 1, 0);
    const cv::Vec3f a = unit(along.cross(helper)), b = along.cross(a);
    for (int s = 0; s <= sides; ++s) {
      const float angle = 2 * kPi * static_cast<float>(s) / static_cast<float>(sides);
      const cv::Vec3f normal = a * std::cos(angle) + b * std::sin(angle);
      mesh.vertices.push_back({path[i] + normal * radius,
                               normal,
                               {static_cast<float>(s) / static_cast<float>(sides),
                                static_cast<float>(i) / static_cast<float>(path.size() - 1)}});
    }
  }
  add_grid(mesh, 0, sides, static_cast<int>(path.size()) - 1);
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

Mesh leaf(float length, float width, float rise, float fall) {
  constexpr int kSteps = 10;
  Mesh mesh;
  for (int i = 0; i <= kSteps; ++i) {
    const float t = static_cast<float>(i) / kSteps;
    const float x = length * t;
    const float y = rise * std::sin(t * kPi / 2) - fall * t * t;
    const float half = 0.5F * width * std::sin(kPi * std::pow(t, 0.8F)) + 0.004F;
    const float slope = rise * kPi / 2 * std::cos(t * kPi / 2) - 2 * fall * t;
    const cv::Vec3f normal = unit({-slope, length, 0});
    for (int side = -1; side <= 1; ++side) {
      const auto s = static_cast<float>(side);
      mesh.vertices.push_back({{x, y + (side == 0 ? 0.0F : 0.15F * half), s * half},
                               unit(normal + cv::Vec3f(0, 0, -0.35F * s)),
                               {(s + 1) / 2, t}});
    }
  }
  add_grid(mesh, 0, 2, kSteps);
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  // The other side: the same triangles the other way round, with normals that face it.
  const std::uint32_t count = size_of(mesh);
  const std::size_t triangles = mesh.triangles.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    Vertex back = mesh.vertices[i];
    back.normal = -back.normal;
    mesh.vertices.push_back(back);
  }
  for (std::size_t i = 0; i < triangles; ++i) {
    const auto t = mesh.triangles[i];
    mesh.triangles.push_back({t[0] + count, t[2] + count, t[1] + count});
  }
  return mesh;
}

cv::Matx33f turn_x(float r) {
  return {1, 0, 0, 0, std::cos(r), -std::sin(r), 0, std::sin(r), std::cos(r)};
}
cv::Matx33f turn_y(float r) {
  return {std::cos(r), 0, std::sin(r), 0, 1, 0, -std::sin(r), 0, std::cos(r)};
}
cv::Matx33f turn_z(float r) {
  return {std::cos(r), -std::sin(r), 0, std::sin(r), std::cos(r), 0, 0, 0, 1};
}

Mesh place(Mesh mesh, const cv::Matx33f& turn, const cv::Vec3f& shift) {
  for (Vertex& v : mesh.vertices) {
    v.position = turn * v.position + shift;
    v.normal = turn * v.normal;
  }
  return mesh;
}

Mesh join(Mesh first, const Mesh& second) {
  const std::uint32_t offset = size_of(first);
  first.vertices.insert(first.vertices.end(), second.vertices.begin(), second.vertices.end());
  for (const auto& t : second.triangles) {
    first.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  return first;
}

}  // namespace jackdaw::live::demo
