import { isJsonObject, type JsonObject } from '../../json-object.ts';

/** The messages of standard JSON output that say why there is no contract; warnings are left out. */
export function errorsOf(output: JsonObject): readonly unknown[] {
  const messages: readonly unknown[] = Array.isArray(output['errors']) ? output['errors'] : [];
  return messages.filter((message) => isJsonObject(message) && message['severity'] === 'error');
}
