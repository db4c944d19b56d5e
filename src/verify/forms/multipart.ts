import { MultipartError, multipartParts } from '../../http/bodies/multipart-parts.ts';
import type { FormBody, FormFile } from '../bodies/form-body.ts';
import { invalidParameter } from '../errors.ts';

/** Sources of one contract are some hundred at most. */
const MOST_PARTS = 20_000;

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
      if (parts > MOST_PARTS)
        throw invalidParameter(`request/body must NOT have more than ${MOST_PARTS} parts`);
      const text = bytes.toString('utf8');
      if (fileName === null) fields.set(field, text);
      else files.push({ field, name: fileName, text });
    }
  } catch (error) {
    throw error instanceof MultipartError ? invalidParameter(error.message) : error;
  }
  return { fields, files };
}
