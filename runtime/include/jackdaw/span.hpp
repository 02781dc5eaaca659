// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A view of contiguous memory that somebody else owns: what std::span is in C++20.
//
//   float sum(Span<const float> values);
//   sum(vector);  sum({pointer, count});

#include <cstddef>
#include <type_traits>
#include <utility>

namespace jackdaw {

template <class T>
class Span {
 public:
  constexpr Span() noexcept = default;
  constexpr Span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}

  template <std::size_t N>
  constexpr Span(T (&array)[N]) noexcept : data_(array), size_(N) {}

  // Any container with data() and size() whose elements fit; also Span<T> -> Span<const T>.
  template <class Container,
            class = std::enable_if_t<std::is_convertible_v<
                std::remove_pointer_t<decltype(std::declval<Container&>().data())> (*)[], T (*)[]>>>
  constexpr Span(Container&& container) noexcept
      : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr T& operator[](std::size_t i) const noexcept { return data_[i]; }

  constexpr Span first(std::size_t count) const noexcept { return {data_, count}; }
  constexpr Span subspan(std::size_t offset, std::size_t count) const noexcept {
    return {data_ + offset, count};
  }
  constexpr Span subspan(std::size_t offset) const noexcept {
    return {data_ + offset, size_ - offset};
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace jackdaw
