import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchToken, type Person, type Reply, replyOf, sendTo, signInAs } from '#bin/cli/person.ts';
import { type ServiceProcess, startProcess } from '#bin/local/process.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { runProgram } from '#tests/support/program.ts';
import { startReceiver } from '#tests/support/receiver.ts';

/* Workers that follow the clock of the local run, as calls do: this file has its own clock and service. */

let service: ServiceProcess;

beforeAll(async () => {
  service = await startProcess({ WITHOUT_STREAM: '' }, { clock: '2030-12-01T10:00' });
});

afterAll(() => service.stop());

test('the local run takes another clock, which tokens, limits and repetitions follow (Contract 9.59, 9.76)', async () => {
  const { address } = service;
  const token = await fetchToken(address, 'director');
  const sell = async () => {
    const sent = { token, json: WATER, headers: { 'idempotency-key': 'till-3-1' } };
    const reply = await replyOf(await sendTo(address, 'POST /company/trade/sale', sent));
    return { ...Object(reply.body), replayed: reply.headers.get('idempotent-replayed') };
  };
  expect(await sell()).toMatchObject({ id: 1, created_at: expect.stringMatching(/^2030-12-01 10:0/) });
  expect(await sell()).toMatchObject({ id: 1, replayed: 'true' });

  expect(await setClock('2030-12-02T10:30')).toEqual({ now: '2030-12-02T10:30' });
  expect(await sell()).toMatchObject({ id: 2, replayed: null });
  for (const _ of Array.from({ length: 5 })) expect(await failToSignIn()).toBe(422);
  expect(await failToSignIn()).toBe(429);
  await setClock('2030-12-02T10:32');
  expect(await failToSignIn()).toBe(422);
  expect((await askForForm(token)).status).toBe(200);

  await setClock('2031-01-15T09:00');
  expect((await askForForm(token)).status).toBe(401);
  const signed = await (await askForForm(await fetchToken(address, 'director'))).json();
  // The upload policy is dated by the machine's clock.
  const policy = JSON.parse(Buffer.from(Object(signed).fields.Policy, 'base64').toString());
  expect(Math.abs(Date.parse(policy.expiration) - Date.now())).toBeLessThan(7_200_000);

  expect(await setClock('2031-02-30T09:00')).toHaveProperty('errors.now');
  const { now } = Object(await setClock(null));
  expect(Math.abs(Date.parse(`${now}:00+05:00`) - Date.now())).toBeLessThan(120_000);
  expect(await failToSignIn()).toBe(422);
});

const WATER = {
  ...{ cashbox_id: 3, stock_id: 1, currency: 'uzs' },
  products: [{ product_id: 1, sold_quantity: 2 }],
  transactions: [{ payment_type: 'cash', amount: 8000 }],
};

async function setClock(now: string | null): Promise<unknown> {
  return (await sendTo(service.address, 'PUT /_local/clock', { json: { now } })).json();
}

async function failToSignIn(): Promise<number> {
  const json = { username: 'cashier', password: 'wrong' };
  return (await sendTo(service.address, 'POST /common/auth/login', { json })).status;
}

function askForForm(token: string): Promise<Response> {
  return sendTo(service.address, 'POST /common/public/upload-form', { token, json: { type: 'image/png' } });
}

/** Counts the entries of a family's tariff without reading the tariff, which would charge it. */
async function entriesOf(familyId: number): Promise<string | undefined> {
  const { settings } = service;
  const args = ['--family', String(familyId), '--table', settings['TABLE_NAME'] ?? ''];
  const { code, stdout } = await runProgram('verify', args, settings);
  expect(code).toBe(0);
  expect(stdout).toContain('everything adds up');
  return /(\d+) tariff entries/.exec(stdout)?.[1];
}

test('when the clock of the local run passes midnight, what is due is charged (Contract 9.55)', async () => {
  const { address } = service;
  const admin = await signInAs(address, 'admin');
  const company = await admin.make('/admin/company/company', { name: 'Clock' });
  const terms = { billing_period: 'monthly', trial_ends_at: null, grace_days: 3 };
  const set = { ...terms, prices: { main: 1000, branch: 0 } };
  await admin.call(`PUT /admin/billing/tariff/${company}`, set);
  expect(await entriesOf(company)).toBe('1');
  const inTwoMonths = new Date(Date.now() + 63 * 86_400_000).toISOString().slice(0, 10);
  await setClock(`${inTwoMonths}T09:00`);
  await vi.waitFor(async () => expect(await entriesOf(company)).toBe('3'), {
    timeout: MAX_WAIT_MS,
    interval: 500,
  });
});

/** Maximum time from a commit to a receiver, on a busy machine. */
const SOON = { timeout: MAX_WAIT_MS, interval: 100 };

/** Starts a receiver of a director's events; `PUT /_local/clock` sets the time of both. */
async function newScene() {
  const { address } = service;
  const receiver = await startReceiver();
  let made = 0;
  const makeBrand = (director: Person) => {
    made += 1;
    return director.call('POST /company/product/brand', { name: `Brand ${made}`, image_old_keys: '[]' });
  };
  await untilFollowed(await signInAs(address, 'director'), makeBrand);
  return {
    receiver,
    makeBrand,
    enterAt: async (now: string) => {
      expect(await setClock(now)).toEqual({ now });
      return signInAs(address, 'director');
    },
  };
}

/**
 * Waits until the stream is consumed up to now, so that the service's initial changes are not taken for the
 * test's.
 */
async function untilFollowed(director: Person, makeBrand: (director: Person) => Promise<Reply>) {
  const id = (await makeBrand(director)).number('id');
  const isTold = async () => {
    const reply = await director.call('GET /company/user/activity?filter[type]=product.brand');
    return reply.rows().some((row) => row.number('record_id') === id);
  };
  await expect.poll(isTold, SOON).toBe(true);
}

async function statusesOf(director: Person, id: number): Promise<string[]> {
  const reply = await director.call(`GET /company/webhook/${id}/deliveries`);
  return reply.rows().map((row) => row.text('status'));
}

test('first tries, retries and keeping follow the clock of the local run (Part 4, 4.2 (5))', async () => {
  const { receiver, enterAt, makeBrand } = await newScene();
  const past = await enterAt('2024-03-01T10:00');
  const added = await past.call('POST /company/webhook', { url: receiver.url, types: ['product.brand.*'] });
  const id = added.number('id');

  receiver.answerBy((response) => void response.writeHead(500).end());
  await makeBrand(past);
  await expect.poll(() => receiver.got.length, SOON).toBe(2);
  expect(receiver.got[0]?.body.timestamp).toMatch(/^2024-03-01T05:00/);
  await expect
    .poll(async () => (await past.call(`GET /company/webhook/${id}/deliveries`)).rows()[0]?.body, SOON)
    .toMatchObject({ attempts: [{}, {}], next_attempt_at: expect.stringMatching(/^2024-03-01 10:05/) });
  receiver.answerBy((response) => void response.end());
  const later = await enterAt('2024-03-01T10:20');
  await expect.poll(() => statusesOf(later, id), SOON).toEqual(['delivered']);
  expect(receiver.got).toHaveLength(3);

  expect(await statusesOf(await enterAt('2024-03-04T10:00'), id)).toEqual(['delivered']);
  expect(await statusesOf(await enterAt('2024-03-04T11:00'), id)).toEqual([]);

  const future = await enterAt('2031-03-01T10:00');
  await makeBrand(future);
  await expect.poll(() => statusesOf(future, id), SOON).toEqual(['delivered']);
  expect(receiver.got.at(-1)?.body.timestamp).toMatch(/^2031-03-01T05:00/);
});
