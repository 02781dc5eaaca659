// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile seed worked by hand: four keys in the plane, k = 2, two classes, three batches. A test
// teaches the batches in order and compares chosen sets, weights and biases after each one:
//
//   for (std::size_t i = 0; i < kBatches; ++i) teach(kBatch[i]); expect(kAfter[i]);
//
// All directions are 3-4-5 triangles, so every cosine is a short decimal. Weights and biases are in
// steps of the learning rate 1e-4. Every |u| stays below 1e-3, so with tau = 250 the slope phi' of
// the tanh lies within 2e-11 of 1 and never decides a sign: the sums below leave it out. (It cannot
// change one: no sum that is not exactly zero is smaller than 1/30.)
//
//   key    given     unit length        initial weights (class 0, class 1), biases 0
//   K0     ( 1, 0)   ( 1  ,  0  )       ( 2,-1)  ( 0, 3)
//   K1     ( 0, 2)   ( 0  ,  1  )       (-3, 1)  ( 1, 1)
//   K2     ( 3, 4)   ( 0.6,  0.8)       ( 0,-2)  ( 2, 0)
//   K3     ( 4,-3)   ( 0.8, -0.6)       ( 1, 1)  (-1, 2)
//
// Batch 1: one example. A step is the sign of x.
//   z = (8,6), class 0: x = (0.8, 0.6).
//     cosines  K0 0.8   K1 0.6   K2 0.48+0.48 = 0.96   K3 0.64-0.36 = 0.28    chosen {0,2}
//     K0 class 0: (2,-1)+(1,1) = (3,0), bias 1.    K2 class 0: (0,-2)+(1,1) = (1,-1), bias 1.
//
// Batch 2: two examples of one class that choose the same two classifiers. Their first components
// are opposite, and which one wins hangs on the shares s/S: differently on K1 and on K2.
//   A: z = (3,4), class 1: x = (0.6, 0.8).
//     cosines  K0 0.6   K1 0.8   K2 0.36+0.64 = 1   K3 0.48-0.48 = 0          chosen {1,2}
//     S = 1.8; shares  K1 0.8/1.8 = 4/9 = 12/27   K2 1/1.8 = 5/9 = 15/27
//   B: z = (-3,4), class 1: x = (-0.6, 0.8).
//     cosines  K0 -0.6   K1 0.8   K2 -0.36+0.64 = 0.28   K3 -0.48-0.48 = -0.96   chosen {1,2}
//     S = 1.08; shares  K1 0.8/1.08 = 20/27   K2 0.28/1.08 = 7/27
//   K1 class 1: first  0.6*(12/27) - 0.6*(20/27) = -8/45   ->  -1
//               second 0.8*(12/27) + 0.8*(20/27) > 0       ->  +1     (1,1)+(-1,1) = (0,2), bias 1
//   K2 class 1: first  0.6*(15/27) - 0.6*(7/27) = 8/45     ->  +1
//               second 0.8*(15/27) + 0.8*(7/27) > 0        ->  +1     (2,0)+(1,1) = (3,1), bias 1
//   (A batch is one step: one after the other would give (1,3) and (2,2), both with bias 2.)
//
// Batch 3: two of class 0 that share K0 only, one of class 1 with a component that is zero.
//   C: z = (3,-4), class 0: x = (0.6, -0.8).
//     cosines  K0 0.6   K1 -0.8   K2 0.36-0.64 = -0.28   K3 0.48+0.48 = 0.96     chosen {0,3}
//     S = 1.56; shares  K0 0.6/1.56 = 5/13   K3 8/13
//   D: z = (4,3), class 0: x = (0.8, 0.6): as in batch 1, chosen {0,2}
//     S = 1.76; shares  K0 0.8/1.76 = 5/11   K2 6/11
//   E: z = (0,5), class 1: x = (0, 1).
//     cosines  K0 0   K1 1   K2 0.8   K3 -0.6                                    chosen {1,2}
//   K0 class 0: first   0.6*5/13 + 0.8*5/11 > 0                       ->  +1
//               second -0.8*5/13 + 0.6*5/11 = (-44+39)/143 = -5/143   ->  -1
//                                                          (3,0)+(1,-1) = (4,-1), bias 2
//   K2 class 0 (D alone): (1,-1)+(1,1) = (2,0), bias 2.
//   K3 class 0 (C alone): (1,1)+(1,-1) = (2,0), bias 1.
//   K1 class 1 (E alone): (0,2)+(0,1) = (0,3), bias 2: sign(0) = 0, the first does not move.
//   K2 class 1 (E alone): (3,1)+(0,1) = (3,2), bias 2.
//
// Prediction: z = (7,24): x = (0.28, 0.96).
//     cosines  K0 0.28   K1 0.96   K2 0.168+0.768 = 0.936   K3 0.224-0.576 = -0.352   chosen {1,2}
//   class 0: u(K1) = -0.84+0.96+0 = 0.12    u(K2) = 0.56+0+2    = 2.56
//            y = (0.96*0.12 + 0.936*2.56)/1.896 = 2.51136/1.896 = 2616/1975 steps
//   class 1: u(K1) = 0+2.88+2     = 4.88    u(K2) = 0.84+1.92+2 = 4.76
//            y = (0.96*4.88 + 0.936*4.76)/1.896 = 9.14016/1.896 = 9521/1975 steps
//   times 1e-4. The tanh takes less than 2e-12 of it away (u^2 / (3 tau^2)).
//
// Tie: z = (1,1) is as near to K0 as to K1 (and nearest to K2): the lower index wins, chosen {0,2}.

