import { COLOUR_TOKENS } from './colour-tokens.ts';
import { type Html, html, printHtml } from './html.ts';

/** One page between its header and its footer. */
interface PageParts {
  /** Of the browser's tab. */
  readonly title: string;
  readonly isHiddenFromSearch: boolean;
  readonly styleSheet: string;
  /** Colour of the tab's icon, a dot. */
  readonly colour: keyof typeof COLOUR_TOKENS;
  /** Address of another icon; absent: the dot. */
  readonly icon?: string;
  /** More for the `head`; null for nothing. */
  readonly head: Html | null;
  /** Shapes that the page refers to; null for none. */
  readonly shapes: Html | null;
  /** What stands first in the header and leads to the first page. */
  readonly home: { readonly href: string; readonly text: string | Html };
  readonly navigation: Html;
  /** The content of `main`, from its `h1` on. */
  readonly main: Html;
  readonly footer: Html;
}

/** A whole document. It needs no script and nothing from elsewhere. */
export function printPage(page: PageParts): string {
  const icon = page.icon ?? dot(COLOUR_TOKENS[page.colour].light.slice(1));
  return printHtml(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
${page.isHiddenFromSearch ? html`<meta name="robots" content="noindex">` : null}
<link rel="stylesheet" href="${page.styleSheet}">
<link rel="icon" href="${icon}">
${page.head}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${page.shapes}
<header>
<a class="home" href="${page.home.href}">${page.home.text}</a>
<nav aria-label="Main" class="links">
${page.navigation}
</nav>
</header>
<main id="content" tabindex="-1">
${page.main}
</main>
<footer>
${page.footer}
</footer>
</body>
</html>
`);
}

function dot(colour: string): string {
  return `data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 8 8%22%3E%3Ccircle cx=%224%22 cy=%224%22 r=%224%22 fill=%22%23${colour}%22/%3E%3C/svg%3E`;
}
