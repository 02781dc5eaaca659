# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# A sysroot from Debian 12's arm64 packages, for toolchains/sysroot, which sources it.
#
#   make_debian build/sysroot
#
# apt runs with folders and sources of its own and only downloads; dpkg never installs anything.

# What Jackdaw and its tests are built with; their dependencies come with them, so that programs also run under qemu.
debian_packages=(libc6-dev libstdc++-12-dev libopencv-dev libmicrohttpd-dev nlohmann-json3-dev libcli11-dev doctest-dev
                 libjpeg-dev zlib1g-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev gstreamer1.0-plugins-base)

debian_mirror=${JACKDAW_DEBIAN_MIRROR:-http://deb.debian.org/debian}
debian_security=${JACKDAW_DEBIAN_SECURITY_MIRROR:-http://deb.debian.org/debian-security}
debian_keys=/usr/share/keyrings/debian-archive-keyring.gpg

# The first line of sysroot.txt: a sysroot made from another list is made anew.
debian_title() { echo "debian12-arm64: ${debian_packages[*]}"; }

# apt_settings FOLDER: read after this machine's own, of which proxies stay in force.
apt_settings() {
  local folder=$1
  mkdir -p "$folder"/{state/lists/partial,cache/archives/partial,none}
  : >"$folder/status"
  {
    echo "deb [signed-by=$debian_keys] $debian_mirror bookworm main"
    echo "deb [signed-by=$debian_keys] $debian_mirror bookworm-updates main"
    echo "deb [signed-by=$debian_keys] $debian_security bookworm-security main"
  } >"$folder/sources.list"
  cat >"$folder/apt.conf" <<TEXT
Dir::State "$folder/state";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
Dir::Etc::sourcelist "$folder/sources.list";
Dir::Etc::sourceparts "$folder/none";
Dir::Etc::preferences "$folder/none/preferences";
Dir::Etc::preferencesparts "$folder/none";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
APT::Update::Error-Mode "any";
APT::Keep-Downloaded-Packages "true";
Acquire::Retries "3";
TEXT
}

# run_apt FOLDER ARGUMENT...: quiet unless it fails.
run_apt() {
  local folder=$1
  shift
  if ! apt-get -c "$folder/apt.conf" -q "$@" >"$folder/log" 2>&1; then
    grep -E '^(E|W|Err)[: ]' "$folder/log" | tail -n 3 >&2 || tail -n 3 "$folder/log" >&2
    fail "apt-get $1 failed; check the network (and JACKDAW_DEBIAN_MIRROR), then call this again: what was downloaded is kept in $(dirname "$folder")"
  fi
}

# make_debian DIR
make_debian() {
  local dir=$1 part=$1.part deb folder
  need apt-get apt
  need dpkg-deb dpkg
  [[ -f $debian_keys ]] || fail "$debian_keys is missing; install debian-archive-keyring"
  if [[ -f $dir/sysroot.txt && $(head -n 1 "$dir/sysroot.txt") == "$(debian_title)" ]]; then
    note "$dir has Debian's packages already"
    return
  fi
  [[ ! -e $dir || -f $dir/sysroot.txt || -z $(ls -A "$dir") ]] ||
    fail "$dir is there and is no sysroot that toolchains/sysroot made; choose another folder"

  note "Debian 12 arm64: downloading package lists"
  apt_settings "$part/apt"
  run_apt "$part/apt" update
  note "Debian 12 arm64: downloading packages (about 270 MB)"
  run_apt "$part/apt" install --download-only --yes "${debian_packages[@]}"
  run_apt "$part/apt" autoclean  # what an interrupted call left of older versions

  note "Debian 12 arm64: unpacking"
  rm -rf "$part/root"
  mkdir -p "$part/root/usr"/{bin,lib,sbin}
  for folder in bin lib sbin; do ln -s "usr/$folder" "$part/root/$folder"; done
  for deb in "$part"/apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" |
      tar -x -C "$part/root" --keep-directory-symlink --no-same-owner --exclude='./dev/*' --exclude='./usr/share/doc/*' \
        --exclude='./usr/share/locale/*' --exclude='./usr/share/man/*' ||
      { rm -f "$deb"; fail "$deb could not be unpacked (no room left, or it is torn: it was removed); call this again"; }
  done
  choose_alternative "$part/root" libblas.so.3 blas
  choose_alternative "$part/root" liblapack.so.3 lapack
  relative_links "$part/root"
  {
    debian_title
    for deb in "$part"/apt/cache/archives/*.deb; do
      # shellcheck disable=SC2016  # dpkg-deb fills these in
      dpkg-deb --show --showformat='package ${Package} ${Version}\n' "$deb"
    done
  } >"$part/root/sysroot.txt"
  finish "$part/root" "$dir"
  rm -rf "$part"
}
