import { isBefore } from '../../src/verify/match/version-order.ts';

type Settings = Readonly<Record<string, unknown>>;

const optimized = (runs: number): Settings => ({ optimizer: { enabled: true, runs } });

/** Settings of submissions, with the solc from which on they exist. */
export const SETTINGS: Readonly<Record<string, readonly [since: string, settings: Settings]>> = {
  none: ['0.4.0', {}],
  '1 run': ['0.4.0', optimized(1)],
  '200 runs': ['0.4.0', optimized(200)],
  '10000 runs': ['0.4.0', optimized(10_000)],
  'Yul optimizer': ['0.6.0', { optimizer: { enabled: true, runs: 200, details: { yul: true } } }],
  IR: ['0.8.2', { viaIR: true }],
  'IR optimized': ['0.8.2', { viaIR: true, ...optimized(200) }],
  'no hash': ['0.6.0', { metadata: { bytecodeHash: 'none' }, ...optimized(200) }],
  bzzr1: ['0.6.0', { metadata: { bytecodeHash: 'bzzr1' } }],
  'no CBOR': ['0.8.18', { metadata: { bytecodeHash: 'none', appendCBOR: false } }],
  literal: ['0.4.7', { metadata: { useLiteralContent: true }, ...optimized(200) }],
  'older EVM': ['0.4.21', { evmVersion: 'byzantium' }],
  remappings: ['0.4.10', { remappings: ['nobody/=needs/this/'] }],
};

/** Names of those that a solc knows. */
export function settingsOfVersion(version: string): readonly string[] {
  return Object.entries(SETTINGS)
    .filter(([, [since]]) => !isBefore(version, since))
    .map(([name]) => name);
}

/** Changes of settings that may change the code, or only what metadata say of it. */
export const OTHER_SETTINGS: readonly ((settings: Settings) => Settings)[] = [
  ({ optimizer, ...rest }) => ({
    ...rest,
    ...((optimizer as { enabled?: boolean } | undefined)?.enabled === true ? {} : optimized(200)),
  }),
  ({ optimizer, ...rest }) => ({
    ...rest,
    optimizer: { ...(optimizer as object), runs: 77 },
  }),
  ({ metadata, ...rest }) => ({
    ...rest,
    metadata: {
      ...(metadata as object),
      useLiteralContent:
        (metadata as { useLiteralContent?: boolean } | undefined)?.useLiteralContent !== true,
    },
  }),
  ({ remappings, ...rest }) => ({
    ...rest,
    remappings: [...((remappings ?? []) as readonly string[]), 'other/=path/'],
  }),
];
