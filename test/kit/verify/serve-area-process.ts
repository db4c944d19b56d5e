// Serves the area in a process of its own, for tests that kill it. Arguments: database file, chains.
import { serveArea } from './serve-area.ts';

const [file = '', chainsJson = ''] = process.argv.slice(2);
const { app } = await serveArea({ file, chainsJson });
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.stdout.write(`${typeof address === 'object' ? address?.port : address}\n`);
