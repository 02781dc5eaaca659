#!/bin/sh
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Times the seed's step in JAX, the peer of `jackdaw bench`. Not part of ./check: it downloads JAX
# (about 100 MB) into a virtual environment of its own, once.
#
#   tests/bench/peer.sh build/peer-venv [options of seed_jax.py]
#
# One line of JSON for each form on standard output.
set -eu

if [ $# -lt 1 ]; then
  echo "usage: $0 VENV_FOLDER [options of seed_jax.py]" >&2
  exit 2
fi
venv=$1
shift
here=$(cd "$(dirname "$0")" && pwd)

if ! "$venv/bin/python" -c 'import jax, numpy' 2>/dev/null; then
  python3 -m venv "$venv" || {
    echo "$0: python3 cannot make a virtual environment (on Debian: apt-get install python3-venv)" >&2
    exit 1
  }
  "$venv/bin/pip" install --quiet --disable-pip-version-check 'jax[cpu]>=0.4.30' >&2
fi
exec env JAX_PLATFORMS=cpu "$venv/bin/python" "$here/seed_jax.py" "$@"
