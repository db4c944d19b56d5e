/** An argument of a command, by its place. */
export interface CommandArgument {
  readonly name: string;
  readonly summary: string;
  /** The words that it allows; absent: any. */
  readonly words?: readonly string[];
  /** Default: it may be left out. */
  readonly isRequired?: boolean;
  /** Whether it takes all that follow; only the last one. */
  readonly isList?: boolean;
}

/** An option of a command. */
export interface CommandOption {
  /** Without its dashes. */
  readonly flag: string;
  /** What its value is called; absent: it takes none. */
  readonly value?: string;
  /** The words that its value may be; absent: any. */
  readonly words?: readonly string[];
  readonly summary: string;
}

/** For commands that print facts. */
export const JSON_OPTION: CommandOption = { flag: 'json', summary: 'print JSON instead of text' };

/** A list that stands after the rest of a help. */
export interface MoreHelp {
  readonly heading: string;
  /** A term and what is said about it. */
  readonly items: readonly (readonly [term: string, text: string])[];
  readonly example: string;
}

/** A row of the table of commands: one that runs, or one that has actions. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** What else its help says. */
  readonly notes?: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  readonly actions?: readonly Command[];
  /** The action that runs when none is named; absent: its help is shown. */
  readonly defaultAction?: string;
  /** More for its help that is too large to be read at every start. */
  readonly loadHelp?: () => Promise<MoreHelp>;
  /** Whether it makes so many objects for so long that it runs in a thread with more room for young ones. */
  readonly needsRoom?: boolean;
  /** Its module, which is that of its actions as well; read only when one runs. */
  readonly load?: () => Promise<CommandModule>;
}

/** What a command is given: the words and options after its name, and the environment. */
export interface Invocation {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command's module. `execute` returns the exit code. */
interface CommandModule {
  execute(invocation: Invocation): Promise<number>;
}
