import { REFUSAL_CODES } from '#lib/values/messages/codes.ts';
import { LOCALES } from '#lib/values/text.ts';

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
      description: 'By dotted path of the field, as `products.0.quantity`.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    code: { ...code, description: 'The first of `codes`.' },
    codes: {
      type: 'object',
      description: 'By the paths of `errors`, with a code for each text.',
      additionalProperties: { type: 'array', items: code },
    },
  },
  required: ['message', 'errors', 'code', 'codes'],
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
      schema: { type: 'string' },
    },
  },
  schemas: { Message, Problem, Problems, RefusalCode: { type: 'string', enum: [...REFUSAL_CODES] } },
  responses: {
    Confirmation: answerOf('The word for success.', 'Message'),
    Refused: answerOf('A rule of the business forbids it.', 'Problem'),
    Unauthenticated: answerOf('The token is missing, malformed, expired or revoked.', 'Problem'),
    Forbidden: answerOf('The wrong type of user, or a role without the right.', 'Problem'),
    Missing: answerOf('There is no such record for the caller.', 'Problem'),
    Conflict: answerOf('The `Idempotency-Key` was used for another call, or that still runs.', 'Problem'),
    Invalid: answerOf('Some fields or parameters are wrong: all of them.', 'Problems'),
    TooMany: answerOf('Too many tries; the header `Retry-After` says when to come again.', 'Problem'),
  },
} as const;

/** Points to a shared response. */
export function responseAt(name: keyof typeof SHARED.responses) {
  return { $ref: `#/components/responses/${name}` };
}

/** Points to a shared parameter. */
export function parameterAt(name: keyof typeof SHARED.parameters) {
  return { $ref: `#/components/parameters/${name}` };
}

function answerOf(description: string, schema: 'Message' | 'Problem' | 'Problems') {
  const $ref = `#/components/schemas/${schema}`;
  return { description, content: { 'application/json': { schema: { $ref } } } };
}
