import { html, printHtml } from '../../../pages/html.ts';
import { PLAIN_LOOK } from '../page-look.ts';
import type { PageFrame } from '../page-site.ts';
import { ICON_SHAPES, icon } from '../status-marks.ts';
import type { Banner } from '../views/banner.ts';

/** Null: as the visitor's system has it. */
export type FrameTheme = 'light' | 'dark' | null;

/** The state in one line of 40 pixels, for frames on pages of others; the link opens beside them. */
export function renderFrame({ mark, text }: Banner, theme: FrameTheme, { page, site }: PageFrame): string {
  const { cssVersion } = site.look ?? PLAIN_LOOK;
  return printHtml(html`<!doctype html>
<html lang="en"${theme === null ? null : html` class="theme-${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text} – ${page.name}</title>
<link rel="stylesheet" href="${site.base}/page.css?v=${cssVersion}">
</head>
<body class="frame">
${ICON_SHAPES}
<main><h1 class="unseen">Status of ${page.name}</h1>
<p><a href="${page.url}" target="_blank" rel="noopener"><span class="is-${mark}">${icon(mark)}</span> <span>${text}</span><span class="unseen"> – ${page.name}, opens in a new tab</span></a></p></main>
</body>
</html>
`);
}
