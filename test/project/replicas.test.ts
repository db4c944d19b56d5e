import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { VARIABLES } from '../../src/config-variables.ts';
import { isLeftOut } from '../support/left-out.ts';
import { freePort, until } from '../support/serve-process.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}deploy/${name}`, 'utf8');
const DOCKERFILE = readFileSync(`${ROOT}Dockerfile`, 'utf8');
const EXPOSED = Number(/^EXPOSE (\d+)$/m.exec(DOCKERFILE)?.[1]);
const FIXED = { drain: Number(/DRAIN_SECONDS=(\d+)/.exec(DOCKERFILE)?.[1]), shutdown: 30 };
const LABEL = { 'app.kubernetes.io/name': 'ledgerlens' };

let server: TestServer;
beforeAll(async () => {
  server = await startReady();
});
afterAll(() => server.close());

async function startReady(): Promise<TestServer> {
  const started = await startTestServer({});
  await until('the server is ready', () => fetch(`${started.url}/health/readiness`).then(({ ok }) => ok));
  return started;
}

describe('compose.yaml', () => {
  interface Service {
    readonly environment?: Readonly<Record<string, string>>;
    readonly stop_grace_period?: string;
    readonly ports?: readonly string[];
    readonly depends_on?: unknown;
    readonly volumes: readonly string[];
    readonly healthcheck?: { readonly test: readonly string[] };
  }
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, null>>;
  };
  const { balancer, postgres, ...replicas } = services;

  test('has equal replicas on one database, with variables that exist and a configuration that is read', () => {
    expect(Object.keys(replicas)).toEqual(['replica-1', 'replica-2']);
    for (const { environment = {}, stop_grace_period: grace = '' } of Object.values(replicas)) {
      for (const name of Object.keys(environment)) expect(VARIABLES).toHaveProperty(name);
      expect(Number(grace.replace('s', ''))).toBeGreaterThan(FIXED.drain + FIXED.shutdown);
      const { database } = readConfig(filledIn(environment));
      expect(database.url).toBe('postgres://ledgerlens@postgres/ledgerlens');
    }
    expect(postgres?.environment).toMatchObject({ POSTGRES_USER: 'ledgerlens', POSTGRES_DB: 'ledgerlens' });
    // While the image creates the database, its server answers at the socket only.
    expect(postgres?.healthcheck?.test.join(' ')).toMatch(/^CMD pg_isready --host 127\.0\.0\.1 /);
  });

  test('a replica is healthy once it is ready, which an update waits for, and may take long to migrate', async () => {
    const draining = await startReady();
    draining.services.beginDraining();
    const health = ({ url }: TestServer, args: readonly string[]) =>
      promisify(execFile)('bash', [...args], {
        cwd: ROOT,
        env: { ...process.env, PORT: new URL(url).port },
      }).then(
        () => 'healthy',
        () => 'unhealthy',
      );
    for (const { healthcheck } of Object.values(replicas)) {
      const [kind, shell, ...args] = healthcheck?.test ?? [];
      expect([kind, shell]).toEqual(['CMD', 'bash']);
      expect([await health(server, args), await health(draining, args)]).toEqual(['healthy', 'unhealthy']);
    }
    // The image's own tells a restart of the container whether the process lives.
    expect(await health(draining, ['scripts/health-check.sh'])).toBe('healthy');
    const { failureThreshold, periodSeconds } = parse(read('kubernetes/deployment.yaml')).spec.template.spec
      .containers[0].startupProbe;
    expect(DOCKERFILE).toContain(`--start-period=${(failureThreshold * periodSeconds) / 60}m `);
    expect(readFileSync(`${ROOT}docs/operation.md`, 'utf8')).toMatch(
      /--wait replica-1 &&\n.*--wait replica-2\n/,
    );
    await draining.close();
  });

  test('declares its volumes, and lets only the load balancer be reached', () => {
    const used = Object.values(services).flatMap((each) =>
      each.volumes.map((volume) => volume.split(':')[0]),
    );
    expect(used.filter((name) => !name?.startsWith('./')).sort()).toEqual(Object.keys(volumes).sort());
    expect(Object.keys(services).filter((name) => services[name]?.ports !== undefined)).toEqual(['balancer']);
    expect(balancer?.depends_on).toEqual(Object.keys(replicas));
    expect(balancer?.volumes).toEqual(['./haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro']);
  });

  test('the load balancer knows every replica at the port of the image, and asks a route that is there', async () => {
    const configuration = read('haproxy.cfg');
    expect(
      [...configuration.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, name, at]) => [name, at]),
    ).toEqual(Object.keys(replicas).map((name) => [name, `${name}:${EXPOSED}`]));
    const [, route = ''] = /httpchk GET (\S+)/.exec(configuration) ?? [];
    expect((await fetch(server.url + route)).status).toBe(200);
    const [, seconds, checks] = /inter (\d+)s fall (\d+)/.exec(configuration) ?? [];
    expect(FIXED.drain).toBeGreaterThan(Number(seconds) * Number(checks));
  });
});

