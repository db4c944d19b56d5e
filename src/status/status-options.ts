import {
  address,
  file,
  flag,
  formed,
  list,
  orNull,
  type Reading,
  text,
  type ValuesOf,
} from '../settings/setting.ts';
import { parseStatusTokens } from './manage/tokens.ts';
import { parseThresholds } from './monitor/thresholds.ts';
import { BUILT_IN_PARTS } from './rules/built-in-components.ts';
import { parseUpdateTexts } from './rules/default-texts.ts';
import { faultOfTemplate } from './rules/name-template.ts';
import { isTimeZone } from './rules/zoned-time.ts';

/** What operators choose of area B. */
export const STATUS_SETTINGS = {
  port: formed('STATUS_PORT', { pattern: '^\\d{0,5}$', 'x-form': 'a port such as 8001' }, (given) =>
    given === '' ? null : Number(given),
  ).describe('Separate port for the status page and its API; empty: only the shared one.'),
  url: address('STATUS_URL').describe(
    'Public address of the status page (`page.url`); empty: PUBLIC_URL and `/status`.',
  ),
  pageName: formed(
    'STATUS_PAGE_NAME',
    { default: 'Ledgerlens', minLength: 1, maxLength: 255, 'x-form': 'a name of up to 255 characters' },
    (given) => given,
  ).describe('Name of the status page, set when the page is first created.'),
  timeZone: formed('STATUS_TIME_ZONE', { default: 'Etc/UTC' }, readTimeZone).describe(
    'IANA zone of the status page, set when the page is first created.',
  ),
  pageId: formed(
    'STATUS_PAGE_ID',
    { pattern: '^([0-9b-df-hj-np-tv-z]{12})?$', 'x-form': 'twelve digits or lower-case consonants' },
    orNull,
  ).describe('Id of the status page, set when the page is first created; empty: random.'),
  tokens: formed('STATUS_TOKENS', {}, (given, { report }) => parseStatusTokens(given, report)).describe(
    'Who may use the management API: `name:scope:hash` with scope `read` or `write`, separated by commas or line breaks, as `ledgerlens status token` prints them; `STATUS_TOKENS_FILE` names a file with the same content. Empty: no one.',
  ),
  tokenInQuery: flag('STATUS_TOKEN_IN_QUERY', 'on').describe(
    'Whether the management API also accepts a token as `?api_key=`; the server never logs it, but proxies may.',
  ),
  webhookPrivate: flag('STATUS_WEBHOOK_PRIVATE', 'off').describe(
    'Whether subscribers of the status page may have loopback, private and link-local addresses: for tests and private networks.',
  ),
  logoFile: file('STATUS_LOGO_FILE').describe(
    'An SVG, PNG or WebP image of at most 512 KiB shown before the name of the status page; empty: none.',
  ),
  accent: formed(
    'STATUS_ACCENT',
    { pattern: '^(#[0-9a-fA-F]{6})?$', 'x-form': 'a colour such as #7b2cbf' },
    orNull,
  ).describe(
    'Colour of links and focus on the status page, such as `#7b2cbf`; adjusted where contrast would be too low; empty: the default blue.',
  ),
  frameAncestors: formed(
    'STATUS_FRAME_ANCESTORS',
    {
      pattern: '^(\\*|https?://[a-z0-9.*-]+(:\\d{1,5})?([ ,]+https?://[a-z0-9.*-]+(:\\d{1,5})?)*)?$',
      'x-form': '* or origins such as https://www.example.org, separated by commas',
    },
    (given) => list(given.replaceAll(' ', ',')).join(' ') || "'none'",
  ).describe(
    'Origins whose pages may show `/status/embed` in a frame, separated by commas, such as `https://www.example.org`; `*`: all; empty: none.',
  ),
  mail: formed(
    'STATUS_SMTP_URL',
    { pattern: '^(smtps?://\\S+)?$', 'x-form': 'an address such as smtp://mail.example.org:587' },
    (url, { values }) => (url === '' ? null : { url, from: String(values['STATUS_MAIL_FROM']) }),
  ).describe(
    'Mail server for subscribers of mode `email`, such as `smtp://user:password@mail.example.org:587`; empty: no mail. Needs the optional package nodemailer and STATUS_MAIL_FROM.',
  ),
  mailFrom: formed(
    'STATUS_MAIL_FROM',
    {
      pattern: '^([^\\r\\n<>@]*<[^\\s<>@]+@[^\\s<>@]+>|[^\\s<>@]+@[^\\s<>@]+)?$',
      'x-form': 'a sender such as Status <status@example.org>',
    },
    orNull,
  ).describe('Sender of mails, such as `Status <status@example.org>`.'),
  updateTexts: formed('STATUS_UPDATE_TEXTS', { default: '{}' }, (given, { report }) =>
    parseUpdateTexts(given, report),
  ).describe(
    'JSON object of default texts for updates without one, by status (and `reminder`), for example `{"resolved":"This incident has been resolved."}`; the others keep their defaults.',
  ),
  probesOff: formed(
    'STATUS_PROBES_OFF',
    {
      pattern: '^([a-z0-9:-]+(,[a-z0-9:-]+)*)?$',
      'x-form': 'names of parts, separated by commas, such as database,chain:1',
    },
    readProbesOff,
  ).describe(
    'Parts of the server that the status page does not measure, separated by commas: `verification-api`, `verification-queue`, `compilers`, `mirror-api`, `mirror-freshness`, `upstream-records`, `fee-estimation`, `database`, `chain:ID`, or `all`.',
  ),
  servicesJson: text('STATUS_PROBES', '{}').describe(
    'JSON object of external services that the status page monitors, by component name, for example `{"Docs":{"http":{"url":"https://docs.example.org"}}}`; members: docs/status-page.md. `STATUS_PROBES_FILE` names a file with the same content.',
  ),
  thresholds: formed('STATUS_THRESHOLDS', { default: '{}' }, (given, { report }) =>
    parseThresholds(given, report),
  ).describe(
    'JSON object of limits for what the status page measures, for example `{"disk":{"degraded_performance":95}}`; names, units and defaults: `src/status/monitor/thresholds.ts`.',
  ),
  autoIncidents: formed('STATUS_AUTO_INCIDENT', { default: 'off', enum: ['off', 'on', '0', '1'] }, (given) =>
    ['on', '1'].includes(given),
  ).describe(
    'Whether a monitored component that is down for two minutes gets an incident, resolved after five minutes of operation; incidents edited by hand are not resolved automatically.',
  ),
  mirrorName: formed(
    'STATUS_MIRROR_NAME',
    { maxLength: 200, 'x-form': 'a text of up to 200 characters' },
    readMirrorName,
  ).describe(
    'Name of the component of the mirror API, with `{network}` (STATUS_NETWORK), `{version}` (of the newest ledger unit) and `{name}` (the usual one), for example `Hedera {network} (v{version}) | Network Uptime`; empty: the name stored in the page.',
  ),
  network: formed(
    'STATUS_NETWORK',
    { maxLength: 50, 'x-form': 'a text of up to 50 characters' },
    orNull,
  ).describe('Name of the network for STATUS_MIRROR_NAME, for example `Testnet`.'),
  recordDowntime: flag('STATUS_RECORD_DOWNTIME', 'on').describe(
    'Whether the time since a server last ran, if over a minute, is recorded at startup as an outage of the monitored components.',
  ),
  builtinComponents: flag('STATUS_BUILTIN_COMPONENTS', 'on').describe(
    'Whether parts of this server get a component when a version that supports them first starts.',
  ),
};

