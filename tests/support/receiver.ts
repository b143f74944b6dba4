import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { listen } from '#bin/cli/listen.ts';
import { call } from './http.ts';

const Delivery = z.object({
  id: z.int(),
  webhook_id: z.int(),
  type: z.string(),
  record_id: z.int(),
  revision: z.int().nullable(),
  status: z.string(),
  attempts: z.array(z.object({ status_code: z.int().nullable(), answer: z.string().nullable() })),
  next_attempt_at: z.string().nullable(),
});

const Body = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.object({
    type: z.string(),
    id: z.int(),
    revision: z.int(),
    company_id: z.int().nullable(),
  }),
});

const Rows = z.object({ data: z.array(Delivery) });

/** A message that a receiver got. */
export interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: z.output<typeof Body>;
}

type Reply = (response: ServerResponse, got: Got) => void;

/** Starts a receiver of webhooks on this machine, for one test. */
export async function startReceiver(reply: Reply = (response) => void response.end()) {
  const got: Got[] = [];
  let answer = reply;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const message = { headers: request.headers, text: body, body: Body.parse(JSON.parse(body)) };
      got.push(message);
      answer(response, message);
    });
  });
  const { address, stop } = await listen(server);
  onTestFinished(stop);
  return {
    url: `${address}/hook`,
    got,
    /** Has it answer otherwise from now on. */
    answerBy: (next: Reply) => {
      answer = next;
    },
  };
}

/** Adds a webhook, and gives its id and its secret. */
export async function addWebhook(token: string, url: string, types: readonly string[] = ['product.brand.*']) {
  const reply = await call('POST /company/webhook', { token, json: { url, types } });
  expect(reply).toMatchObject({ status: 200 });
  return { id: reply.number('id'), secret: reply.text('secret') };
}

/** Verifies a message as receivers do. */
export function verify(secret: unknown, { text: body, headers }: Got): unknown {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return new Webhook(String(secret)).verify(body, given);
}

/** Lists the deliveries of a webhook, as the API shows them. */
export async function deliveriesOf(token: string, id: number, query = '') {
  const reply = await call(`GET /company/webhook/${id}/deliveries${query}`, { token });
  expect(reply.status).toBe(200);
  return Rows.parse(reply.body).data;
}
