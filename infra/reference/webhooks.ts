import { CopiedType } from '#lib/records/copied-type.ts';
import { TEST } from '#lib/webhooks/delivery/send.ts';
import { EventType } from '#lib/webhooks/event.ts';

/* What the service sends to receivers of webhooks. Part 4, 4.2. */

/** Kinds of events, without those that stand for several. */
const TOLD = EventType.options.filter((type) => !type.endsWith('.*'));

const id = { type: 'integer', description: 'The id of the record.' };
const revision = {
  type: 'integer',
  description: 'It grows with every change of the record: what has less is older.',
};
const company_id = {
  type: ['integer', 'null'],
  description: 'The id of the company; null for what is of the whole family.',
};

const ofRecord = {
  type: 'string',
  enum: CopiedType.options,
  description: 'What kind of record has changed.',
};
const ofTest = { type: 'string', const: 'webhook', description: 'The webhook itself.' };

/** The bodies that receivers get. */
export const EVENTS = {
  WebhookEvent: eventOf({ type: 'string', enum: TOLD, description: 'What has happened, to what.' }, ofRecord),
  WebhookTest: eventOf({ type: 'string', const: TEST, description: 'A test that was asked for.' }, ofTest),
};

function eventOf(type: object, kind: object) {
  const timestamp = { type: 'string', format: 'date-time', description: 'When it happened, in UTC.' };
  const data = {
    type: 'object',
    description: 'Which record it is: read it, as it is now.',
    properties: { type: kind, id, revision, company_id },
    required: ['type', 'id', 'revision', 'company_id'],
  };
  return { type: 'object', properties: { type, timestamp, data }, required: ['type', 'timestamp', 'data'] };
}

const HEADERS = {
  'webhook-id': 'The same at every try of a delivery: what comes twice is ignored by it.',
  'webhook-timestamp': 'When it was sent, in seconds since 1970.',
  'webhook-signature': 'Signatures by Standard Webhooks: `v1,` and base64, two while a secret is rotated.',
};

/** The calls that receivers get. */
export const WEBHOOKS = {
  changed: webhook('changed', 'WebhookEvent', 'A record was made, changed, deleted or restored.'),
  test: webhook('test', 'WebhookTest', 'A test, by `POST /company/webhook/{model}/test`.'),
};

function webhook(name: string, schema: keyof typeof EVENTS, description: string) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
  return {
    post: {
      operationId: `webhook.${name}`,
      summary: description,
      description: `${description} [How to receive it](/docs/webhooks).`,
      tags: ['company webhook'],
      security: [],
      parameters: Object.entries(HEADERS).map(([header, told]) => ({
        name: header,
        in: 'header',
        required: true,
        description: told,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content },
      responses: {
        '2XX': { description: 'It is kept: it does not come again.' },
        410: { description: 'Nothing more is to come: the webhook is disabled.' },
      },
    },
  };
}
