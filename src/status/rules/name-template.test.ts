import { expect, test } from 'vitest';
import { faultOfTemplate, fillTemplate } from './name-template.ts';

const values = { network: 'Testnet', version: '0.66.0', name: 'Mirror REST API' };

test('gives the name by which relays and wallets know a network', () => {
  const name = fillTemplate('Hedera {network} (v{version}) | Network Uptime', values);
  expect(name).toBe('Hedera Testnet (v0.66.0) | Network Uptime');
  expect(fillTemplate('{name}', values)).toBe('Mirror REST API');
});

test('gives none while a value that it asks for is not known', () => {
  expect(fillTemplate('Node (v{version})', { ...values, version: null })).toBeNull();
  expect(fillTemplate('Node {network}', { ...values, version: null })).toBe('Node Testnet');
});

test('cuts what is longer than a name between two characters', () => {
  const name = fillTemplate('a{network}', { ...values, network: '🛰'.repeat(300) });
  expect(name).toBe(`a${'🛰'.repeat(254)}`);
});

test('tells a template that asks for something else, or is blank', () => {
  expect(faultOfTemplate('{name} {host}')).toBe('"{host}" is not one of {network}, {version}, {name}');
  expect(faultOfTemplate(' ')).toBe('it is blank');
  expect(faultOfTemplate('{name}')).toBeNull();
});
