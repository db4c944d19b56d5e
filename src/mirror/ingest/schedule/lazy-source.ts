import type { StreamSource } from '../units/stream-source.ts';

/**
 * A source that is made when it is first asked for something, so that its code is loaded only where it is used.
 *
 * A failure to make it is a failure of the question, and the next question tries again.
 */
export function createLazySource(name: string, make: () => Promise<StreamSource>): StreamSource {
  let making: Promise<StreamSource> | null = null;
  let made: StreamSource | null = null;
  const source = async (): Promise<StreamSource> => {
    making ??= make();
    try {
      made = await making;
      return made;
    } catch (error) {
      making = null;
      throw error;
    }
  };
  return {
    name,
    addressBook: async () => (await source()).addressBook(),
    list: async (after, signal) => (await source()).list(after, signal),
    get changed() {
      return made?.changed?.bind(made);
    },
    get standing() {
      return made?.standing?.bind(made);
    },
    async close() {
      await making?.catch(() => {});
      await made?.close?.();
    },
  } as StreamSource;
}
