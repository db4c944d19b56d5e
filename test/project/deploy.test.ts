import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/config-variables.ts';
import { isLeftOut } from '../support/left-out.ts';
import { startTestServer } from '../support/test-server.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}deploy/${name}`, 'utf8');
const missing = (command: string, args: readonly string[]) =>
  spawnSync(command, [...args], { stdio: 'ignore' }).error === undefined
    ? null
    : `${command} is not installed`;
const run = (command: string, ...args: string[]) => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd: `${ROOT}deploy`, encoding: 'utf8' });
  return { status, text: stdout + stderr };
};

/** Stands for where operators keep a copy of `docs/`, since the project has no public address. */
const COPY_OF_DOCS = 'https://git.example.org/ledgerlens';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly annotations: Readonly<Record<string, string>>;
}
const rules = (parse(read('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}
const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };

/** Names of our metrics and of the process in an expression, without the endings of a histogram's series. */
const metricsIn = (expr: string) =>
  (expr.match(/\b(?:ledgerlens|process|nodejs)_\w+/g) ?? []).map((name) =>
    /_duration_seconds|_compile_seconds/.test(name) ? name.replace(/_(?:bucket|count|sum)$/, '') : name,
  );

/** What is the same at each replica, since the database tells it. */
const OF_THE_DATABASE = [
  'ledgerlens_database_bytes',
  'ledgerlens_import_lease_held',
  'ledgerlens_import_lease_taken_total',
  'ledgerlens_status_component',
  'ledgerlens_status_deliveries',
  'ledgerlens_verify_jobs',
];
const ONCE = /^(?:count\()?max(?: by \((?:state|kind|component)(?:, status)?\) )?\(/;

describe('rules and dashboard', () => {
  test('name metrics that the server has', async () => {
    const server = await startTestServer({});
    const text = await (await fetch(`${server.url}/metrics`)).text();
    await server.close();
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(expressions.flatMap(metricsIn).filter((name) => !known.has(name))).toEqual([]);
    expect(expressions.every((expr) => /\bup\{/.test(expr) || metricsIn(expr).length > 0)).toBe(true);
  });

  test('take what every replica tells of the one database once', () => {
    const expressions = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
    for (const name of OF_THE_DATABASE) {
      const naming = expressions.filter((expr) => metricsIn(expr).includes(name));
      expect(naming.length, name).toBeGreaterThan(0);
      for (const expr of naming) expect(expr).toMatch(ONCE);
    }
    const added = expressions.filter((expr) => /^sum\b/.test(expr)).flatMap(metricsIn);
    expect(added).toContain('ledgerlens_database_connections');
    expect(added).toContain('ledgerlens_verify_jobs_finished_total');
  });

  test('every rule says what is wrong and what to do, and has a section of its own in the runbook', () => {
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, annotations, for: during } of rules) {
      expect(Object.keys(annotations), alert).toEqual(['summary', 'description', 'runbook_url']);
      expect(annotations['runbook_url']).toBe(`${COPY_OF_DOCS}/docs/runbook.md#${alert.toLowerCase()}`);
      expect(during, alert).toMatch(/^\d+m$/);
    }
    const sections = [...readFileSync(`${ROOT}docs/runbook.md`, 'utf8').matchAll(/^## (.+)$/gm)];
    expect(sections.map(([, title]) => title)).toEqual(rules.map(({ alert }) => alert));
    expect(readFileSync(`${ROOT}docs/operation.md`, 'utf8')).toContain(`s=${COPY_OF_DOCS}=`);
  });

  test('no panel lies on another', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h }, id }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)},${id}`),
    );
    const places = cells.map((cell) => cell.slice(0, cell.lastIndexOf(',')));
    expect(new Set(places).size).toBe(places.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  test.skipIf(isLeftOut(missing('promtool', ['--version'])))(
    'promtool accepts them, and the rules fire when they should',
    () => {
      expect(run('promtool', 'check', 'rules', 'alerts.yaml')).toMatchObject({ status: 0 });
      expect(run('promtool', 'check', 'config', 'prometheus.yaml')).toMatchObject({ status: 0 });
      const tested = run('promtool', 'test', 'rules', 'alerts.test.yaml');
      expect(tested.text).toContain('SUCCESS');
      expect(tested.status).toBe(0);
    },
  );
});

interface Allowed {
  readonly environment: Readonly<Record<string, string>>;
  /** MiB. */
  readonly limit: number;
}

/** As docs/operation.md has it. */
const AT_REST_MIB = 130;

interface Container {
  readonly build?: unknown;
  readonly image: string;
  readonly pull_policy?: string;
  readonly init?: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly mem_limit: string;
}

/** Services of a compose file that run this server. */
function serversOf(file: string): readonly Container[] {
  const { services } = parse(read(file), { merge: true }) as { services: Record<string, Container> };
  return Object.values(services).filter(({ build }) => build !== undefined);
}

const memoryOfContainers = (file: string): readonly Allowed[] =>
  serversOf(file).map(({ environment, mem_limit: limit }) => ({
    environment,
    limit: 1024 * Number(limit.replace('g', '')),
  }));

function memoryOfPods(): readonly Allowed[] {
  const { data } = parse(read('kubernetes/config.yaml')) as { data: Record<string, string> };
  const { spec } = parse(read('kubernetes/deployment.yaml')) as {
    spec: {
      template: { spec: { containers: { resources: { limits: { memory: string } } }[] } };
    };
  };
  return spec.template.spec.containers.map(({ resources }) => ({
    environment: data,
    limit: 1024 * Number(resources.limits.memory.replace('Gi', '')),
  }));
}

describe('ways to run it', () => {
  test('the compose file of one server names variables that exist and a grace longer than the server takes', () => {
    const { services } = parse(read('compose-sqlite.yaml')) as {
      services: {
        ledgerlens: { environment: Record<string, string>; stop_grace_period: string; volumes: string[] };
      };
    };
    const { environment, stop_grace_period: grace, volumes } = services.ledgerlens;
    for (const name of Object.keys(environment)) expect(VARIABLES).toHaveProperty(name);
    const drain = 5 + Number(VARIABLES['SHUTDOWN_SECONDS']?.default);
    expect(Number(grace.replace('s', ''))).toBeGreaterThan(drain);
    expect(volumes).toEqual(['data:/data']);
  });

  test.each(['compose-sqlite.yaml', 'compose.yaml'])(
    '%s builds an image with a tag, whose name can be replaced, and never pulls the name',
    (file) => {
      const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };
      expect(serversOf(file).length).toBeGreaterThan(0);
      // What is built is not pulled, so an image of a registry has to be there before.
      expect(read(file).replace(/\n *#/g, '')).toMatch(
        /set LEDGERLENS_IMAGE, `docker pull` it, and add --no-build/,
      );
      for (const { image, pull_policy: policy, init } of serversOf(file)) {
        expect(image).toBe(`\${LEDGERLENS_IMAGE:-ledgerlens:${version}}`);
        expect(policy).toBe('build');
        expect(init).toBe(true);
      }
    },
  );

  test.each(['compose-sqlite.yaml', 'compose.yaml'])(
    '%s has no brace in a default, where Compose before 2.25 ends it: a value that is set would keep the rest',
    (file) => {
      expect(read(file)).not.toMatch(/\$\{[^}]*\{/);
    },
  );

  test.each(['compose-sqlite.yaml', 'compose.yaml', 'kubernetes/config.yaml', 'ledgerlens.service'])(
    '%s shows how jobs fetch compilers that are not bundled',
    (file) => {
      for (const part of [
        'the six bundled compilers',
        'VERIFY_COMPILER_LIST_URL',
        'https://binaries.soliditylang.org',
      ])
        expect(read(file)).toContain(part);
    },
  );

  test.each(['compose-sqlite.yaml', 'compose.yaml', 'kubernetes'])(
    'the memory that %s allows is enough for the compilers and the server itself',
    (name) => {
      const allowed = name === 'kubernetes' ? memoryOfPods() : memoryOfContainers(name);
      expect(allowed.length).toBeGreaterThan(0);
      for (const { environment, limit } of allowed) {
        const { BODY_MEMORY_MB, VERIFY_COMPILER_MEMORY_MB, VERIFY_WORKERS } = environment;
        const bodies = Number(BODY_MEMORY_MB ?? VARIABLES['BODY_MEMORY_MB']?.default);
        const compilers = Number(VERIFY_WORKERS) * Number(VERIFY_COMPILER_MEMORY_MB);
        expect(compilers).toBeGreaterThan(0);
        expect(compilers + AT_REST_MIB + bodies).toBeLessThan(limit);
      }
    },
  );

  test('the unit of systemd names variables that exist', () => {
    const named = [...read('ledgerlens.service').matchAll(/^Environment=(.*)$/gm)]
      .flatMap(([, text = '']) => text.split(' '))
      .map((pair) => pair.slice(0, pair.indexOf('=')));
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(VARIABLES).toHaveProperty(name);
  });

  test.skipIf(isLeftOut(missing('systemd-analyze', ['--version'])))('systemd accepts the unit', () => {
    expect(run('systemd-analyze', 'verify', './ledgerlens.service')).toEqual({ status: 0, text: '' });
  });
});
