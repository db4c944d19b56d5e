// What somebody writes who has the package: run in their folder by package.test.ts.
import { readFileSync } from 'node:fs';
import { start } from 'ledgerlens';

const { address, creationBytecode, runtimeBytecode, submission } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
const server = await start({
  chains: { 1337: { static: { [address]: { creationBytecode, runtimeBytecode } } } },
});
const submitted = await fetch(`${server.url}/v2/verify/1337/${address}`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(submission),
});
const { verificationId } = await submitted.json();
await fetch(`${server.url}/v2/verify/${verificationId}?wait=60`);
const { match } = await (await fetch(`${server.url}/v2/contract/1337/${address}`)).json();
await server.load([{ kind: 'account', account: '0.0.1001', balance: { balance: 500 } }]);
const statusOfAccount = async () => (await fetch(`${server.url}/api/v1/accounts/0.0.1001`)).status;
const account = await statusOfAccount();
await server.reset();
console.log(JSON.stringify({ match, account, afterReset: await statusOfAccount() }));
await server.stop();
