/** A component that stands for a part of this server; `probe` binds it to its measurement. */
export interface BuiltInComponent {
  readonly name: string;
  readonly description: string;
  readonly probe: string;
}

interface BuiltInGroup {
  readonly name: string;
  readonly components: readonly BuiltInComponent[];
}

/** @see contracts/status.md section 7 */
const BUILT_IN_GROUPS: readonly BuiltInGroup[] = [
  {
    name: 'Contract verification',
    components: [
      {
        name: 'Verification API',
        description: 'Submit and follow source verification',
        probe: 'verification-api',
      },
      {
        name: 'Verification queue',
        description: 'Waiting jobs and the workers that run them',
        probe: 'verification-queue',
      },
      { name: 'Compilers', description: 'Compiler downloads and runs', probe: 'compilers' },
    ],
  },
  {
    name: 'Ledger mirror',
    components: [
      { name: 'Mirror REST API', description: 'Transactions and network data', probe: 'mirror-api' },
      {
        name: 'Mirror data freshness',
        description: 'How far the imported ledger lags behind',
        probe: 'mirror-freshness',
      },
      {
        name: 'Fee estimation',
        description: 'Fees of a transaction before it is sent',
        probe: 'fee-estimation',
      },
    ],
  },
  {
    name: 'Platform',
    components: [
      { name: 'Database', description: 'Storage of everything shown here', probe: 'database' },
      {
        name: 'Upstream record source',
        description: 'Where ledger records are taken from',
        probe: 'upstream-records',
      },
    ],
  },
];

/** A part of this server that gets a component, and the group for it. */
export interface ServerPart {
  readonly group: string;
  readonly component: BuiltInComponent;
}

/** The parts of the table, in its order. */
export const BUILT_IN_PARTS: readonly ServerPart[] = BUILT_IN_GROUPS.flatMap(({ name, components }) =>
  components.map((component) => ({ group: name, component })),
);
