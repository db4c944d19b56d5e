import { isBefore } from '../../match/version-order.ts';
import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';

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

const DOCUMENTS: ReadonlySet<string> = new Set(['userdoc', 'devdoc']);
/** Older ones compile every source and want to be told what to print of each. */
const FIRST_WITH_ONE_TARGET = '0.4.0';
const LEAST_OUTPUTS: readonly string[] = ['abi'];

/** For which compiler an input is made. */
export interface VyperSelection {
  readonly version: string;
  /** Whether `userdoc` and `devdoc` are asked for: comments that are no proper documents make them fail. */
  readonly withDocuments: boolean;
}

/** Replaces the output selection of a submission: Vyper wants a list for each file and knows no `*` for contracts. */
export function selectVyperOutput(
  input: StandardJson,
  { path }: CompilationTarget,
  { version, withDocuments }: VyperSelection,
): StandardJson {
  const outputs = withDocuments ? VYPER_OUTPUTS : VYPER_OUTPUTS.filter((each) => !DOCUMENTS.has(each));
  const namesAll = isBefore(version, FIRST_WITH_ONE_TARGET) && Object.hasOwn(input.sources, path);
  const others = namesAll ? Object.keys(input.sources).map((each) => [each, LEAST_OUTPUTS] as const) : [];
  const outputSelection = { ...Object.fromEntries(others), [path]: outputs };
  return { ...input, settings: { ...settingsOf(input), outputSelection } };
}
