import { type Html, html } from '../../../pages/html.ts';
import type { ProxyKind } from '../../proxy/proxy-candidates.ts';
import type { ProxyResolution } from '../../proxy/proxy-resolver.ts';
import { contractHref, type PageContext, submitHref } from '../page-context.ts';
import { visibleText } from '../visible-text.ts';

const KINDS: Readonly<Record<ProxyKind, string>> = {
  EIP1167Proxy:
    'a minimal proxy (EIP-1167): its code holds the address of its implementation, which never changes',
  FixedProxy: 'a proxy whose code holds the address of its implementation, which never changes',
  EIP1967Proxy: 'an upgradeable proxy (EIP-1967): a slot of its storage names the implementation',
  GnosisSafeProxy: 'a proxy of a Safe: its first slot names the implementation',
  DiamondProxy: 'a diamond (EIP-2535): each function may be in a different contract',
  PROXIABLEProxy: 'an upgradeable proxy (EIP-1822): a slot of its storage names the implementation',
  ZeppelinOSProxy: 'an upgradeable proxy of ZeppelinOS: a slot of its storage names the implementation',
  SequenceWalletProxy: 'a wallet of Sequence: a slot of its storage names the implementation',
};
const MAX_IMPLEMENTATIONS = 100;

/** Whether a contract is a proxy, and for what. */
export function renderProxy(context: PageContext, chainId: string, resolution: ProxyResolution): Html {
  if ('proxyResolutionError' in resolution) {
    return html`<p><strong>The chain is not responding</strong>, so it is unknown whether this contract is a proxy. Try again in a minute.</p>`;
  }
  const { isProxy, proxyType, implementations } = resolution;
  if (!isProxy) return html`<p>Not a known kind of proxy: calls run the code of this contract itself.</p>`;
  const shown = implementations.slice(0, MAX_IMPLEMENTATIONS);
  return html`<p>This is ${proxyType === null ? 'a proxy' : KINDS[proxyType]}. Calls run the code of:</p>
<ul class="plain entries">
${shown.map(
  ({ address, name }) => html`<li>${
    name === undefined
      ? renderUnknown(context, chainId, address)
      : html`<a href="${contractHref(context, chainId, address)}"><strong>${visibleText(name)}</strong></a> <code>${address}</code>`
  }</li>
`,
)}</ul>
${shown.length === implementations.length ? null : html`<p class="muted">and ${implementations.length - shown.length} more</p>`}`;
}

/** An implementation that is not verified; not every chain takes submissions. */
function renderUnknown(context: PageContext, chainId: string, address: string): Html {
  const isSupported = context.chains.some((chain) => chain.chainId === chainId && chain.supported);
  if (!isSupported) return html`<code>${address}</code> <span class="muted">not verified</span>`;
  return html`<code>${address}</code> <span class="muted">not verified.</span> <a href="${submitHref(context, chainId, address)}">Verify source</a>`;
}
