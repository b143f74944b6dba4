import { Confirmation, givesFile, jsonIn } from '#lib/http/answer.ts';
import { exampleOf } from './examples.ts';
import type { Operation } from './operations.ts';
import type { Schemas } from './schemas.ts';
import { headerAt, responseAt, sharedResponse } from './shared.ts';

/** Describes what an operation may answer, the refusals by its metadata. */
export function answersOf(operation: Operation, schemas: Schemas) {
  return { 200: success(operation, schemas), ...redirect(operation), ...refusals(operation) };
}

function success({ method, hasVersion, name, metadata }: Operation, schemas: Schemas) {
  const { answers, idempotent } = metadata;
  if (answers === Confirmation && !idempotent) return responseAt('Confirmation');
  const headers = {
    'X-Request-Id': headerAt('RequestId'),
    ...(method === 'GET' && hasVersion && { ETag: headerAt('Version') }),
    ...(idempotent && { 'Idempotent-Replayed': headerAt('Replayed') }),
    ...(givesFile(answers) && { 'Content-Disposition': headerAt('FileName') }),
  };
  const json = jsonIn(answers);
  const file = givesFile(answers) && {
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
  };
  if (!json) return { description: 'The file.', headers, content: { ...file } };
  const { got } = exampleOf(name);
  const schema = answers === Confirmation ? CONFIRMED : schemas.referenceTo(json);
  const content = { schema, ...(got !== undefined && { example: got }) };
  return { description: 'OK', headers, content: { 'application/json': content, ...file } };
}

const CONFIRMED = { $ref: '#/components/schemas/Message' };

function redirect({ metadata: { answers } }: Operation) {
  return givesFile(answers) && jsonIn(answers) ? { 302: responseAt('Elsewhere') } : {};
}

/** Lists the refusals that the operation can meet by its metadata. */
function refusals(operation: Operation) {
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
function refusal(name: string, status: number, shared: Parameters<typeof responseAt>[0]) {
  const example = exampleOf(name).refused?.[status];
  if (example === undefined) return responseAt(shared);
  const response = sharedResponse(shared);
  if (!('content' in response)) return responseAt(shared);
  const json = { ...response.content['application/json'], example };
  return { ...response, content: { 'application/json': json } };
}
