import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { POST } from '#functions/company/tariff/pay-card.ts';
import { dynamo } from '#lib/table/client.ts';
import { newSubscriber } from '#tests/support/billing.ts';
import { newEvent } from '#tests/support/event.ts';

/** Card of this file's own, so that any trace of it was left by a payment here. */
const NUMBER = '8600777123987456';
const EXPIRES = '07/2031';

let lines: string[];

beforeEach(() => {
  vi.stubEnv('LOG_LEVEL', 'info');
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});

afterEach(() => void vi.restoreAllMocks());

/** Pays through the function itself, in this process, so that its log is at hand. */
async function pay(token: string, given: object = {}, headers = {}) {
  const json = { amount: 1000, card_number: NUMBER, expire_date: EXPIRES, ...given };
  const [event, context] = newEvent({
    method: 'POST',
    headers: {
      host: 'api.example',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': String(Math.random()),
      ...headers,
    },
    body: JSON.stringify(json),
  });
  event.requestContext.timeEpoch = Date.now();
  const { statusCode, body } = await POST(event, context);
  return { statusCode, body };
}

test('card data are in no answer, no line of the log and nothing that is sent to the table (Contract 6)', async () => {
  const asked = vi.spyOn(dynamo, 'send');
  const { director } = await newSubscriber();
  const replies = [
    await pay(director),
    // The gateway fails, the amount is wrong, the card is wrong, and there are unknown fields.
    await withGateway('http://127.0.0.1:1', () => pay(director)),
    await pay(director, { amount: 0 }),
    await pay(director, { card_number: `${NUMBER}1` }),
    await pay(director, { cvv: NUMBER, expire_date: `${EXPIRES}1` }),
    await pay('no token'),
  ];
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 503, 422, 422, 422, 401]);
  expect(lines.length).toBeGreaterThanOrEqual(replies.length);
  const sent = asked.mock.calls.map(([{ input }]) => JSON.stringify(input));
  // The payment itself, its family's tariff and the saved response are among them.
  expect(sent.filter((input) => input.includes('"TransactItems"')).length).toBeGreaterThan(0);
  const told = [...lines, ...replies.map(({ body }) => body), ...sent].join('\n');
  for (const secret of [NUMBER, NUMBER.slice(-6), EXPIRES]) expect(told).not.toContain(secret);
});

/** Runs work with the gateway at another address. */
async function withGateway<T>(url: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['GATEWAY_URL'];
  vi.stubEnv('GATEWAY_URL', url);
  try {
    return await work();
  } finally {
    vi.stubEnv('GATEWAY_URL', before);
  }
}
