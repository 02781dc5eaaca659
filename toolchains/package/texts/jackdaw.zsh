#compdef jackdaw
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# zsh completion: commands and options as 'jackdaw COMMAND --help' lists them, so that it is never out of date.
local word help
local -a commands found
for word in "${(@)words[2,CURRENT-1]}"; do
  [[ $word == -* ]] && break
  commands+=("$word")
done
help=$("${words[1]}" "${commands[@]}" --help 2>/dev/null) || return 1
if [[ ${words[CURRENT]} == -* ]]; then
  found=(${(fu)"$(grep -oE -- '--[a-z][a-z-]*' <<<"$help")"})
else
  found=(${(f)"$(sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p' <<<"$help")"})
fi
if (( $#found )); then compadd -a found; else _files; fi
