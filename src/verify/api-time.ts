/** Prints a time as the API does: UTC, whole seconds, `2026-11-20T10:15:02Z`. */
export function printApiTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