/** Those settings, and what only the process knows. */
export interface StatusOptions extends ValuesOf<typeof STATUS_SETTINGS> {
  /**
   * `page.url` (text): absolute address of the page for people, without a slash at the end. A changed
   * value is taken over at the next start; otherwise the stored one counts. No default.
   */
  readonly pageUrl: string;
  /** Absolute address under which the APIs stand (text), without a slash at the end; subscribers are told. No default. */
  readonly apiUrl: string;
  /** What stands before the paths of the shared listener in links (text), such as `/ledger`. Default: nothing. */
  readonly publicPath?: string;
  /** The same for the listener of its own. */
  readonly ownPath?: string;
  /** Version that the page shows and subscribers are told (text). No default. */
  readonly version: string;
  /**
   * Whether a page that is stored keeps its URL whatever is configured (flag): for commands, which may run
   * with other settings than the server. Default false.
   */
  readonly keepsStoredUrl?: boolean;
  /** An SVG, PNG or WebP picture that stands before the page's name (its bytes). Default null: none. */
  readonly logo?: Buffer | null;
}

function readTimeZone(zone: string, { report }: Reading): string {
  if (!isTimeZone(zone)) report(`"${zone}" is not an IANA time zone`);
  return zone;
}

/** Names of probes; `all` stands for every one. */
function readProbesOff(given: string, { report }: Reading): readonly string[] {
  const names = list(given);
  const known = [...BUILT_IN_PARTS.map(({ component }) => component.probe), 'all'];
  for (const name of names) {
    if (known.includes(name) || /^chain:[0-9]+$/.test(name)) continue;
    report(`"${name}" is not one of ${known.join(', ')}, chain:ID`);
  }
  return names;
}

/** A template; null keeps the name. */
function readMirrorName(template: string, { report, values }: Reading): string | null {
  if (template === '') return null;
  const fault = faultOfTemplate(template);
  if (fault !== null) report(fault);
  if (values['STATUS_NETWORK'] === '' && template.includes('{network}')) {
    report('contains {network}, so STATUS_NETWORK must be set');
  }
  return template;
}
