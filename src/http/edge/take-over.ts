import type { Socket } from 'node:net';

/**
 * Reads a connection in place of Node's parser, which reads below the stream until there is another listener, and is a
 * listener like others then.
 *
 * @returns gives bytes to the parser
 */
export function takeOver(socket: Socket, take: (bytes: Buffer) => void): (bytes: Buffer) => void {
  socket.on('data', take);
  const parsers = socket.listeners('data').filter((each) => each !== take) as (typeof take)[];
  for (const each of parsers) socket.off('data', each);
  // Where it had stopped below the stream, the stream believes that it is reading, and would never begin.
  socket._read(0);
  return (bytes) => {
    for (const parse of parsers) parse(bytes);
  };
}
