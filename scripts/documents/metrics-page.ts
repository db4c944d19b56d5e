import { generatedPage, table } from './tables.ts';

interface DescribedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

/** `docs/metrics.md`: what `GET /metrics` tells, from its own text. */
export function metricsPage(exposition: string): string {
  const rows = describedMetrics(exposition)
    .filter(({ name }) => name.startsWith('ledgerlens_'))
    .map(({ name, type, help }) => [`\`${name}\``, type, help]);
  return generatedPage('Metrics', [
    '`GET /metrics` returns the Prometheus text format. It also contains the metrics of the Node process (`process_…`, `nodejs_…`), which vary by platform. [Alert rules and a dashboard](operation.md#deploy) are in `deploy/`.',
    table(['Metric', 'Kind', 'Meaning'], rows),
  ]);
}

function describedMetrics(exposition: string): readonly DescribedMetric[] {
  const lines = exposition.split('\n');
  const helps = new Map(lines.flatMap((line) => pairOf(line, /^# HELP (\S+) (.*)$/)));
  const types = new Map(lines.flatMap((line) => pairOf(line, /^# TYPE (\S+) (.*)$/)));
  return [...types]
    .map(([name, type]) => ({ name, type, help: helps.get(name) ?? '' }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function pairOf(line: string, form: RegExp): [string, string][] {
  const [, name, text] = form.exec(line) ?? [];
  return name === undefined || text === undefined ? [] : [[name, text]];
}
