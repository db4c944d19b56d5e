/**
 * Text in which nothing can steer a terminal or break its line: controls and invisible marks become one space.
 *
 * Names come from everybody who holds a token.
 */
export function printableText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
