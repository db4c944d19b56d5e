import { type CompilationTarget, type StandardJson, settingsOf } from '../../standard-json.ts';
import type { OutputScope } from '../compiler.ts';

/** What the engine needs of a contract. @see contracts/verification-engine.md section 2.1 */
const OUTPUTS = [
  'abi',
  'devdoc',
  'userdoc',
  'storageLayout',
  'transientStorageLayout',
  'evm.legacyAssembly',
  'evm.bytecode.object',
  'evm.bytecode.sourceMap',
  'evm.bytecode.linkReferences',
  'evm.bytecode.generatedSources',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.sourceMap',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
  'metadata',
] as const;

/**
 * Replaces the output selection of a submission by our own.
 *
 * `target` asks for one contract, which saves most of the output of large inputs; `all` is what the reference
 * asks for and what counts when known compiler bugs make code depend on the selection.
 */
export function selectOutput(
  input: StandardJson,
  target: CompilationTarget,
  scope: OutputScope,
): StandardJson {
  const settings = settingsOf(input);
  // solc has no such assembly for EOF, and refuses to be asked for it.
  const names =
    settings['eofVersion'] === undefined ? OUTPUTS : OUTPUTS.filter((name) => name !== 'evm.legacyAssembly');
  const outputs = scope === 'all' ? { '*': { '*': names } } : selectContract(target, names);
  const outputSelection = mayStorePointers(input) ? withTrees(outputs) : outputs;
  return { ...input, settings: { ...settings, outputSelection } };
}

/** Up to 0.4.19 a path with a colon is cut there, in 0.4.19 in the selection too. */
function selectContract({ path, name }: CompilationTarget, names: readonly string[]): Record<string, object> {
  const colon = path.indexOf(':');
  const cut = colon < 0 ? {} : { [path.slice(0, colon)]: { [`${path.slice(colon + 1)}:${name}`]: names } };
  return { ...cut, [path]: { [name]: names } };
}

/** Syntax trees, of all files: a contract inherits immutables. */
function withTrees(outputs: Readonly<Record<string, object>>): object {
  return { ...outputs, '*': { ...outputs['*'], '': ['ast'] } };
}

/** Whether some file may declare an immutable that points to an internal function; only syntax trees say which does. */
function mayStorePointers({ language, sources }: StandardJson): boolean {
  return (
    language === 'Solidity' &&
    Object.values(sources).some(({ content }) => content.includes('immutable') && FUNCTION_TYPE.test(content))
  );
}

/** A function without a name; a comment may stand before its parameters. */
const FUNCTION_TYPE = /\bfunction\s*(?:\(|\/[*/])/;
