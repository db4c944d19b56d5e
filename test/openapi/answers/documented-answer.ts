import type { Answer, OpenApiFile, Schema } from '../../support/openapi-document.ts';
import type { RecordedAnswer } from './recording-server.ts';

/** What the document says about an answer; null where it says nothing of it. */
export function documentedAnswer(
  document: OpenApiFile,
  { operation, status }: RecordedAnswer,
): Answer | null {
  const [method = '', path = ''] = operation.split(' ');
  const found = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
  const { $ref } = found ?? {};
  if (typeof $ref !== 'string') return found ?? null;
  return document.components.responses[$ref.slice('#/components/responses/'.length)] ?? null;
}

/** The schema of its body; null where there is none. */
export function schemaOfAnswer(document: OpenApiFile, answer: RecordedAnswer): Schema | null {
  const { content } = documentedAnswer(document, answer) ?? {};
  return content?.[answer.type]?.schema ?? null;
}
