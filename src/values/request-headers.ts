/** Values that `${NAME}` in a header may stand for. */
export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The environment variables that a text of configured headers names. */
export function namesInHeaders(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].flatMap(([, name]) => name ?? []);
}

/**
 * Makes configured headers fit for sending: `${NAME}` becomes the value of the environment variable.
 *
 * @param refuse told the name of a header that cannot be sent, and why; it may throw.
 */
export function fillHeaders(
  given: Readonly<Record<string, string>>,
  environment: Environment,
  refuse: (name: string, reason: string) => void,
): Record<string, string> {
  const headers = Object.entries(given).map(([name, text]): [string, string] => {
    const value = text.replace(VARIABLE, (_, variable: string) => {
      const found = environment[variable];
      if (found === undefined) refuse(name, `the environment variable ${variable} is not set`);
      return found ?? '';
    });
    if (!isHeader(name, value)) refuse(name, 'cannot be sent as an HTTP header');
    return [name, value];
  });
  return Object.fromEntries(headers);
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    // It throws for every name and value that HTTP does not allow.
    return false;
  }
}
