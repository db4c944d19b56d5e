import { expect, test } from 'vitest';
import { printHtml } from '../../../pages/html.ts';
import type { ContractResultDocument } from '../ask/documents.ts';
import { ledgerLinks } from '../parts/ledger-links.ts';
import { callTable } from './execution-view.ts';

test('the creation of a contract is its constructor, a call without input is none', () => {
  const call = (timestamp: string): ContractResultDocument => ({
    address: null,
    amount: null,
    bloom: '0x',
    call_result: '0x',
    contract_id: '0.0.2001',
    created_contract_ids: [],
    error_message: null,
    from: null,
    function_parameters: '0x',
    gas_consumed: null,
    gas_limit: 0n,
    gas_used: null,
    hash: '0x',
    timestamp,
    to: null,
  });
  const links = ledgerLinks({ root: '' }, new Map());
  const table = printHtml(callTable([call('9.000000001'), call('7.000000001')], links, '7.000000001'));
  const functions = [...table.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/g)].map(([, text]) => text);
  expect(functions).toEqual(['<span class="muted">none: no input</span>', 'constructor']);
});
