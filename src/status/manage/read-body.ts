import { BadBodyError } from '../errors.ts';
import { type Input, isObject } from '../rules/input-members.ts';
import { readFormMembers } from './form-members.ts';

/** Deeper bodies would exhaust the stack of whatever prints or compares them. */
const DEEPEST = 32;

/** Reads a JSON body; empty text is an empty object, since some clients name the type of no body. @throws BadBodyError */
export function readJsonBody(text: string): Input {
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    // JSON.parse throws only for text that is no JSON.
    throw new BadBodyError({ cause });
  }
  if (!isObject(body) || isDeeperThan(body, DEEPEST)) throw new BadBodyError();
  return body;
}

/** Reads a body of a web form. @throws BadBodyError */
export function readFormBody(text: string): Input {
  const body = readFormMembers(new URLSearchParams(text));
  if (body === null) throw new BadBodyError();
  return body;
}

/** The members of a call, below the name of what it is about; absent is empty. @throws BadBodyError */
export function membersOf(body: Input, name: string): Input {
  const members = body[name] ?? {};
  if (!isObject(members)) throw new BadBodyError();
  return members;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
