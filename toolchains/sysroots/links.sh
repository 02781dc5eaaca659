# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Links inside a sysroot, for toolchains/sysroot, which sources it.
#
#   relative_links DIR     # /usr/lib/x -> /etc/alternatives/x becomes ../../etc/alternatives/x

# An absolute link would lead out of the sysroot, to this machine's own file. Links are not followed: another one on the
# way may still be absolute.
relative_links() {
  local root=$1 link target
  find "$root" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    target=$(readlink "$link")
    ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$root$target")" "$link"
  done
}

# choose_alternative DIR LIBRARY FOLDER: what update-alternatives would have done on the target.
choose_alternative() {
  local root=$1 library=$2 folder=$3 libraries=$1/usr/lib/aarch64-linux-gnu
  if [[ -e $libraries/$folder/$library && ! -e $libraries/$library ]]; then
    ln -s "$folder/$library" "$libraries/$library"
  fi
}
