# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs packages of the distribution, for ./run and ./check, which source it.
#
#   install_missing check cmake ninja-build     # who asks, and what must be there

package_lists_updated=no

say() { printf '\n== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }

has_package() { dpkg -s "$1" 2>/dev/null | grep -q '^Status: .* installed$'; }

as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

# install_packages WHO PACKAGE...
install_packages() {
  local who=$1
  shift
  if [[ $(id -u) -ne 0 ]] && ! command -v sudo >/dev/null; then
    echo "$who: missing packages: $*" >&2
    echo "$who: install them as root (apt-get install $*), or run ./$who as root" >&2
    exit 1
  fi
  say "installing $*"
  if [[ $package_lists_updated == no ]]; then as_root apt-get update -q; package_lists_updated=yes; fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# install_missing WHO PACKAGE...
install_missing() {
  local who=$1 package missing=()
  shift
  if ! command -v dpkg >/dev/null || ! command -v apt-get >/dev/null; then
    note "this is neither Debian nor Ubuntu; nothing is installed. Needed are: $*"
    return
  fi
  for package in "$@"; do has_package "$package" || missing+=("$package"); done
  if [[ ${#missing[@]} -gt 0 ]]; then install_packages "$who" "${missing[@]}"; fi
}
