// Opens many connections, sends many requests at once on each, and begins again, until it is ended.
// Run: node --import tsx pipeline-process.ts URL CONNECTIONS PIPELINED PATHS [stranger]
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connectAsStranger, requestBytes } from './raw-connection.ts';

const [url = '', connections = '', pipelined = '', paths = '', kind] = process.argv.slice(2);
const { hostname: host, port } = new URL(url);
const open = () => (kind === 'stranger' ? connectAsStranger(url) : connect({ host, port: Number(port) }));
/** Most answers have come then. */
const WAVE_MS = 700;

for (;;) {
  for (const path of paths.split(' ')) {
    const bytes = Buffer.concat(Array.from({ length: Number(pipelined) }, () => requestBytes('GET', path)));
    const sockets = Array.from({ length: Number(connections) }, () => open().on('error', () => {}));
    // One that is refused is closed instead.
    const begun = (socket: Socket) =>
      new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    await Promise.all(sockets.map(begun));
    for (const socket of sockets) socket.resume().write(bytes);
    await setTimeout(WAVE_MS);
    for (const socket of sockets) socket.destroy();
  }
}
