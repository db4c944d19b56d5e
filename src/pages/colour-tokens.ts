/** One colour of the page, as it is on a light and on a dark screen. */
export interface ColourToken {
  readonly light: string;
  readonly dark: string;
}

/**
 * All colours of the page; texts keep a contrast of 4.5 on background and surface.
 *
 * @see contracts/status.md section 10, table Token
 */
export const COLOUR_TOKENS = {
  background: { light: '#ffffff', dark: '#0e1318' },
  surface: { light: '#f6f8fa', dark: '#171d24' },
  text: { light: '#1b1f24', dark: '#e8edf2' },
  muted: { light: '#525b66', dark: '#a3adb8' },
  link: { light: '#0550ae', dark: '#7ab8ff' },
  border: { light: '#7f8791', dark: '#6b7682' },
  /** Between rows that stand apart anyway. */
  line: { light: '#c5c9cd', dark: '#384048' },
  operational: { light: '#166c2e', dark: '#4cc366' },
  degraded: { light: '#805500', dark: '#dea62f' },
  partial: { light: '#a84300', dark: '#f28c4b' },
  major: { light: '#b3202c', dark: '#ff7a72' },
  maintenance: { light: '#0757b8', dark: '#6cb0ff' },
  'no-data': { light: '#5c6670', dark: '#98a3ae' },
} as const satisfies Readonly<Record<string, ColourToken>>;

/** The colours that say how something is. */
export const STATES = [
  'operational',
  'degraded',
  'partial',
  'major',
  'maintenance',
  'no-data',
] as const satisfies readonly (keyof typeof COLOUR_TOKENS)[];

/** The custom properties of one theme, such as `--text: #1b1f24;`. */
export function colourProperties(theme: keyof ColourToken): string {
  return Object.entries(COLOUR_TOKENS)
    .map(([name, token]) => `--${name}: ${token[theme]};`)
    .join(' ');
}
