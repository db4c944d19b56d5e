// Child process of the benchmarks: an S3 server filled from a folder, with latency in front of it.
// Run: node --import tsx bucket-server-process.ts FOLDER LATENCY_MS
// Prints its URL; on the end of its input its CPU milliseconds since then, and the requests.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { startS3Proxy } from '../support/s3/s3-proxy.ts';
import { startS3Server } from '../support/s3/s3-server.ts';

const [folder = '', latency = ''] = process.argv.slice(2);
const server = await startS3Server();
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
for (const { name, parentPath } of files) {
  const path = join(parentPath, name);
  await server.put(relative(folder, path), readFileSync(path));
}
const proxy = await startS3Proxy(server.url);
proxy.latencyMs = Number(latency);
process.stdout.write(`${proxy.url}\n`);
let before = process.cpuUsage();
let requests = proxy.requests.length;
process.stdin.on('data', () => {
  const { system, user } = process.cpuUsage(before);
  const told = { cpuMilliseconds: (system + user) / 1000, requests: proxy.requests.length - requests };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  before = process.cpuUsage();
  requests = proxy.requests.length;
});
process.stdin.on('end', async () => {
  await proxy.close();
  await server.close();
  process.exit(0);
});
