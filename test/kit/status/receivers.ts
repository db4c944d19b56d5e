import type { PostWebhook, WebhookRequest } from '../../../src/status/subscribers/post-webhook.ts';

/** Receivers of all endpoints: each gives the statuses that it is told to, then 200. */
export function receivers() {
  const received: WebhookRequest[] = [];
  const answers = new Map<string, (number | Promise<number> | Error)[]>();
  const post: PostWebhook = async (request, signal) => {
    received.push(request);
    const answer = answers.get(request.url)?.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return Promise.race([
      answer,
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    ]);
  };
  return {
    post,
    received,
    answers,
    count: () => received.length,
    ids: () => received.map(({ headers }) => headers['X-Ledgerlens-Delivery']),
    bodies: () => received.map(({ body }) => JSON.parse(Buffer.from(body).toString())),
  };
}
