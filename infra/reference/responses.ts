import { ENUMERATION, ERROR_CODES } from '#lib/values/enumeration.ts';
import { type ErrorCode, errorCodes, translate } from '#lib/values/message.ts';
import { SUCCESS } from '#lib/values/text.ts';

const message = { type: 'string', description: 'Human-readable message in the language of the request.' };

const code = {
  description: 'Machine-readable error code, listed in `/docs/codes`. New codes may be added.',
  $ref: '#/components/schemas/RefusalCode',
};

const params = {
  description:
    'Values in the text of `message`, by name, numbers as numbers; `{}` without any. `/docs/codes` names those of each code.',
  type: 'object',
  additionalProperties: { type: ['string', 'number'] },
};

/** Confirmation: `{message}`. */
const Message = { type: 'object', properties: { message }, required: ['message'] };

/** Error other than a validation error or a violated rule. */
const Problem = { type: 'object', properties: { message, code }, required: ['message', 'code'] };

/** Lack of a right. */
const LackOfRight = {
  type: 'object',
  properties: {
    message,
    code,
    right: {
      type: ['string', 'null'],
      description: 'Right that the caller lacks; null if another right would not help.',
    },
  },
  required: ['message', 'code', 'right'],
};

/** Violated business rule. */
const BrokenRule = {
  type: 'object',
  properties: { message, code, params },
  required: ['message', 'code', 'params'],
};

const holderOfKey = (noun: string) => ({
  type: ['integer', 'null'],
  description: `Id of the ${noun} that has the \`key\`; null if the other field names the holder.`,
});

/** Conflict, with the holder of the `key` of a sale if that is the conflict. */
const Conflict = {
  type: 'object',
  properties: { message, code, sale_id: holderOfKey('sale'), refused_id: holderOfKey('refused sale') },
  required: ['message', 'code'],
};

/** Error that API Gateway may return instead of the service, then without a code. */
const GatewayProblem = { type: 'object', properties: { message, code }, required: ['message'] };

