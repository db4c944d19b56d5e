import { type Html, html } from '../../../pages/html.ts';
import type { KeyDocument } from '../ask/documents.ts';

const NAMES: Readonly<Record<string, string>> = {
  ED25519: 'Ed25519',
  ECDSA_SECP256K1: 'ECDSA secp256k1',
  ProtobufEncoded: 'Multiple keys or a contract (protobuf)',
};

/** A key with its kind. */
export function keyText({ _type, key }: KeyDocument): Html {
  return html`<span class="muted">${NAMES[_type] ?? _type}</span> <span class="code">${key}</span>`;
}
