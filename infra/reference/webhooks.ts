import type { Route } from '#infra/routes.ts';
import { jsonSchemaOf } from './schemas.ts';

/* What the service sends to receivers of webhooks. Part 4, 4.2. */

/** A test tells of the webhook itself. */
const TEST = { event: 'webhook.test', type: 'webhook' };

const id = { type: 'integer', description: 'The id of the record.' };
const revision = {
  type: 'integer',
  description: 'It grows with every change of the record: what has less is older.',
};
const company_id = {
  type: ['integer', 'null'],
  description: 'The id of the company; null for what is of the whole family.',
};

/** Describes the bodies that receivers get: of what may be asked for, but kinds that stand for several. */
export function eventsOf(routes: readonly Route[]) {
  const events = eventsAskedFor(routes).filter((event) => !event.endsWith('.*'));
  const types = [...new Set(events.map((event) => event.slice(0, event.lastIndexOf('.'))))];
  return {
    WebhookEvent: eventOf(
      { type: 'string', enum: events, description: 'What has happened, to what.' },
      { type: 'string', enum: types, description: 'What kind of record has changed.' },
    ),
    WebhookTest: eventOf(
      { type: 'string', const: TEST.event, description: 'A test that was asked for.' },
      { type: 'string', const: TEST.type, description: 'The webhook itself.' },
    ),
  };
}

/** Lists the kinds of events that a webhook may ask for. */
function eventsAskedFor(routes: readonly Route[]): string[] {
  const { body } = routes.find(({ path }) => path === '/company/webhook')?.endpoints.POST?.metadata ?? {};
  const types = body && jsonSchemaOf(body, 'body').properties?.['types'];
  const items = typeof types === 'object' && !Array.isArray(types.items) ? types.items : undefined;
  return typeof items === 'object' ? (items.enum ?? []).map(String) : [];
}

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

/** Calls to receivers. */
export const WEBHOOKS = {
  changed: webhook('changed', 'WebhookEvent', 'A record was made, changed, deleted or restored.'),
  test: webhook('test', 'WebhookTest', 'A test, by `POST /company/webhook/{model}/test`.'),
};

function webhook(name: string, schema: keyof ReturnType<typeof eventsOf>, description: string) {
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