/** Validation error. */
const Problems = {
  type: 'object',
  properties: {
    message,
    errors: {
      type: 'object',
      description: 'Error messages by dotted path of the field, such as `products.0.quantity`.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    code: { ...code, description: 'First error code of `codes`.' },
    codes: {
      type: 'object',
      description: 'Error codes by field path, parallel to `errors`.',
      additionalProperties: { type: 'array', items: code },
    },
    params: {
      type: 'object',
      description: 'Values of the messages by field path, parallel to `errors` and `codes`.',
      additionalProperties: {
        type: 'array',
        items: { ...params, description: 'Values in the text, by name; `{}` without any.' },
      },
    },
    refused_id: {
      type: 'integer',
      description: 'Id of the refused sale stored for a rejected offline sale; absent if none was stored.',
    },
    holders: {
      type: 'object',
      description: 'Records that hold a unique value, by the path of the field; absent without one.',
      additionalProperties: {
        type: 'object',
        properties: {
          id: { type: 'integer', description: 'Id of the record that holds the value.' },
          is_deleted: { type: 'boolean', description: 'Whether that record is deleted; it can be restored.' },
        },
        required: ['id', 'is_deleted'],
      },
    },
  },
  required: ['message', 'errors', 'code', 'codes', 'params'],
};

/** Schemas of confirmations and errors. */
export const ANSWER_SCHEMAS = {
  Message,
  Problem,
  LackOfRight,
  BrokenRule,
  Conflict,
  GatewayProblem,
  Problems,
  RefusalCode: {
    // A closed list would break clients on a new code.
    description: 'Error code; `/docs/codes` explains each. New codes may be added.',
    anyOf: [{ type: 'string', enum: errorCodes(), [ENUMERATION]: ERROR_CODES }, { type: 'string' }],
  },
};

/** Headers of responses. */
export const headers = {
  RequestId: header('Id of the request, for support.'),
  RetryAfter: header('Seconds to wait before retrying.', { type: 'integer' }),
  Version: header('Version of the record, for `If-Match`.'),
  Tag: header('Tag of the content, for `If-None-Match`.'),
  Vary: header('Request headers that the response depends on.'),
  Replayed: header('`true` if this is the saved response of an earlier request with the same key.'),
  FileName: header('Name of the file.'),
  Location: header('URL of the file, valid for five minutes.', { type: 'string', format: 'uri' }),
};

/** Responses shared by operations. */
export const responses = {
  Confirmation: jsonResponse('Success message.', 'Message', { message: SUCCESS.ru }),
  Elsewhere: {
    description: 'The file is too large for a response: download it from `Location`.',
    headers: { 'X-Request-Id': headerAt('RequestId'), Location: headerAt('Location') },
  },
  Unchanged: {
    description: 'The caller has the content, by the tag in `If-None-Match`.',
    headers: { 'X-Request-Id': headerAt('RequestId'), ETag: headerAt('Tag'), Vary: headerAt('Vary') },
  },
  // Business rules and fields differ between operations: no shared example.
  Refused: jsonResponse('A business rule is violated.', 'BrokenRule'),
  Unauthenticated: errorResponse(
    'The token is missing, malformed, expired or revoked.',
    'auth.unauthenticated',
  ),
  Forbidden: jsonResponse('The kind of user or the role lacks access.', 'LackOfRight', {
    message: translate('ru', { key: 'auth.forbidden' }),
    code: 'auth.forbidden',
    right: 'company.trade.sale.store',
  }),
  Missing: errorResponse('The record does not exist or is not accessible.', 'http.not_found'),
  OtherMethod: errorResponse(
    'The path does not support this method or `_method`.',
    'http.method_not_allowed',
  ),
  Conflict: errorResponse(
    'Concurrent change; or the `Idempotency-Key` belongs to another request or one still running; or the `key` of a sale is taken.',
    'http.conflict',
    'Conflict',
  ),
  CursorEnded: errorResponse(
    'The cursor is no longer valid, for the reason in `code`: start again without one.',
    'sync.begin_again',
  ),
  OtherVersion: errorResponse('The version of the record differs from `If-Match`.', 'http.version_changed'),
  TooLarge: {
    ...jsonResponse(
      'The body is larger than 4.5 MB. Returned by API Gateway, without a code.',
      'GatewayProblem',
    ),
    headers: {},
  },
  OtherMedia: errorResponse('The body is neither JSON nor a form.', 'http.unsupported_media'),
  Invalid: jsonResponse('Fields or parameters are invalid; all of them are listed.', 'Problems'),
  TooMany: retryLater('Too many requests.', 'http.too_many_requests'),
  Failed: errorResponse(
    'Internal error. Report the request id to support.',
    'http.internal',
    'GatewayProblem',
  ),
  Unavailable: retryLater('The service or an upstream system is busy: retry.', 'http.unavailable'),
};

/** Returns a reference to a shared response. */
export function responseAt(name: keyof typeof responses) {
  return { $ref: `#/components/responses/${name}` };
}

/** Returns a reference to a shared header. */
export function headerAt(name: keyof typeof headers) {
  return { $ref: `#/components/headers/${name}` };
}

function header(description: string, schema: object = { type: 'string' }) {
  return { description, schema };
}

function jsonResponse(description: string, schema: keyof typeof ANSWER_SCHEMAS, example?: object) {
  const content = { schema: { $ref: `#/components/schemas/${schema}` }, ...(example && { example }) };
  return {
    description,
    headers: { 'X-Request-Id': headerAt('RequestId') },
    content: { 'application/json': content },
  };
}

function errorResponse(
  description: string,
  key: ErrorCode,
  schema: 'Problem' | 'Conflict' | 'GatewayProblem' = 'Problem',
) {
  return jsonResponse(description, schema, {
    message: translate('ru', { key, with: { seconds: 30 } }),
    code: key,
  });
}

function retryLater(description: string, key: ErrorCode) {
  const response = errorResponse(description, key, 'GatewayProblem');
  return { ...response, headers: { ...response.headers, 'Retry-After': headerAt('RetryAfter') } };
}
