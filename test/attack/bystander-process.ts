// A bare HTTP server that does nothing else: how late it answers is what the machine, not the product, is late.
import { createServer } from 'node:http';

const server = createServer((_request, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
// Ends with the process that started it.
process.stdin.on('end', () => process.exit()).resume();
