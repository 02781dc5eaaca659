// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The encoder parses nothing; trt_compat.hpp includes it all the same.
