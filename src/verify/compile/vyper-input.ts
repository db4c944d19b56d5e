import { type CompilationTarget, type StandardJson, settingsOf } from '../standard-json.ts';

/** What the engine needs of a contract. @see contracts/verification-engine.md section 4.1 */
export const VYPER_OUTPUTS: readonly string[] = [
  'abi',
  'ast',
  'interface',
  'ir',
  'userdoc',
  'devdoc',
  'evm.bytecode.object',
  'evm.bytecode.opcodes',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.opcodes',
  'evm.deployedBytecode.sourceMap',
  'evm.methodIdentifiers',
];

/** Replaces the output selection of a submission: Vyper wants a list for each file and knows no `*` for contracts. */
export function selectVyperOutput(input: StandardJson, { path }: CompilationTarget): StandardJson {
  return { ...input, settings: { ...settingsOf(input), outputSelection: { [path]: VYPER_OUTPUTS } } };
}
