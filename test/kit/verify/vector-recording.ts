import { vyperOutputs } from '../../../src/verify/compile/vyper/vyper-compiler.ts';
import type { Recording } from './stand-in-compilers.ts';

/** The members of a verification vector that tell what its compiler answered. */
export interface RecordedVector {
  readonly input: {
    readonly compilerVersion: string;
    readonly contractIdentifier: string;
    // biome-ignore lint/suspicious/noExplicitAny: compiler input of any form
    readonly stdJsonInput: any;
  };
  // biome-ignore lint/suspicious/noExplicitAny: compiler output of any form
  readonly output: any;
  // biome-ignore lint/suspicious/noExplicitAny: records of any form
  readonly verification?: any;
}

/** The manifest that the engine writes for every Fe project. */
const FE_MANIFEST = '[ingot]\nname = "sourcify_verification"\nversion = "0.1.0"\n';

/**
 * Turns a Vyper or Fe vector into what its compiler was asked and what it answered.
 *
 * @see contracts/verification-engine.md sections 4, 5 and 14
 */
export function recordingOf({ input, output, verification }: RecordedVector): Recording {
  const { stdJsonInput, contractIdentifier } = input;
  const version = input.compilerVersion.replace(/^v/, '');
  const colon = contractIdentifier.lastIndexOf(':');
  const [path, name] = [contractIdentifier.slice(0, colon), contractIdentifier.slice(colon + 1)];
  const { abi, userdoc, devdoc, sources } = output.compilationArtifacts;
  if (stdJsonInput.language === 'Fe') {
    const files = Object.entries<{ content: string }>(stdJsonInput.sources).map(([file, { content }]) => [
      file.startsWith('src/') ? file : `src/${file}`,
      content,
    ]);
    return {
      language: 'fe',
      version,
      project: { ...Object.fromEntries(files), 'fe.toml': FE_MANIFEST },
      files: {
        [`${name}.bin`]: output.creationBytecode.slice(2),
        [`${name}.runtime.bin`]: output.deployedBytecode.slice(2),
        [`${name}.abi.json`]: JSON.stringify(abi),
      },
    };
  }
  const outputSelection = { [path]: vyperOutputs(version, true) };
  const immutables: string | undefined = verification?.runtimeValues?.immutables?.['0'];
  const evm = {
    bytecode: { object: output.creationBytecode },
    deployedBytecode: {
      object: output.deployedBytecode,
      sourceMap: output.runtimeCodeArtifacts.sourceMap,
    },
  };
  const ir = {
    seq: [{ deploy: [0, { seq: [] }, immutables === undefined ? 0 : immutables.length / 2 - 1] }],
  };
  return {
    language: 'vyper',
    version,
    stdin: { ...stdJsonInput, settings: { ...stdJsonInput.settings, outputSelection } },
    stdout: { contracts: { [path]: { [name]: { abi, userdoc, devdoc, evm, ir } } }, sources },
  };
}
