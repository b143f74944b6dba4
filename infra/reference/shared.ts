import { LOCALES } from '#lib/values/text.ts';
import { ANSWER_SCHEMAS, headers, responses } from './responses.ts';

/** Parts that operations share, beside the schemas of records. */
export const SHARED = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'From `/common/auth/login`.',
    },
    programKey: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'rk_…',
      description: "The key of a company's own program, from `/company/user/key`. Under `/company/` only.",
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
        'The language of messages and names, as browsers send it: `ru`, Russian; `uz`, Uzbek in Cyrillic ' +
        'script; `oz`, Uzbek in Latin script. Any other is Russian.',
      schema: { type: 'string', examples: [...LOCALES], default: 'ru' },
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
  schemas: ANSWER_SCHEMAS,
  responses,
} as const;

/** Points to a shared parameter. */
export function parameterAt(name: keyof typeof SHARED.parameters) {
  return { $ref: `#/components/parameters/${name}` };
}

function companyHeader(name: string, what: string) {
  return {
    name,
    in: 'header',
    description: `The company on whose behalf the call runs, by its ${what}. One of the three is sent.`,
    schema: { type: 'string', format: 'uuid' },
  };
}
