/**
 * Writes src/mirror/protobuf/descriptor.json: the messages that record files and fee estimates need.
 *
 * Run: npx tsx scripts/make-descriptor.ts
 *
 * The service messages come from the .proto files inside @hiero-ledger/sdk of the tests,
 * the fee schedule of file 113 from src/mirror/protobuf/fee-schedule.proto.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

/** Entry files; everything they import comes along. */
const ENTRIES = [
  'services_transaction.proto',
  'services_transaction_contents.proto',
  'services_transaction_record.proto',
  'services_exchange_rate.proto',
  'streams_record_stream_file.proto',
  'streams_sidecar_file.proto',
  'streams_signature_file.proto',
  'fee-schedule.proto',
];

const ownFolder = fileURLToPath(new URL('../src/mirror/protobuf/', import.meta.url));

/** The proto package lies below the SDK's own node_modules or beside it, as npm arranged it. */
function publishedFolder(): string {
  const sdk = createRequire(new URL('../test/', import.meta.url)).resolve('@hiero-ledger/sdk');
  for (let folder = dirname(sdk); folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules/@hiero-ledger/proto/src/proto');
    if (existsSync(candidate)) return candidate;
  }
  throw new Error('The .proto files of @hiero-ledger/proto are not installed: run "npm ci" in test/ first.');
}

/** Java options are noise here, and old ledgers hold texts that are no valid UTF-8. */
function prepare(namespace: protobuf.NamespaceBase): void {
  delete namespace.options;
  for (const nested of namespace.nestedArray) {
    if (nested instanceof protobuf.Enum) delete nested.options;
    if (nested instanceof protobuf.Namespace) prepare(nested);
  }
  if (namespace instanceof protobuf.Type) {
    namespace.setOption('features', { utf8_validation: 'NONE' });
    for (const field of namespace.fieldsArray) delete field.options;
  }
}

const published = publishedFolder();
const root = new protobuf.Root();
root.resolvePath = (_origin, target) => {
  const own = join(ownFolder, target);
  return existsSync(own) ? own : join(published, target);
};
root.loadSync(ENTRIES);
prepare(root);
writeFileSync(join(ownFolder, 'descriptor.json'), `${JSON.stringify(root.toJSON())}\n`);
console.log(`descriptor.json: ${root.nestedArray.length} packages written`);
