import type { Route } from '#infra/routes.ts';
import { ENUMERATION, EVENTS, NOUNS } from '#lib/values/enumeration.ts';
import { jsonSchemaOf } from './schemas.ts';

/* Requests that the service sends to receivers of webhooks. Part 4, 4.2. */

/** Test event, whose record is the webhook itself. */
const TEST = { event: 'webhook.test', type: 'webhook' };

const id = { type: 'integer', description: 'Id of the record.' };
const revision = {
  type: 'integer',
  description: 'Version of the record: grows with every change. An event with a lower one is outdated.',
};
const company_id = {
  type: ['integer', 'null'],
  description: 'Id of the company of the record; null for a record of the whole family.',
};

/** Describes the request bodies of all event types except wildcards. */
export function eventsOf(routes: readonly Route[]) {
  const events = singleEvents(routes);
  const types = [...new Set(events.map((event) => event.slice(0, event.lastIndexOf('.'))))];
  return {
    WebhookEvent: eventOf(
      { ...enumOf(events, EVENTS), description: 'Event type: type of the record and kind of change.' },
      { ...enumOf(types, NOUNS), description: 'Type of the changed record.' },
    ),
    WebhookTest: eventOf(
      { type: 'string', const: TEST.event, description: 'Event type of a test.' },
      { type: 'string', const: TEST.type, description: 'Type of the record: the webhook itself.' },
    ),
  };
}

function enumOf(values: readonly string[], list: string) {
  return { type: 'string', enum: values, [ENUMERATION]: list };
}

/** Lists the event types that a webhook can subscribe to. */
function eventTypes(routes: readonly Route[]): string[] {
  const { body } = routes.find(({ path }) => path === '/company/webhook')?.endpoints.POST?.metadata ?? {};
  const types = body && jsonSchemaOf(body, 'body').properties?.['types'];
  const items = typeof types === 'object' && !Array.isArray(types.items) ? types.items : undefined;
  return typeof items === 'object' ? (items.enum ?? []).map(String) : [];
}

function eventOf(type: object, kind: object) {
  const timestamp = { type: 'string', format: 'date-time', description: 'Time of the event, in UTC.' };
  const data = {
    type: 'object',
    description: 'Changed record: read it for its current state.',
    properties: { type: kind, id, revision, company_id },
    required: ['type', 'id', 'revision', 'company_id'],
  };
  return { type: 'object', properties: { type, timestamp, data }, required: ['type', 'timestamp', 'data'] };
}

const HEADERS = {
  'webhook-id': 'Id of the delivery, the same in all attempts: use it to ignore duplicates.',
  'webhook-timestamp': 'Time of sending, in seconds since 1970 (UTC).',
  'webhook-signature':
    'Signature by Standard Webhooks: `v1,` and base64; two during the rotation of a secret.',
};

/** Describes the requests to receivers: one for each event type, and the test. Part 5, 5B.13, 2. */
export function webhooksOf(routes: readonly Route[]) {
  const events = singleEvents(routes).map((event): [string, object] => [
    event,
    webhook(event, 'WebhookEvent', `${summaryOf(event)}.`),
  ]);
  const test = webhook(
    'test',
    'WebhookTest',
    'Test event requested by `POST /company/webhook/{model}/test`.',
  );
  return { ...Object.fromEntries(events), test };
}

/** Lists the event types that are no wildcards. */
function singleEvents(routes: readonly Route[]): string[] {
  return eventTypes(routes).filter((event) => !event.endsWith('.*'));
}

/** Summarizes an event: `trade.sale.created` is "A record of `trade.sale` was created". */
function summaryOf(event: string): string {
  const end = event.lastIndexOf('.');
  return `A record of \`${event.slice(0, end)}\` was ${event.slice(end + 1)}`;
}

function webhook(name: string, schema: keyof ReturnType<typeof eventsOf>, description: string) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
  return {
    post: {
      operationId: `webhook.${name}`,
      summary: description,
      description: `${description} [Receiver guide](/docs/webhooks).`,
      tags: ['company webhook'],
      security: [],
      parameters: Object.entries(HEADERS).map(([header, text]) => ({
        name: header,
        in: 'header',
        required: true,
        description: text,
        schema: { type: 'string' },
      })),
      requestBody: { required: true, content },
      responses: {
        '2XX': { description: 'Accepted: the delivery is not repeated.' },
        410: { description: 'Disables the webhook: no further events are sent.' },
      },
    },
  };
}
