import type { Invocation } from './command.ts';

/** Each asks the executable itself, so that a script never knows other words than the version that runs. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_ledgerlens() {
  local IFS=$'\\n'
  COMPREPLY=($(ledgerlens __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _ledgerlens ledgerlens`,
  zsh: `_ledgerlens() {
  local -a found
  found=(\${(f)"$(ledgerlens __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _ledgerlens ledgerlens`,
  fish: `function __ledgerlens_complete
  set -l words (commandline -opc) (commandline -ct)
  ledgerlens __complete $words[2..-1] 2>/dev/null
end
complete -c ledgerlens -a '(__ledgerlens_complete)'`,
};

/** `ledgerlens completion SHELL`: the script for a shell. */
export async function execute({ positionals: [shell = ''] }: Invocation): Promise<number> {
  console.log(SCRIPTS[shell]);
  return 0;
}
