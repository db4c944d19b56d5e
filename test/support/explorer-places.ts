type Json = Readonly<Record<string, unknown>>;
type Get = (path: string) => Promise<Json>;

/** What placeholders of a path stand for. */
export type Place = Readonly<Record<string, string>>;

/** Whatever pages can be opened in a ledger, found as a visitor would. */
export async function explorerPlaces(get: Get): Promise<readonly Place[]> {
  const accounts = await rowsOf(get, 'accounts?limit=100&balance=false', 'accounts');
  const tokens = await rowsOf(get, 'tokens?limit=100', 'tokens');
  const created = await rowsOf(
    get,
    'transactions?limit=100&transactiontype=CONSENSUSCREATETOPIC&result=success',
    'transactions',
  );
  const schedules = await rowsOf(get, 'schedules?limit=100', 'schedules');
  const places: Place[] = accounts.map((row) =>
    present({
      account: row['account'],
      created: row['created_timestamp'],
      // A deleted account is not found by its addresses.
      ...(row['deleted'] === false ? { alias: row['alias'], evm: row['evm_address'] } : {}),
      ...(row['deleted'] === false && typeof row['evm_address'] === 'string'
        ? { evmDigits: row['evm_address'].slice(2) }
        : {}),
      key: simpleKey(row['key']),
    }),
  );
  for (const { name, token_id: token } of tokens) {
    const { treasury_account_id: treasury } = await get(`tokens/${token}`);
    const tokenName = String(name).length < 3 ? null : encodeURIComponent(String(name));
    places.push(present({ token, tokenName, treasury }));
    const nfts = await rowsOf(get, `tokens/${token}/nfts?limit=100`, 'nfts');
    for (const nft of nfts) {
      const at = { token, serial: nft['serial_number'], nftTime: nft['modified_timestamp'] };
      places.push(present({ ...at, account: nft['account_id'] }));
    }
    const holders = await rowsOf(get, `tokens/${token}/balances?limit=100`, 'balances');
    for (const { account } of holders) places.push(present({ token, account }));
  }
  for (const { entity_id: topic } of created) {
    places.push(present({ topic }));
    const messages = await rowsOf(get, `topics/${topic}/messages?limit=100`, 'messages');
    for (const { consensus_timestamp: messageTime, sequence_number: sequence } of messages) {
      places.push(present({ topic, messageTime, sequence }));
    }
  }
  for (const row of schedules) {
    const { consensus_timestamp: scheduleTime, payer_account_id: payer, schedule_id: schedule } = row;
    places.push(present({ payer, schedule, scheduleTime }));
  }
  return places;
}

/** The path at each place that has all that it names; once each. */
export function pathsAt(template: string, places: readonly Place[]): readonly string[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const fitting = places.filter((place) => names.every((name) => place[name] !== undefined));
  const filled = fitting.map((place) =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => String(place[name])),
  );
  return names.length === 0 ? [template] : [...new Set(filled)];
}

/** All rows of a list, along its links. */
export async function rowsOf(get: Get, path: string, list: string): Promise<readonly Json[]> {
  const rows: Json[] = [];
  for (let next: string | null = path; next !== null; ) {
    const body: Json = await get(next);
    rows.push(...(body[list] as readonly Json[]));
    const link: string | null = (body['links'] as { readonly next: string | null }).next;
    next = link === null ? null : link.slice('/api/v1/'.length);
  }
  return rows;
}

function present(members: Json): Place {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)] as const],
    ),
  );
}

/** The search field takes Ed25519 and secp256k1 keys. */
function simpleKey(key: unknown): unknown {
  const { _type: type, key: digits } = (key ?? {}) as Json;
  return type === 'ED25519' || type === 'ECDSA_SECP256K1' ? digits : null;
}
