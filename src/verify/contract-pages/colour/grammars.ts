import Prism, { type Grammar } from 'prismjs';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-python.js';
import 'prismjs/components/prism-rust.js';
import 'prismjs/components/prism-solidity.js';

/** The languages that sources are coloured for. */
export type ColouredLanguage = 'solidity' | 'vyper' | 'yul' | 'json' | 'fe';

const { languages } = Prism;

const VYPER: Grammar = {
  ...languages['python'],
  decorator: { pattern: /@\w+/, alias: 'keyword' },
  keyword:
    /\b(?:and|as|assert|break|class|constant|continue|def|elif|else|enum|event|exports|extcall|flag|for|from|if|immutable|implements|import|in|indexed|initializes|interface|log|not|or|pass|public|raise|return|self|staticcall|struct|transient|uses)\b/,
  builtin:
    /\b(?:address|bool|u?int\d{1,3}|bytes\d{1,2}|Bytes|String|DynArray|HashMap|decimal|msg|block|tx|chain)\b/,
};

const YUL: Grammar = {
  ...languages['clike'],
  string: { pattern: /(?:hex)?"(?:\\.|[^"\\\n])*"/, greedy: true },
  keyword: /\b(?:object|code|data|function|let|if|switch|case|default|for|break|continue|leave)\b/,
  number: /\b(?:0x[\da-f]+|\d+)\b/i,
};

const FE: Grammar = {
  ...languages['rust'],
  keyword:
    /\b(?:as|break|const|continue|contract|else|emit|enum|event|extern|false|fn|for|if|impl|in|ingot|init|let|match|mod|msg|mut|pub|recv|return|revert|self|Self|storage|struct|super|trait|true|type|unsafe|use|uses|where|while|with)\b/,
};

const GRAMMARS: Readonly<Record<ColouredLanguage, Grammar | undefined>> = {
  solidity: languages['solidity'],
  vyper: VYPER,
  yul: YUL,
  json: languages['json'],
  fe: FE,
};

/** The grammar of a language, as the library wants it. */
export function grammarOf(language: ColouredLanguage): Grammar {
  return GRAMMARS[language] ?? {};
}
