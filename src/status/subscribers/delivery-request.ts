import { createHmac } from 'node:crypto';
import type { Delivery } from './delivery-queue.ts';
import type { WebhookRequest } from './post-webhook.ts';

/** What a delivery tells beside its news. */
export interface DeliverySite {
  /** Address under which the APIs stand, without a slash at the end. */
  readonly apiUrl: string;
  readonly pageId: string;
  /** Of this product. */
  readonly version: string;
}

/**
 * The request that brings a delivery to its subscriber: the same bytes and headers at each attempt.
 *
 * The signature is an HMAC-SHA256 of the exact bytes of the body; its key is the text of the secret.
 *
 * @see contracts/status.md section 11
 */
export function deliveryRequest(delivery: Delivery, site: DeliverySite): WebhookRequest {
  const { id, subscriberId, endpoint, secret, generatedAt, payload } = delivery;
  const meta = {
    unsubscribe: `${site.apiUrl}/v1/pages/${site.pageId}/subscribers/${subscriberId}`,
    documentation: `${site.apiUrl}/docs`,
    generated_at: generatedAt,
  };
  // The stored text is passed on as it is: parsing and printing it again could change it.
  const body = Buffer.from(`{"meta":${JSON.stringify(meta)},${payload.slice(1)}`);
  return {
    url: endpoint,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `Ledgerlens/${site.version}`,
      'X-Ledgerlens-Delivery': id,
      'X-Ledgerlens-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  };
}
