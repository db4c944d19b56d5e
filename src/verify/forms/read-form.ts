import { MultipartError, multipartParts } from '../../http/bodies/multipart-parts.ts';
import type { FormBody, FormFile } from '../bodies/form-body.ts';
import { parseBody } from '../bodies/parse-body.ts';
import { invalidParameter } from '../errors.ts';
import { isJsonObject } from '../json-object.ts';

type ReadForm = (body: Buffer, contentType: string) => FormBody;

const READERS: Readonly<Record<string, ReadForm>> = {
  'application/json': readJsonForm,
  'application/x-www-form-urlencoded': readWebForm,
  'multipart/form-data': readMultipart,
};

/** Sources of one contract are some hundred at most, with two fields each. */
const MAX_FIELDS = 10_000;

/** Media types of the bodies that are read alike. */
export const FORM_TYPES: readonly string[] = Object.keys(READERS);

/**
 * Reads JSON, web forms and multipart bodies alike.
 *
 * @param contentType the header.
 * @throws VerifyRequestError
 */
export function readForm(body: Buffer, contentType: string): FormBody {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const read = READERS[mediaType];
  if (read === undefined) throw invalidParameter(`unsupported media type ${mediaType}`);
  return read(body, contentType);
}

function readJsonForm(body: Buffer): FormBody {
  const value = parseBody(body);
  if (!isJsonObject(value)) throw invalidParameter('request/body must be object');
  return { fields: new Map(Object.entries(value)), files: [] };
}

function readWebForm(body: Buffer): FormBody {
  // Counted before they are read: a hundred thousand would hold up everybody else for a quarter of a second.
  let fields = 1;
  for (let at = body.indexOf('&'); at !== -1; at = body.indexOf('&', at + 1)) fields += 1;
  if (fields > MAX_FIELDS)
    throw invalidParameter(`request/body must NOT have more than ${MAX_FIELDS} fields`);
  const slices = new Map(new URLSearchParams(body.toString('utf8')));
  // Copied, as any slice that is kept would hold the whole body.
  return { fields: structuredClone(slices), files: [] };
}

/** Sources of one contract are some hundred at most. */
const MAX_PARTS = 20_000;

/**
 * Reads a multipart body of texts.
 *
 * @param contentType the header, which names the boundary.
 * @throws VerifyRequestError `invalid_parameter`
 */
export function readMultipart(body: Buffer, contentType: string): FormBody {
  const fields = new Map<string, unknown>();
  const files: FormFile[] = [];
  let parts = 0;
  try {
    for (const { bytes, field, fileName } of multipartParts(body, contentType)) {
      parts += 1;
      if (parts > MAX_PARTS)
        throw invalidParameter(`request/body must NOT have more than ${MAX_PARTS} parts`);
      const text = bytes.toString('utf8');
      if (fileName === null) fields.set(field, text);
      else files.push({ field, name: fileName, text });
    }
  } catch (error) {
    throw error instanceof MultipartError ? invalidParameter(error.message) : error;
  }
  return { fields, files };
}
