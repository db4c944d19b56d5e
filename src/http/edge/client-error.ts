import type { Socket } from 'node:net';
import { closeAfterReading } from './lingering-close.ts';
import { afterAnswers } from './newest-answer.ts';

const CLIENT_ERRORS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  default: [400, 'Bad Request'],
};

/** Answers bytes that are no HTTP request; there is no path yet, so the body is the general one. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') return;
  afterAnswers(socket, () => writeClientError(error, socket));
}

function writeClientError(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable) return;
  const [status, text] = CLIENT_ERRORS[error.code ?? ''] ?? CLIENT_ERRORS['default'] ?? [400, 'Bad Request'];
  const body = JSON.stringify({
    customCode: 'invalid_parameter',
    message: text,
    errorId: crypto.randomUUID(),
  });
  socket.write(
    `HTTP/1.1 ${status} ${text}\r\nContent-Type: application/json; charset=utf-8\r\nAccess-Control-Allow-Origin: *\r\n` +
      'X-Content-Type-Options: nosniff\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  closeAfterReading(socket);
}
