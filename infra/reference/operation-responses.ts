import type * as z from 'zod';
import { IMAGE_TYPES } from '#lib/files/images.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import {
  Confirmation,
  FileContent,
  FileOrLink,
  FileOrPage,
  jsonIn,
  respondsWithFile,
  respondsWithPage,
} from '#lib/http/wire/response.ts';
import { exampleOf } from './examples.ts';
import type { OperationObject } from './operations.ts';
import { headerAt, responseAt, responses } from './responses.ts';
import type { Schemas } from './schemas.ts';

/** Describes the responses of an operation; its errors follow from its metadata. */
export function operationResponses(operation: OperationObject, schemas: Schemas) {
  return {
    200: success(operation, schemas),
    ...redirect(operation),
    ...(operation.metadata.isRevalidated && { 304: responseAt('Unchanged') }),
    ...errorResponses(operation),
  };
}

function success({ method, hasVersion, name, metadata }: OperationObject, schemas: Schemas) {
  const { response, idempotent, isRevalidated } = metadata;
  if (response === Confirmation && !idempotent) return responseAt('Confirmation');
  const headers = {
    'X-Request-Id': headerAt('RequestId'),
    ...(method === 'GET' && hasVersion && { ETag: headerAt('Version') }),
    ...(isRevalidated && { ETag: headerAt('Tag'), Vary: headerAt('Vary') }),
    ...(idempotent && { 'Idempotent-Replayed': headerAt('Replayed') }),
    ...(respondsWithFile(response) && { 'Content-Disposition': headerAt('FileName') }),
  };
  const json = jsonIn(response);
  if (!json) {
    const description = respondsWithFile(response) ? 'The file.' : 'The page.';
    return { description, headers, content: contentOf(mediaTypesOf(response)) };
  }
  const { got } = exampleOf(name);
  const schema = response === Confirmation ? CONFIRMED : schemas.referenceTo(json);
  const content = { 'application/json': { schema, ...(got !== undefined && { example: got }) } };
  if (!respondsWithFile(response)) return { description: 'OK', headers, content };
  // With a file beside JSON, generated clients would type the response as rows or text: OpenAPI can't express
  // that a parameter decides.
  const page = respondsWithPage(response) ? `, with \`format=html\` a page, \`${PAGE_TYPE}\`` : '';
  const description = `JSON, or with \`format=excel\` a workbook, \`${WORKBOOK_TYPE}\`${page}.`;
  return { description, headers, content, 'x-media-types': mediaTypesOf(response) };
}

/** Lists the media types an operation returns beside JSON. Files of the public catalogue are images. */
function mediaTypesOf(response: z.ZodType): readonly string[] {
  if (response === FileOrLink) return Object.values(IMAGE_TYPES);
  return [
    ...(respondsWithFile(response) ? [WORKBOOK_TYPE] : []),
    ...(respondsWithPage(response) ? [PAGE_TYPE] : []),
  ];
}

function contentOf(types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

const PAGE_TYPE = 'text/html';

const CONFIRMED = { $ref: '#/components/schemas/Message' };

function redirect({ metadata: { response } }: OperationObject) {
  return respondsWithFile(response) && response !== FileContent && response !== FileOrPage
    ? { 302: responseAt('Elsewhere') }
    : {};
}

/** Rights of operations that find one record without its id in the path. */
const FINDS_ONE = /^company\.(?:tariff|product\.scan$)/;

/** Lists the errors that an operation can return by its metadata. */
function errorResponses(operation: OperationObject) {
  const { method, path, name, hasVersion, metadata } = operation;
  const { right, body, limit } = metadata;
  const isSystem = right === 'external' || right === 'gateway';
  const isSigned = right !== 'anyone' && !isSystem;
  const isChange = method !== 'GET';
  const possible = [
    [400, 'Refused', isChange || path.startsWith('/common/public/')],
    [401, 'Unauthenticated', isSigned],
    [403, 'Forbidden', isSigned],
    [404, 'Missing', path.includes('{') || isSystem || FINDS_ONE.test(right)],
    [405, 'OtherMethod', isChange],
    [409, 'Conflict', isChange],
    [410, 'CursorEnded', name === 'GET /company/sync'],
    [412, 'OtherVersion', isChange && hasVersion],
    [413, 'TooLarge', body],
    [415, 'OtherMedia', body],
    // Every operation rejects unknown parameters.
    [422, 'Invalid', true],
    [429, 'TooMany', limit],
    [500, 'Failed', true],
    [503, 'Unavailable', true],
  ] as const;
  const listed = possible.filter(([, , isPossible]) => isPossible);
  return Object.fromEntries(listed.map(([status, shared]) => [status, errorResponse(name, status, shared)]));
}

/** Describes an error of an operation, with the example that a test recorded, if any. */
function errorResponse(name: string, status: number, shared: keyof typeof responses) {
  const example = exampleOf(name).refused?.[status];
  if (example === undefined) return responseAt(shared);
  const common = responses[shared];
  if (!('content' in common)) return responseAt(shared);
  const json = { ...common.content['application/json'], example };
  return { ...common, content: { 'application/json': json } };
}
