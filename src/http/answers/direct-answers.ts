import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { MaybePromise } from '../../values/map-maybe.ts';
import type { AnswerAtOnce, AnswerDirectly, DirectAnswer, LateAnswers } from '../direct-answer.ts';
import type { RequestObservers } from '../metrics.ts';
import { commonHeaders, type Duties } from './common-headers.ts';
import { requestId } from './request-id.ts';

/**
 * Serves what is ready before the router and its hooks, which take longer than the answer itself.
 *
 * @see docs/adr/0012-ready-responses.md
 */
export function answerAtOnce(
  answerers: readonly AnswerDirectly[],
  duties: Duties & { readonly observers: RequestObservers },
): AnswerAtOnce {
  const answerOf = (target: string, headers: IncomingHttpHeaders): MaybePromise<DirectAnswer | null> => {
    try {
      for (const answer of answerers) {
        const found = answer(target, headers);
        if (found !== null) return found;
      }
    } catch {
      // The route meets the same error and answers it.
    }
    return null;
  };
  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    answer: DirectAnswer,
    { leave, start }: Pick<LateAnswers, 'leave'> & { readonly start: number },
  ) => {
    const { route: pattern, statusCode } = answer;
    let body: Buffer | string | null;
    try {
      body = answer.body === null ? null : answer.body();
    } catch (error) {
      // Memory is short, for example.
      leave(error);
      return;
    }
    const common = commonHeaders(request.url ?? '', requestId(request), duties);
    const length = body === null ? [] : ['content-length', String(body.length)];
    // An array that grows takes several times the memory.
    response.writeHead(statusCode, answer.headers.concat(common, length));
    if (typeof body === 'string') response.end(body, 'latin1');
    else response.end(body);
    const finish = (): void => {
      duties.observers(pattern)('GET', statusCode, performance.now() - start);
    };
    // Usually the system has all of it by now; to hear so by an event costs more than to ask.
    if (response.writableLength === 0) finish();
    else response.once('finish', finish);
  };
  return (request, response, { leave, mayWait }) => {
    // Finding the answer is most of the time that is counted.
    const start = performance.now();
    const { headers, method, url } = request;
    if (method !== 'GET' || url === undefined || !isBare(headers)) return null;
    const answer = answerOf(url, headers);
    if (answer === null) return null;
    if (!(answer instanceof Promise)) {
      send(request, response, answer, { leave, start });
      return 'now';
    }
    answer.then(
      (arrived) => {
        // Nobody reads it any more.
        if (response.destroyed || !mayWait) return;
        if (arrived === null) leave(null);
        else send(request, response, arrived, { leave, start });
      },
      (error: unknown) => {
        if (mayWait) leave(error);
      },
    );
    return mayWait ? 'later' : null;
  };
}

/** Without a body, and without an expectation, which may have been refused. */
function isBare(headers: IncomingHttpHeaders): boolean {
  return (
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  );
}
