// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who is at the other end, and who we are.
//
//   const ClientAddress who = client_address(*sockaddr);   // limits are counted by who.key

#include <sys/socket.h>

#include <string>
#include <vector>

namespace jackdaw::live {

struct ClientAddress {
  // An IPv4 address, or the first 64 bits of an IPv6 one: a single machine has all the others.
  std::string key;
  bool loopback = false;
};

ClientAddress client_address(const sockaddr& address);

// Of every interface that is up, as text, without scope; IPv4 first.
std::vector<std::string> own_addresses();
// What this machine calls itself; empty where it does not say.
std::string own_name();

bool is_loopback(const sockaddr& address);
// As text in one spelling ("::1", never "0:0::1"); empty if it is no numeric address.
std::string canonical_address(const std::string& text);

}  // namespace jackdaw::live
