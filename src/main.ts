#!/usr/bin/env node
// Imports nothing ahead of its first statement: a stop signal may arrive while the rest is loaded.
if (process.pid === 1) {
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) {
    // The kernel withholds from process 1 every signal without a handler, so this restores the default action.
    process.on(signal, (_: NodeJS.Signals, number: number) => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}
const { keepCompiledCode } = await import('./compile-cache.ts');
keepCompiledCode();
await import('./cli.ts');

export {};
