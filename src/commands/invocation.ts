/** What a command is given: the words and options after its name, and the environment. */
export interface Invocation {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command's module. `execute` returns the exit code. */
export interface CommandModule {
  execute(invocation: Invocation): Promise<number>;
}
