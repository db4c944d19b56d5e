import { createHash } from 'node:crypto';
import { readableAccent } from './accent.ts';
import { PAGE_CSS } from './page-css.ts';
import type { PageLogo } from './page-logo.ts';

/** What an operator chose of how the page looks. */
export interface PageLook {
  readonly css: string;
  /** Names the style sheet's content, so that its address may be kept for ever. */
  readonly cssVersion: string;
  /** Null: the page's name alone. */
  readonly logo: PageLogo | null;
}

/** @param accent `#rrggbb` for links and focus; null: the usual one. */
export function createPageLook(accent: string | null, logo: PageLogo | null): PageLook {
  const css = accent === null ? PAGE_CSS : `${PAGE_CSS}${accentRules(accent)}`;
  return { css, cssVersion: createHash('sha256').update(css).digest('hex').slice(0, 16), logo };
}

export const PLAIN_LOOK = createPageLook(null, null);

function accentRules(accent: string): string {
  const { light, dark } = readableAccent(accent);
  return `:root, .theme-light { --link: ${light}; }
@media (prefers-color-scheme: dark) { :root { --link: ${dark}; } }
.theme-light { --link: ${light}; }
.theme-dark { --link: ${dark}; }
@media print { :root { --link: ${light}; } }
`;
}
