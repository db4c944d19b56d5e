import { isBefore } from '../../match/version-order.ts';
import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';

const CODE_OUTPUTS: readonly string[] = [
  'evm.bytecode.object',
  'evm.bytecode.opcodes',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.opcodes',
  'evm.deployedBytecode.sourceMap',
  'evm.methodIdentifiers',
];

const FIRST_WITH_DOCUMENTS = '0.2.0';
const FIRST_WITH_LAYOUT = '0.4.1';
const FIRST_WITH_CREATION_MAP = '0.4.0';
/** Those of it before rc4. */
const WITHOUT_CREATION_MAP = /^0\.4\.0(?:[ab]\d+|rc[123])(?!\d)/;
/** Older ones compile every source and want to be told what to print of each. */
const FIRST_WITH_ONE_TARGET = '0.4.0';
const LEAST_OUTPUTS: readonly string[] = ['abi'];

/** For which compiler an input is made. */
interface VyperSelection {
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
  const namesAll = isBefore(version, FIRST_WITH_ONE_TARGET) && Object.hasOwn(input.sources, path);
  const others = namesAll ? Object.keys(input.sources).map((each) => [each, LEAST_OUTPUTS] as const) : [];
  const outputSelection = { ...Object.fromEntries(others), [path]: vyperOutputs(version, withDocuments) };
  return { ...input, settings: { ...settingsOf(input), outputSelection } };
}

/** The outputs that a version has. @see contracts/verification-engine.md section 4.1 */
export function vyperOutputs(version: string, withDocuments: boolean): readonly string[] {
  const hasDocuments = withDocuments && !isBefore(version, FIRST_WITH_DOCUMENTS);
  const hasMap = !isBefore(version, FIRST_WITH_CREATION_MAP) && !WITHOUT_CREATION_MAP.test(version);
  return [
    ...['abi', 'ast', 'interface', 'ir'],
    ...(hasDocuments ? ['userdoc', 'devdoc'] : []),
    ...CODE_OUTPUTS,
    ...(hasMap ? ['evm.bytecode.sourceMap'] : []),
    ...(isBefore(version, FIRST_WITH_LAYOUT) ? [] : ['layout']),
  ];
}