#include <cstddef>
#include <cstdint>

namespace jackdaw::testing::written_example {

inline constexpr std::size_t kClassifiers = 4, kNearest = 2, kDimensions = 2, kClasses = 2;
inline constexpr double kLearningRate = 1e-4, kTau = 250.0;

inline constexpr double kKeys[kClassifiers][kDimensions] = {{1, 0}, {0, 2}, {3, 4}, {4, -3}};

struct State {
  std::int32_t weights[kClassifiers][kClasses][kDimensions];  // in steps of the learning rate
  std::int32_t biases[kClassifiers][kClasses];
};

inline constexpr std::size_t kMostExamples = 3;

struct Batch {
  std::size_t size;
  double z[kMostExamples][kDimensions];
  std::uint32_t labels[kMostExamples];
  std::uint32_t chosen[kMostExamples][kNearest];  // expected, ascending
};

inline constexpr State kInitial = {
    {{{2, -1}, {0, 3}}, {{-3, 1}, {1, 1}}, {{0, -2}, {2, 0}}, {{1, 1}, {-1, 2}}},
    {{0, 0}, {0, 0}, {0, 0}, {0, 0}}};

inline constexpr std::size_t kBatches = 3;

inline constexpr Batch kBatch[kBatches] = {
    {1, {{8, 6}}, {0}, {{0, 2}}},
    {2, {{3, 4}, {-3, 4}}, {1, 1}, {{1, 2}, {1, 2}}},
    {3, {{3, -4}, {4, 3}, {0, 5}}, {0, 0, 1}, {{0, 3}, {0, 2}, {1, 2}}},
};

inline constexpr State kAfter[kBatches] = {
    {{{{3, 0}, {0, 3}}, {{-3, 1}, {1, 1}}, {{1, -1}, {2, 0}}, {{1, 1}, {-1, 2}}},
     {{1, 0}, {0, 0}, {1, 0}, {0, 0}}},
    {{{{3, 0}, {0, 3}}, {{-3, 1}, {0, 2}}, {{1, -1}, {3, 1}}, {{1, 1}, {-1, 2}}},
     {{1, 0}, {0, 1}, {1, 1}, {0, 0}}},
    {{{{4, -1}, {0, 3}}, {{-3, 1}, {0, 3}}, {{2, 0}, {3, 2}}, {{2, 0}, {-1, 2}}},
     {{2, 0}, {0, 2}, {2, 2}, {1, 0}}},
};

inline constexpr double kQuery[kDimensions] = {7, 24};
inline constexpr std::uint32_t kQueryChosen[kNearest] = {1, 2};
inline constexpr double kAnswer[kClasses] = {2616.0 / 1975.0 * kLearningRate,
                                             9521.0 / 1975.0 * kLearningRate};

inline constexpr double kTie[kDimensions] = {1, 1};
inline constexpr std::uint32_t kTieChosen[kNearest] = {0, 2};

}  // namespace jackdaw::testing::written_example
