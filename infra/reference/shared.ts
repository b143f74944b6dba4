import { REFUSAL_CODES } from '#lib/values/messages/codes.ts';
import type { RefusalCode } from '#lib/values/messages/ru.ts';
import { say } from '#lib/values/messages/say.ts';
import { LOCALES, SUCCESS } from '#lib/values/text.ts';

const message = { type: 'string', description: 'A text for people, in the language of the call.' };

const code = {
  description: 'For programs. `/docs/codes` lists all codes; new ones may come.',
  $ref: '#/components/schemas/RefusalCode',
};

/** `{message}`: a confirmation. */
const Message = { type: 'object', properties: { message }, required: ['message'] };

/** A refusal, except that of wrong fields. */
const Problem = { type: 'object', properties: { message, code }, required: ['message', 'code'] };

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

const headers = {
  RequestId: header('The id of the request, for the support.'),
  RetryAfter: header('After how many seconds to come again.', { type: 'integer' }),
  Version: header('The version of the record, for `If-Match`.'),
  Replayed: header('`true` if this answer was given to an earlier call with the same key.'),
  FileName: header('The name of the file.'),
  Location: header('Where the file is, for five minutes.', { type: 'string', format: 'uri' }),
};

const later = { 'Retry-After': headerAt('RetryAfter') };

const responses = {
  Confirmation: {
    description: 'The word for success.',
    headers: { 'X-Request-Id': headerAt('RequestId') },
    content: { 'application/json': { schema: schemaAt('Message'), example: { message: SUCCESS.ru } } },
  },
  Elsewhere: {
    description: 'The file is too large for an answer: it is at `Location`.',
    headers: { 'X-Request-Id': headerAt('RequestId'), Location: headerAt('Location') },
  },
  Refused: refusal('A rule of the business forbids it.', 'stock.being_counted'),
  Unauthenticated: refusal('The token is missing, malformed, expired or revoked.', 'auth.unauthenticated'),
  Forbidden: refusal('The wrong type of user, or a role without the right.', 'auth.forbidden'),
  Missing: refusal('There is no such record for the caller.', 'http.not_found'),
  OtherMethod: refusal(
    'The path is not served by this method, or `_method` names another.',
    'http.method_not_allowed',
  ),
  Conflict: refusal(
    'Others were faster; or the `Idempotency-Key` was used for another call, or that still runs.',
    'http.conflict',
  ),
  OtherVersion: refusal('The record is not in the version that `If-Match` names.', 'http.version_changed'),
  TooLarge: {
    description: 'The body is larger than 4.5 MB. The gateway says so before we do: without a code.',
    content: {
      'application/json': { schema: schemaAt('Message'), example: { message: 'Request Entity Too Large' } },
    },
  },
  OtherMedia: refusal('The body is neither JSON nor a form.', 'http.unsupported_media'),
  Invalid: {
    description: 'Some fields or parameters are wrong: all of them.',
    headers: { 'X-Request-Id': headerAt('RequestId') },
    content: {
      'application/json': {
        schema: schemaAt('Problems'),
        example: {
          message: say('ru', { key: 'validation.unknown' }),
          errors: { page_size: [say('ru', { key: 'validation.unknown' })] },
          code: 'validation.unknown',
          codes: { page_size: ['validation.unknown'] },
        },
      },
    },
  },
  TooMany: refusal('Too many tries.', 'http.too_many_requests', later),
  Failed: refusal('A defect. Tell the support the id of the request.', 'http.internal'),
  Unavailable: refusal('Busy, or a system behind is: try again.', 'http.unavailable', later),
};

/** Parts that operations share, beside the schemas of records. */
export const SHARED = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'From `/common/auth/login`.',
    },
    systemKey: {
      type: 'apiKey',
      in: 'header',
      name: 'External-System-Secret-Key',
      description: 'The key of another system, from `/admin/system/external-key`.',
    },
    signature: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Signature',
      description: 'Of the payment gateway: hex HMAC-SHA256 of the raw body.',
    },
  },
  parameters: {
    Language: {
      name: 'Accept-Language',
      in: 'header',
      description:
        'The language of messages and names: Russian, Uzbek in Cyrillic script, Uzbek in Latin script.',
      schema: { type: 'string', enum: [...LOCALES], default: 'ru' },
    },
    Idempotency: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'A repetition of the call within 24 hours gets the first answer and changes nothing. If the first still runs: 409.',
      schema: { type: 'string', maxLength: 255 },
    },
    Version: {
      name: 'If-Match',
      in: 'header',
      description: 'The `ETag` that a GET of the record answered: 412 if it has changed since.',
      schema: { type: 'string' },
    },
    CompanyPrimary: companyHeader('Company-Primary-Uuid', '`primary_uuid`'),
    CompanySync: companyHeader('Company-Sync-Uuid', '`sync_uuid`'),
    CompanyPartner: companyHeader('Company-Partner-Uuid', '`partner_uuid`, with the key of a partner'),
  },
  headers,
  schemas: {
    Message,
    Problem,
    Problems,
    RefusalCode: {
      type: 'string',
      description: 'A code of a refusal; `/docs/codes` says what each means.',
      enum: [...REFUSAL_CODES],
    },
  },
  responses,
} as const;

/** Gives a shared response itself. */
export function sharedResponse(name: keyof typeof responses) {
  return responses[name];
}

/** Points to a shared response. */
export function responseAt(name: keyof typeof responses) {
  return { $ref: `#/components/responses/${name}` };
}

/** Points to a shared parameter. */
export function parameterAt(name: keyof typeof SHARED.parameters) {
  return { $ref: `#/components/parameters/${name}` };
}

/** Points to a shared header. */
export function headerAt(name: keyof typeof headers) {
  return { $ref: `#/components/headers/${name}` };
}

function header(description: string, schema: object = { type: 'string' }) {
  return { description, schema };
}

function companyHeader(name: string, what: string) {
  return {
    name,
    in: 'header',
    description: `The company on whose behalf the call runs, by its ${what}. One of the three is sent.`,
    schema: { type: 'string', format: 'uuid' },
  };
}

function schemaAt(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function refusal(description: string, key: RefusalCode, further: object = {}) {
  return {
    description,
    headers: { 'X-Request-Id': headerAt('RequestId'), ...further },
    content: {
      'application/json': {
        schema: schemaAt('Problem'),
        example: { message: say('ru', { key, with: { seconds: 30 } }), code: key },
      },
    },
  };
}
