import { textAsset } from './assets.ts';

/** A lens over the lines of a ledger; legible at 16 pixels, on light and on dark. */
const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" role="img" aria-label="Ledgerlens">
<rect width="32" height="32" rx="7" fill="#0b3d2e"/>
<path d="M6 9h12M6 14h6M6 19h5M6 24h9" stroke="#7fd6a8" stroke-width="2.4" stroke-linecap="round"/>
<circle cx="19" cy="17" r="6.2" fill="#0b3d2e" stroke="#fff" stroke-width="2.6"/>
<path d="m23.6 21.6 4.2 4.2" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/>
</svg>
`;

export const MARK = textAsset('mark.svg', MARK_SVG);
