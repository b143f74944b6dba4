import type * as z from 'zod';
import { IMAGE_TYPES } from '#lib/files/images.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { Confirmation, FileContent, FileOrLink, jsonIn, respondsWithFile } from '#lib/http/wire/response.ts';
import { exampleOf } from './examples.ts';
import type { OperationObject } from './operations.ts';
import { headerAt, responseAt, responses } from './responses.ts';
import type { Schemas } from './schemas.ts';

/** Describes what an operation may answer, the refusals by its metadata. */
export function operationResponses(operation: OperationObject, schemas: Schemas) {
  return { 200: success(operation, schemas), ...redirect(operation), ...refusals(operation) };
}

function success({ method, hasVersion, name, metadata }: OperationObject, schemas: Schemas) {
  const { response: answers, idempotent } = metadata;
  if (answers === Confirmation && !idempotent) return responseAt('Confirmation');
  const headers = {
    'X-Request-Id': headerAt('RequestId'),
    ...(method === 'GET' && hasVersion && { ETag: headerAt('Version') }),
    ...(idempotent && { 'Idempotent-Replayed': headerAt('Replayed') }),
    ...(respondsWithFile(answers) && { 'Content-Disposition': headerAt('FileName') }),
  };
  const json = jsonIn(answers);
  if (!json) return { description: 'The file.', headers, content: contentOf(mediaTypesOf(answers)) };
  const { got } = exampleOf(name);
  const schema = answers === Confirmation ? CONFIRMED : schemas.referenceTo(json);
  const content = { 'application/json': { schema, ...(got !== undefined && { example: got }) } };
  if (!respondsWithFile(answers)) return { description: 'OK', headers, content };
  // Beside JSON, a file would make a client's type of the answer "rows or a text". OpenAPI can't say that one
  // parameter decides.
  const description = `JSON; with \`format=excel\` a workbook instead, \`${WORKBOOK_TYPE}\`.`;
  return { description, headers, content, 'x-media-types': mediaTypesOf(answers) };
}

/** Lists the media types of the files that an operation gives. Those of the public catalogue are images. */
function mediaTypesOf(answers: z.ZodType): readonly string[] {
  return answers === FileOrLink ? Object.values(IMAGE_TYPES) : [WORKBOOK_TYPE];
}

function contentOf(types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

const CONFIRMED = { $ref: '#/components/schemas/Message' };

function redirect({ metadata: { response: answers } }: OperationObject) {
  return respondsWithFile(answers) && answers !== FileContent ? { 302: responseAt('Elsewhere') } : {};
}

/** Lists the refusals that the operation can meet by its metadata. */
function refusals(operation: OperationObject) {
  const { method, path, name, hasVersion, metadata } = operation;
  const { right, body, limit } = metadata;
  const isSystem = right === 'external' || right === 'gateway';
  const isSigned = right !== 'anyone' && !isSystem;
  const isChange = method !== 'GET';
  const possible = [
    [400, 'Refused', isChange || path.startsWith('/common/public/')],
    [401, 'Unauthenticated', isSigned],
    [403, 'Forbidden', isSigned],
    [404, 'Missing', path.includes('{') || isSystem || right.startsWith('company.tariff')],
    [405, 'OtherMethod', isChange],
    [409, 'Conflict', isChange],
    [410, 'CursorEnded', name === 'GET /company/sync'],
    [412, 'OtherVersion', isChange && hasVersion],
    [413, 'TooLarge', body],
    [415, 'OtherMedia', body],
    // A parameter that it does not know is refused by every operation.
    [422, 'Invalid', true],
    [429, 'TooMany', limit],
    [500, 'Failed', true],
    [503, 'Unavailable', true],
  ] as const;
  const told = possible.filter(([, , isPossible]) => isPossible);
  return Object.fromEntries(told.map(([status, shared]) => [status, refusal(name, status, shared)]));
}

/** Describes a refusal, with an example of its own if a test has met one. */
function refusal(name: string, status: number, shared: keyof typeof responses) {
  const example = exampleOf(name).refused?.[status];
  if (example === undefined) return responseAt(shared);
  const response = responses[shared];
  if (!('content' in response)) return responseAt(shared);
  const json = { ...response.content['application/json'], example };
  return { ...response, content: { 'application/json': json } };
}
