# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# bash completion: commands and options as 'jackdaw COMMAND --help' lists them, so that it is never out of date.
_jackdaw() {
  local word=${COMP_WORDS[COMP_CWORD]} i commands=() help
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -* ]] && break
    commands+=("${COMP_WORDS[i]}")
  done
  help=$("${COMP_WORDS[0]}" "${commands[@]}" --help 2>/dev/null) || return
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(grep -oE -- '--[a-z][a-z-]*' <<<"$help" | sort -u)" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$(sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p' <<<"$help")" -- "$word")
  fi
}
complete -o default -F _jackdaw jackdaw
