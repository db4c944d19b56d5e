import { generateKeyPairSync, sign } from 'node:crypto';

/** A TLS server's key and certificate, both PEM. */
export interface ServerIdentity {
  readonly key: string;
  readonly certificate: string;
}

const DAY_MS = 86_400_000;
/** Tags of X.690 section 8; context tags of RFC 5280 sections 4.1 and 4.2.1.6. */
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;
const DNS_NAME = 0x82;
const EXTENSIONS = 0xa3;

const ECDSA_WITH_SHA256 = tagged(SEQUENCE, objectIdentifier('2a8648ce3d040302'));
const COMMON_NAME = objectIdentifier('550403');
const SUBJECT_ALTERNATIVE_NAME = objectIdentifier('551d11');

/** Makes a certificate for one host name, valid from yesterday to tomorrow, that is its own authority. */
export function createSelfSignedIdentity(hostName: string, now = Date.now()): ServerIdentity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(tagged(SET, sequence(COMMON_NAME, tagged(UTF8_STRING, Buffer.from(hostName)))));
  const toBeSigned = sequence(
    tagged(VERSION, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(now - DAY_MS), utcTime(now + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(EXTENSIONS, sequence(sequence(SUBJECT_ALTERNATIVE_NAME, alternativeNames(hostName)))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, bitString(signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${linesOf(certificate)}\n-----END CERTIFICATE-----\n`,
  };
}

/** OpenSSL refuses an empty line, which a full last line must not leave after itself. */
function linesOf(bytes: Buffer): string {
  return (bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
}

function alternativeNames(hostName: string): Buffer {
  return tagged(OCTET_STRING, sequence(tagged(DNS_NAME, Buffer.from(hostName))));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(SEQUENCE, ...parts);
}

function integer(value: number): Buffer {
  return tagged(INTEGER, Buffer.from([value]));
}

/** The first byte counts the unused bits of the last one. */
function bitString(content: Buffer): Buffer {
  return tagged(BIT_STRING, Buffer.from([0]), content);
}

function objectIdentifier(encodedHex: string): Buffer {
  return tagged(OBJECT_IDENTIFIER, Buffer.from(encodedHex, 'hex'));
}

/** `YYMMDDHHMMSSZ` */
function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/\D/g, '').slice(2, 14);
  return tagged(UTC_TIME, Buffer.from(`${digits}Z`));
}

/** Tag, length in the shortest form that DER has for it, content. */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const short = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : short)]), content]);
}
