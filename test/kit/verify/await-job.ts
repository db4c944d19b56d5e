import type { FastifyInstance } from 'fastify';

/** A job as the API shows it, as far as tests look at it. */
export interface JobAnswer {
  readonly isJobCompleted: boolean;
  readonly verificationId: string;
  readonly compilationTime?: string;
  readonly warnings?: readonly string[];
  readonly contract: Readonly<Record<string, unknown>>;
  readonly error?: { readonly customCode: string; readonly message: string } & Readonly<
    Record<string, unknown>
  >;
}

/** Submits and follows a verification to its end; each status request is held by the server, so this does not sleep. */
export async function verifyToEnd(
  app: FastifyInstance,
  path: string,
  body: object,
): Promise<{ readonly statusCode: number; readonly job: JobAnswer }> {
  const accepted = await app.inject({ method: 'POST', url: `/v2/verify/${path}`, payload: body });
  if (accepted.statusCode !== 202) throw new Error(`${accepted.statusCode} ${accepted.body}`);
  const { verificationId } = accepted.json<{ verificationId: string }>();
  for (;;) {
    const { statusCode, json } = await app.inject(`/v2/verify/${verificationId}`);
    const job = json<JobAnswer>();
    if (job.isJobCompleted) return { statusCode, job };
    await new Promise((resolve) => setImmediate(resolve));
  }
}
