import { LOCALES } from '#lib/values/text.ts';
import { ANSWER_SCHEMAS, headers, responses } from './responses.ts';

/** Components shared by operations, except the schemas of records. */
export const SHARED = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Token from `/common/auth/login`.',
    },
    programKey: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'rk_…',
      description:
        'API key of a company, from `/company/user/key`. Accepted under `/company/`, and by `/common/public/enums`.',
    },
    systemKey: {
      type: 'apiKey',
      in: 'header',
      name: 'External-System-Secret-Key',
      description: 'Key of an external system, from `/admin/system/external-key`.',
    },
    signature: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Signature',
      description: 'Signature of the payment gateway: hex HMAC-SHA256 of the raw body.',
    },
  },
  parameters: {
    Language: {
      name: 'Accept-Language',
      in: 'header',
      description:
        'Language of messages and names, in the syntax of browsers: `ru`, Russian; `uz`, Uzbek in Cyrillic ' +
        'script; `oz`, Uzbek in Latin script. Other languages fall back to Russian.',
      schema: { type: 'string', examples: [...LOCALES], default: 'ru' },
    },
    Idempotency: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Repeating the request within 24 hours returns the first response and changes nothing; 409 while the first still runs.',
      schema: { type: 'string', maxLength: 255 },
    },
    Version: {
      name: 'If-Match',
      in: 'header',
      description: '`ETag` from a GET of the record: 412 if the record has changed since.',
      schema: { type: 'string' },
    },
    Tag: {
      name: 'If-None-Match',
      in: 'header',
      description: '`ETag` of the content that the caller has: 304 if it is the same.',
      schema: { type: 'string' },
    },
    CompanyPrimary: companyHeader('Company-Primary-Uuid', '`primary_uuid`'),
    CompanySync: companyHeader('Company-Sync-Uuid', '`sync_uuid`'),
    CompanyPartner: companyHeader('Company-Partner-Uuid', '`partner_uuid`, for the key of a partner'),
  },
  headers,
  schemas: ANSWER_SCHEMAS,
  responses,
} as const;

/** Returns a reference to a shared parameter. */
export function parameterAt(name: keyof typeof SHARED.parameters) {
  return { $ref: `#/components/parameters/${name}` };
}

function companyHeader(name: string, field: string) {
  return {
    name,
    in: 'header',
    description: `Company of the request, by its ${field}. Exactly one of the three headers is required.`,
    schema: { type: 'string', format: 'uuid' },
  };
}