const kubectl =
  spawnSync('kubectl', ['kustomize', '--help']).status === 0 ? null : 'skipped: kubectl is not installed';
const haproxy = spawnSync('haproxy', ['-v']).status === 0 ? null : 'skipped: haproxy is not installed';
test.skipIf(isLeftOut(haproxy))(
  'no request is lost when one of two replicas is stopped',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'balancer-'));
    const other = await startReady();
    const port = await freePort();
    const configuration = [
      [':8080\n', `127.0.0.1:${port}\n`],
      ['replica-1:8080', new URL(server.url).host],
      ['replica-2:8080', new URL(other.url).host],
    ].reduce(
      (text, [from = '', to = '']) => {
        expect(text).toContain(from);
        return text.replace(from, to);
      },
      read('haproxy.cfg').replace('bind :8080', 'bind 127.0.0.1:8080').replace('127.0.0.1:8080', ':8080'),
    );
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configuration);
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    });
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/version`, { headers: { connection: 'close' } }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ask).toBe(200);
    other.services.beginDraining();
    expect((await fetch(`${other.url}/health/readiness`)).status).toBe(503);
    await other.close();
    const statuses = await Promise.all(Array.from({ length: 40 }, ask));
    expect(new Set(statuses)).toEqual(new Set([200]));
  },
  30_000,
);

describe('kubernetes', () => {
  const FOLDER = 'kubernetes/';
  // biome-ignore lint/suspicious/noExplicitAny: manifests are as they are, and each test says what it expects.
  type Manifest = any;
  const names = readdirSync(`${ROOT}deploy/${FOLDER}`).sort();
  const manifests = new Map<string, Manifest>(names.map((name) => [name, parse(read(FOLDER + name))]));
  const of = (name: string): Manifest => manifests.get(`${name}.yaml`);
  const { spec } = of('deployment');
  const pod = spec.template.spec;
  const [container] = pod.containers;

  test('every manifest has a kind, and they find each other', () => {
    expect(names.filter((name) => manifests.get(name).kind === undefined)).toEqual([
      'prometheus-adapter-values.yaml',
    ]);
    for (const [name, { metadata }] of manifests)
      if (metadata !== undefined) expect(metadata, name).toMatchObject({ name: 'ledgerlens', labels: LABEL });
    expect(spec.selector.matchLabels).toEqual(LABEL);
    expect(spec.template.metadata.labels).toEqual(LABEL);
    expect(of('service').spec.selector).toEqual(LABEL);
    expect(of('disruption-budget').spec.selector.matchLabels).toEqual(LABEL);
    expect(of('network-policy').spec.podSelector.matchLabels).toEqual(LABEL);
    expect(of('service-monitor').spec.selector.matchLabels).toEqual(of('service').metadata.labels);
    const { apiVersion, kind, metadata } = of('deployment');
    expect(of('autoscaler').spec.scaleTargetRef).toEqual({ apiVersion, kind, name: metadata.name });
    expect(container.envFrom).toEqual([{ configMapRef: { name: of('config').metadata.name } }]);
    const keys = container.env.flatMap((each: Manifest) => each.valueFrom?.secretKeyRef ?? []);
    for (const { key, name } of keys) {
      expect(name).toBe(of('secret').metadata.name);
      expect(of('secret').stringData).toHaveProperty(key);
    }
    expect(keys.map(({ key }: Manifest) => key)).toContain('DATABASE_URL');
    expect(pod.volumes.map(({ name }: Manifest) => name)).toEqual(
      container.volumeMounts.map(({ name }: Manifest) => name),
    );
  });

  test('the container is that of the image: its port, its user, variables that make a configuration', () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    expect(container.image).toMatch(new RegExp(`^[\\w.-]+\\.example\\.org/ledgerlens:${version}$`));
    expect(container.ports).toEqual([{ name: 'http', containerPort: EXPOSED }]);
    expect(of('service').spec.ports[0].targetPort).toBe('http');
    expect(spec.template.metadata.annotations['prometheus.io/port']).toBe(String(EXPOSED));
    const own = container.env.flatMap(({ name, value }: Manifest) =>
      value === undefined ? [] : [[name, value]],
    );
    const environment = { ...of('config').data, ...of('secret').stringData, ...Object.fromEntries(own) };
    for (const name of Object.keys(environment)) expect(VARIABLES).toHaveProperty(name);
    const { database, http } = readConfig(environment);
    expect(database.kind).toBe('postgres');
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(http.drainMs + http.shutdownMs);
    // A replica has refused readiness for long enough that nobody sends it requests any more.
    const { failureThreshold, periodSeconds } = container.readinessProbe;
    expect(http.drainMs / 1000).toBeGreaterThan(failureThreshold * periodSeconds);
    expect(DOCKERFILE).toContain('VOLUME /data');
    expect(container.volumeMounts.map(({ mountPath }: Manifest) => mountPath)).toContain('/data');
  });

  test('the kustomization has every manifest, or says why not', () => {
    const { resources, images } = of('kustomization');
    const text = read(`${FOLDER}kustomization.yaml`);
    const others = names.filter((name) => name !== 'kustomization.yaml' && !resources.includes(name));
    expect(others).toEqual(['prometheus-adapter-values.yaml', 'secret.yaml', 'service-monitor.yaml']);
    for (const name of others) expect(text, name).toMatch(new RegExp(`^ *# .*\\b${name}`, 'm'));
    expect(resources.filter((name: string) => !names.includes(name))).toEqual([]);
    const [{ name, newTag }] = images;
    expect(`${name}:${newTag}`).toBe(container.image);
  });

  test.skipIf(isLeftOut(kubectl))('kubectl builds it', () => {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', `${ROOT}deploy/${FOLDER}`], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    const kinds = parseAllDocuments(stdout).map((each) => (each.toJS() as Manifest).kind);
    expect(kinds.toSorted()).toEqual(
      of('kustomization')
        .resources.map((name: string) => manifests.get(name).kind)
        .toSorted(),
    );
  });

  test('ingress, policy and monitor name ports that are there, the host of the configuration, and a route', async () => {
    const [{ name }] = of('service').spec.ports;
    expect(container.ports[0].name).toBe(name);
    const { rules, tls } = of('ingress').spec;
    const host = new URL(of('config').data.PUBLIC_URL).hostname;
    expect([rules[0].host, tls[0].hosts]).toEqual([host, [host]]);
    const { service } = rules[0].http.paths[0].backend;
    expect(service).toEqual({ name: of('service').metadata.name, port: { name } });
    const { ingress, egress } = of('network-policy').spec;
    expect(ingress[0].ports).toEqual([{ protocol: 'TCP', port: name }]);
    const { port } = new URL(of('secret').stringData.DATABASE_URL);
    const open = egress.flatMap(({ ports }: Manifest) => ports.map((each: Manifest) => each.port));
    expect(open).toEqual([53, 53, Number(port || 5432), 443]);
    const [endpoint] = of('service-monitor').spec.endpoints;
    expect(endpoint.port).toBe(name);
    expect((await fetch(server.url + endpoint.path)).status).toBe(200);
  });

  test('probes ask routes that are there', async () => {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet;
      expect(port).toBe('http');
      expect((await fetch(server.url + path)).status, path).toBe(200);
    }
    const { 'prometheus.io/path': metrics } = spec.template.metadata.annotations;
    expect((await fetch(server.url + metrics)).status).toBe(200);
  });

  test('an update takes no replica away before another one is ready, and a drained node only one', () => {
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(of('disruption-budget').spec.maxUnavailable).toBe(1);
    expect(of('autoscaler').spec.minReplicas).toBeGreaterThan(1);
  });

  test('all replicas that there may be during an update fit into the connections of PostgreSQL', () => {
    const operation = readFileSync(`${ROOT}docs/operation.md`, 'utf8');
    const [, each, limit] =
      /up to (\d+) per replica.*`max_connections` of (\d+), three/.exec(operation) ?? [];
    const most = of('autoscaler').spec.maxReplicas + spec.strategy.rollingUpdate.maxSurge;
    expect(most * Number(each)).toBeLessThanOrEqual(Number(limit) - 3);
  });

  test('the autoscaler reads a figure that the adapter makes of one that the server has', async () => {
    const [metric] = of('autoscaler').spec.metrics;
    const [rule] = of('prometheus-adapter-values').rules.external;
    expect(rule.name.as).toBe(metric.external.metric.name);
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(rule.metricsQuery).toBe(`max(${rule.seriesQuery})`);
    expect(text).toContain(`${rule.seriesQuery} 0\n`);
  });
});

/** As compose does it: `${NAME:-default}`, `${NAME:?needed}`. */
function filledIn(environment: Readonly<Record<string, string>>): Record<string, string> {
  const fill = (text: string) =>
    text.replace(/\$\{\w+:([-?])([^{}]*)\}/g, (_, kind, value) => (kind === '-' ? value : 'secret'));
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(text)]));
}
