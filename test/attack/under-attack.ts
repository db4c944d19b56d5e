import { afterAll, beforeAll } from 'vitest';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { type Probe, startProbe } from './probe.ts';

interface Attack {
  server: AttackedServer;
  probe: Probe;
}

/** The server that all tests of a file attack, and innocent clients beside it. There from the first test on. */
export function underAttack(): Readonly<Attack> {
  const attack: Partial<Attack> = {};
  beforeAll(async () => {
    attack.server = await startAttacked();
    attack.probe = await startProbe(attack.server.url);
  });
  afterAll(async () => {
    await attack.probe?.stop();
    await attack.server?.remove();
  });
  return attack as Attack;
}
