# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# A sysroot copied from a Jetson, for toolchains/sysroot, which sources it.
#
#   copy_device user@host build/sysroot-orin
#
# What is the same as in the sysroot that is there already is linked, not copied again.

# Headers, libraries, and what CMake and pkg-config read; /etc/alternatives because /usr/local/cuda goes through it.
device_folders=(/usr/include /usr/lib /lib /usr/local /usr/share/cmake /usr/share/pkgconfig /etc/alternatives)
device_files=(/etc/os-release /etc/nv_tegra_release)
device_leaves_out=(/usr/lib/modules /usr/lib/firmware /usr/lib/python3 /usr/lib/snapd /usr/lib/libreoffice
                   /usr/lib/thunderbird /usr/lib/cups /usr/lib/chromium-browser /usr/lib/jvm /usr/local/bin '/usr/local/cuda*/bin'
                   '/usr/local/cuda*/nvvm' '/usr/local/cuda*/samples' '/usr/local/cuda*/doc' '*_static*.a' '__pycache__')

# on_device HOST COMMAND
on_device() { ${RSYNC_RSH:-ssh} "$1" "$2"; }

# copy_device USER@HOST[:ROOT] DIR
copy_device() {
  local host=${1%%:*} root='' dir=$2 part=$2.part machine title packages path options=() rc=0
  if [[ $1 == *:* ]]; then root=${1#*:}; root=${root%/}; fi
  need rsync rsync
  need "${RSYNC_RSH:-ssh}" openssh-client
  [[ ! -e $dir || -f $dir/sysroot.txt || -z $(ls -A "$dir") ]] ||
    fail "$dir is there and is no sysroot that toolchains/sysroot made; choose another folder"

  machine=$(on_device "$host" "uname -m") ||
    fail "$host does not answer; check the name, the network and that 'ssh $host' needs no password typed"
  [[ -n $root || $machine == aarch64 ]] || fail "$host is $machine, not aarch64: this is no Jetson"
  title=$(on_device "$host" "head -n 1 '$root/etc/nv_tegra_release' 2>/dev/null || . '$root/etc/os-release' && echo \"\$PRETTY_NAME\"") ||
    fail "$host:$root has no /etc/os-release; is ROOT the root of its file system?"

  note "$host: $title; copying headers and libraries"
  mkdir -p "$part"
  # The CUDA runtime is linked statically; of the others' static archives none is. rsync takes the first rule that fits.
  options+=(--include='libcudart_static.a')
  for path in "${device_leaves_out[@]}"; do options+=(--exclude="$path"); done
  if [[ -d $dir ]]; then options+=(--link-dest="$dir"); fi
  rsync --archive --relative --no-owner --no-group --delete --ignore-missing-args --partial --info=progress2 \
    "${options[@]}" "${device_folders[@]/#/"$host:$root/."}" "${device_files[@]/#/"$host:$root/."}" "$part/" || rc=$?
  case $rc in
    0) ;;
    23) note "some files may not be read by this user there (see above); they are left out" ;;
    *) fail "rsync from $host failed; what has arrived is kept in $part, call this again to go on" ;;
  esac
  [[ -e $part/lib/aarch64-linux-gnu/libc.so.6 || -e $part/usr/lib/aarch64-linux-gnu/libc.so.6 ]] ||
    fail "no C library for aarch64 has come from $host; what has arrived is kept in $part"

  relative_links "$part"
  packages=$(on_device "$host" "dpkg-query --admindir='$root/var/lib/dpkg' -W -f='package \${Package} \${Version}\n'") ||
    packages="package versions unknown: dpkg-query failed on the device"
  printf '%s\n' "from-device $host: $title" "$packages" >"$part/sysroot.txt"
  finish "$part" "$dir"
}
