import { LOCALES } from '#lib/values/text.ts';

const message = { type: 'string' };

/** `{message}`: a confirmation, and every refusal except that of wrong fields. */
const Message = { type: 'object', properties: { message }, required: ['message'] };

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
  },
  required: ['message', 'errors'],
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
  schemas: { Message, Problems },
  responses: {
    Confirmation: answerOf('The word for success.', 'Message'),
    Refused: answerOf('A rule of the business forbids it.', 'Message'),
    Unauthenticated: answerOf('The token is missing, malformed, expired or revoked.', 'Message'),
    Forbidden: answerOf('The wrong type of user, or a role without the right.', 'Message'),
    Missing: answerOf('There is no such record for the caller.', 'Message'),
    Conflict: answerOf('The `Idempotency-Key` was used for another call, or that still runs.', 'Message'),
    Invalid: answerOf('Some fields or parameters are wrong: all of them.', 'Problems'),
    TooMany: answerOf('Too many tries; the header `Retry-After` says when to come again.', 'Message'),
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

function answerOf(description: string, schema: 'Message' | 'Problems') {
  const $ref = `#/components/schemas/${schema}`;
  return { description, content: { 'application/json': { schema: { $ref } } } };
}
