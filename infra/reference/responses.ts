import { type ErrorCode, errorCodes, translate } from '#lib/values/message.ts';
import { SUCCESS } from '#lib/values/text.ts';

const message = { type: 'string', description: 'A text for people, in the language of the call.' };

const code = {
  description: 'For programs. `/docs/codes` lists all codes; new ones may come.',
  $ref: '#/components/schemas/RefusalCode',
};

/** `{message}`: a confirmation. */
const Message = { type: 'object', properties: { message }, required: ['message'] };

/** A refusal, except that of wrong fields. */
const Problem = { type: 'object', properties: { message, code }, required: ['message', 'code'] };

const taker = (noun: string) => ({
  type: ['integer', 'null'],
  description: `The ${noun} that has the \`key\` of a sale; one of the two is null.`,
});

/** A conflict; with what has the key of a sale, if it is that. */
const Conflict = {
  type: 'object',
  properties: { message, code, sale_id: taker('sale'), refused_id: taker('refused sale') },
  required: ['message', 'code'],
};

/** What the gateway may say before us or in our place, and then without a code. */
const GatewayProblem = { type: 'object', properties: { message, code }, required: ['message'] };

/** A refusal of wrong fields. */
const Problems = {
  type: 'object',
  properties: {
    message,
    errors: {
      type: 'object',
      description: 'What is wrong, by dotted path of the field, as `products.0.quantity`.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    code: { ...code, description: 'The first of `codes`.' },
    codes: {
      type: 'object',
      description: 'By the paths of `errors`, with a code for each text.',
      additionalProperties: { type: 'array', items: code },
    },
    refused_id: {
      type: 'integer',
      description: 'The refused sale, if it is a late one that is kept or was dismissed.',
    },
    holders: {
      type: 'object',
      description: 'By the paths of names that are taken: the record that has the name.',
      additionalProperties: {
        type: 'object',
        properties: {
          id: { type: 'integer', description: 'The id of the record that has the name.' },
          is_deleted: { type: 'boolean', description: 'True if it is deleted; it can be restored.' },
        },
        required: ['id', 'is_deleted'],
      },
    },
  },
  required: ['message', 'errors', 'code', 'codes'],
};

/** Schemas of what is answered wherever it is asked. */
export const ANSWER_SCHEMAS = {
  Message,
  Problem,
  Conflict,
  GatewayProblem,
  Problems,
  RefusalCode: {
    // A list that is closed would break clients on a code that comes later.
    description: 'A code of a refusal; `/docs/codes` says what each means. New ones may come.',
    anyOf: [{ type: 'string', enum: errorCodes() }, { type: 'string' }],
  },
};

/** Headers of answers. */
export const headers = {
  RequestId: header('The id of the request, for the support.'),
  RetryAfter: header('After how many seconds to come again.', { type: 'integer' }),
  Version: header('The version of the record, for `If-Match`.'),
  Replayed: header('`true` if this answer was given to an earlier call with the same key.'),
  FileName: header('The name of the file.'),
  Location: header('Where the file is, for five minutes.', { type: 'string', format: 'uri' }),
};

/** Answers that operations share. */
export const responses = {
  Confirmation: answer('The word for success.', 'Message', { message: SUCCESS.ru }),
  Elsewhere: {
    description: 'The file is too large for an answer: it is at `Location`.',
    headers: { 'X-Request-Id': headerAt('RequestId'), Location: headerAt('Location') },
  },
  // What forbids it, and which fields are wrong, differs from operation to operation: no example for all.
  Refused: answer('A rule of the business forbids it.', 'Problem'),
  Unauthenticated: refusal('The token is missing, malformed, expired or revoked.', 'auth.unauthenticated'),
  Forbidden: refusal('The wrong type of user, or a role without the right.', 'auth.forbidden'),
  Missing: refusal('There is no such record for the caller.', 'http.not_found'),
  OtherMethod: refusal(
    'The path is not served by this method, or `_method` names another.',
    'http.method_not_allowed',
  ),
  Conflict: refusal(
    'Others were faster; or the `Idempotency-Key` was used for another call, or that still runs; or the `key` of a sale is that of another.',
    'http.conflict',
    'Conflict',
  ),
  CursorEnded: refusal(
    'The cursor goes no further, for the reason that is told: begin again without one.',
    'sync.begin_again',
  ),
  OtherVersion: refusal('The record is not in the version that `If-Match` names.', 'http.version_changed'),
  TooLarge: {
    ...answer(
      'The body is larger than 4.5 MB. The gateway says so before we do: without a code.',
      'GatewayProblem',
    ),
    headers: {},
  },
  OtherMedia: refusal('The body is neither JSON nor a form.', 'http.unsupported_media'),
  Invalid: answer('Some fields or parameters are wrong: all of them.', 'Problems'),
  TooMany: later('Too many tries.', 'http.too_many_requests'),
  Failed: refusal('A defect. Tell the support the id of the request.', 'http.internal', 'GatewayProblem'),
  Unavailable: later('Busy, or a system behind is: try again.', 'http.unavailable'),
};

/** Points to a shared response. */
export function responseAt(name: keyof typeof responses) {
  return { $ref: `#/components/responses/${name}` };
}

/** Points to a shared header. */
export function headerAt(name: keyof typeof headers) {
  return { $ref: `#/components/headers/${name}` };
}

function header(description: string, schema: object = { type: 'string' }) {
  return { description, schema };
}

function answer(description: string, schema: keyof typeof ANSWER_SCHEMAS, example?: object) {
  const content = { schema: { $ref: `#/components/schemas/${schema}` }, ...(example && { example }) };
  return {
    description,
    headers: { 'X-Request-Id': headerAt('RequestId') },
    content: { 'application/json': content },
  };
}

function refusal(
  description: string,
  key: ErrorCode,
  schema: 'Problem' | 'Conflict' | 'GatewayProblem' = 'Problem',
) {
  return answer(description, schema, { message: translate('ru', { key, with: { seconds: 30 } }), code: key });
}

function later(description: string, key: ErrorCode) {
  const told = refusal(description, key, 'GatewayProblem');
  return { ...told, headers: { ...told.headers, 'Retry-After': headerAt('RetryAfter') } };
}
