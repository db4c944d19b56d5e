import { expect, onTestFinished, test } from 'vitest';
import { SUBMISSION } from '../../../../test/kit/verify/a-queue.ts';
import { serveArea } from '../../../../test/kit/verify/serve-area.ts';

test.each([
  { workers: 1, ofOneChain: 3, together: 4 },
  { workers: 2, ofOneChain: 6, together: 8 },
  { workers: 5, ofOneChain: 15, together: 20 },
])(
  '$workers compiler worker(s) run $together jobs, $ofOneChain of one chain; the others stay in the queue',
  async ({ workers, ofOneChain, together }) => {
    const chain = { rpc: ['http://chain.test'] };
    const { app, area, close } = await serveArea({
      chainsJson: JSON.stringify({ 1: chain, 2: chain }),
      fetch: () => new Promise<Response>(() => {}),
      workers,
      firstPollMs: 0,
    });
    onTestFinished(close);
    const submit = async (chainId: number) => {
      for (let index = 1; index <= together + 1; index++) {
        const accepted = await app.inject({
          method: 'POST',
          url: `/v2/verify/${chainId}/0x${String(index).padStart(40, '0')}`,
          payload: {
            stdJsonInput: SUBMISSION.input,
            compilerVersion: '0.8.30',
            contractIdentifier: 'a.sol:A',
          },
        });
        expect(accepted.statusCode).toBe(202);
      }
    };
    const { jobs } = area.repositories;
    await submit(1);
    await expect.poll(() => jobs.count()).toMatchObject({ running: ofOneChain });
    await submit(2);
    await expect.poll(() => jobs.count()).toEqual({ running: together, waiting: together + 2 });
  },
);
