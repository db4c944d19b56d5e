import type { BlockNodeAddress, BucketSettings, LiveSource } from './mirror/ingest/units/live-source.ts';
import { MIRROR_SETTINGS, type MirrorSettings } from './mirror/mirror-options.ts';
import { type PublicNetwork, publicNetwork } from './mirror/public-networks.ts';

/** Turns what a network has by its name off. */
const OFF = 'off';
const BUCKET = /^(?<scheme>s3|gs):\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/*(?<prefix>[^\s]*?)\/*$/;
const GOOGLE_ENDPOINT = 'https://storage.googleapis.com';
const BLOCK_NODE =
  /^(?:(?<scheme>https?):\/\/)?(?:(?<status>\d{1,5})@)?(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?\/?$/i;
/** All services of a node, unless its operator parts them. */
const NODE_PORT = 40_840;
const TLS_PORT = 443;
const HIGHEST_PORT = 65_535;

/**
 * Reads the sources that a server follows, in order of trust: record files, then blocks, then another mirror.
 *
 * @returns `problems` name what is wrong: the variable and the remedy.
 */
export function readLiveSources(settings: MirrorSettings) {
  const problems: string[] = [];
  const network = publicNetwork(settings.network);
  const sources: readonly (LiveSource | null)[] = [
    bucketOf('bucket', settings, network, problems),
    bucketOf('blockBucket', settings, network, problems),
    blockNodesOf(chosen(settings.blockNodes, network?.blockNodes), settings, problems),
    mirrorOf(settings.followed),
  ];
  const found = sources.filter((source) => source !== null);
  problems.push(...combinations(settings, found));
  return { sources: found, problems };
}

/** What the operator gave, else what the network has; empty for nothing. */
function chosen(given: string, ofNetwork = ''): string {
  if (given === OFF) return '';
  return given === '' ? ofNetwork : given;
}

function bucketOf(
  name: 'bucket' | 'blockBucket',
  settings: MirrorSettings,
  network: PublicNetwork | null,
  problems: string[],
): BucketSettings | null {
  const isOfRecords = name === 'bucket';
  const ofNetwork = network?.[name];
  const text = chosen(settings[name], ofNetwork);
  if (text === '') return null;
  const { bucket = '', prefix = '', scheme } = BUCKET.exec(text)?.groups ?? {};
  if (bucket === '') {
    const { name: variable } = MIRROR_SETTINGS[name];
    problems.push(`${variable}: "${text}" is not a bucket such as s3://name, s3://name/prefix or gs://name`);
    return null;
  }
  const access = settings.bucketAccess;
  return {
    kind: 'bucket',
    name: `${scheme}://${[bucket, prefix].filter((part) => part !== '').join('/')}`,
    content: isOfRecords ? 'records' : 'blocks',
    bucket,
    prefix,
    endpoint: settings.bucketEndpoint ?? (scheme === 'gs' ? GOOGLE_ENDPOINT : null),
    region: settings.bucketRegion,
    access: access === 'auto' && text === ofNetwork ? (network?.access ?? access) : access,
  };
}

function blockNodesOf(text: string, settings: MirrorSettings, problems: string[]): LiveSource | null {
  const given = text.split(',').map((part) => part.trim());
  const nodes = given.filter((part) => part !== '').flatMap((part) => blockNodeOf(part, problems) ?? []);
  if (nodes.length === 0) return null;
  // What a ledger without any proof names is dialled least of all.
  const discovery = settings.verify === 'none' ? 'off' : settings.blockNodeDiscovery;
  const name = `block nodes ${nodes.map((node) => node.name).join(', ')}`;
  return { kind: 'block-nodes', name, nodes, discovery, firstBlock: settings.firstBlock };
}

function blockNodeOf(text: string, problems: string[]): BlockNodeAddress | null {
  const groups = BLOCK_NODE.exec(text)?.groups;
  const isTls = groups?.['scheme']?.toLowerCase() === 'https';
  const streamPort = Number(groups?.['port'] ?? (isTls ? TLS_PORT : NODE_PORT));
  const statusPort = Number(groups?.['status'] ?? streamPort);
  const isPort = (port: number): boolean => port >= 1 && port <= HIGHEST_PORT;
  if (groups === undefined || !isPort(streamPort) || !isPort(statusPort)) {
    problems.push(
      `MIRROR_BLOCK_NODES: "${text}" is not a node such as host, host:40840, https://host:443, or 40982@host:40980 ` +
        'where its status has a port of its own',
    );
    return null;
  }
  const host = groups['host'] ?? '';
  return {
    name: `${host}:${streamPort}`,
    host: host.replace(/^\[|\]$/g, ''),
    streamPort,
    statusPort,
    isTls,
  };
}

function mirrorOf(address: string | null): LiveSource | null {
  const url = address?.replace(/\/api\/v1$/, '') ?? '';
  return url === '' ? null : { kind: 'mirror', name: url, url };
}

/** Variables that say something about others. */
function combinations(settings: MirrorSettings, sources: readonly LiveSource[]): readonly string[] {
  const problems: string[] = [];
  const hasBucket = sources.some(({ kind }) => kind === 'bucket');
  for (const name of ['bucketEndpoint', 'bucketRegion'] as const) {
    if (settings[name] !== null && !hasBucket) {
      problems.push(
        `${MIRROR_SETTINGS[name].name}: no bucket is configured; set MIRROR_BUCKET, MIRROR_BLOCK_BUCKET or MIRROR_NETWORK`,
      );
    }
  }
  const { addressBook, followed, network, verify: mode } = settings;
  const hasRecords = sources.some((source) => source.kind === 'bucket' && source.content === 'records');
  if (network !== 'none' && hasRecords && addressBook === null && ['signatures', 'strict'].includes(mode)) {
    problems.push(
      `MIRROR_ADDRESS_BOOK: record files of ${network} are checked with the keys of its nodes, which the bucket does not ` +
        'contain; name a file with the address book of the time at which the import begins (docs/following.md), or ' +
        'set MIRROR_VERIFY=chain to check only hashes, or MIRROR_BUCKET=off to read only blocks',
    );
  }
  if (mode === 'strict' && followed !== null) {
    problems.push(
      'MIRROR_FOLLOW: data from another mirror has no proof, which MIRROR_VERIFY=strict rejects; unset one of them',
    );
  }
  return problems;
}
