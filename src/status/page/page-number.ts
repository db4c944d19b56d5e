import { StatusParameterError } from '../errors.ts';

/**
 * Reads the number of a page of a list; 1 when it is absent or empty.
 *
 * @throws StatusParameterError for anything but a whole number from 1.
 */
export function readPageNumber(query: Readonly<Record<string, unknown>>): number {
  const text = query['page'] ?? '';
  if (text === '') return 1;
  if (typeof text !== 'string' || !/^[1-9]\d*$/.test(text)) {
    throw new StatusParameterError('page', 'a whole number from 1');
  }
  return Number(text);
}
