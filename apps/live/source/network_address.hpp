// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Addresses of streams, and what of them may be shown. User and password never may.
//
//   shown_address("rtsp://me:secret@10.0.0.7:554/live?token=1");   // "rtsp://10.0.0.7:554/live?…"

#include <string>

namespace jackdaw::live {

// Of any text that may be an address; one without "://" comes back as it is.
std::string shown_address(const std::string& address);

// SCHEME://[USER[:PASSWORD]@]HOST[:PORT][/…]. Throws SettingsError, without the password.
void check_stream_address(const std::string& address);

// [USER-less @][ADDRESS]:PORT, to listen on: returned as ADDRESS:PORT, 0.0.0.0 where there is none.
std::string check_listening_address(const std::string& text, const std::string& shown);

// Another program's words about the address, with all that is secret in it replaced.
std::string hide_secrets(std::string text, const std::string& address, const std::string& shown);

}  // namespace jackdaw::live
