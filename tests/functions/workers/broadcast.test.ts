import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeAll, expect, test, vi } from 'vitest';
import { maker } from '#bin/local/maker.ts';
import { handler } from '#functions/workers/broadcast.ts';
import { deliver, saveBroadcast } from '#lib/people/broadcast.ts';
import * as notifications from '#lib/people/notification.ts';
import { dynamo } from '#lib/table/client.ts';
import { recordKey, userTenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { directorAs, newCompany } from '#tests/support/family.ts';
import { newMessage } from '#tests/support/message.ts';
import { insertUser } from '#tests/support/users.ts';

/** State of a worker: after `left` more calls to DynamoDB every call fails. */
const life = new AsyncLocalStorage<{ left: number }>();

dynamo.middlewareStack.add(
  (next) => (args) => {
    const current = life.getStore();
    if (current && current.left-- <= 0) throw new Error('The worker is cut off');
    return next(args);
  },
  { step: 'initialize', priority: 'high' },
);

const SIZE = 250;

let companyId: number;
let outsider: number;
let recipients: number[];

beforeAll(async () => {
  [companyId, { id: outsider }] = await Promise.all([
    newCompany(null),
    insertUser({ type: 'partner', partner_id: 1 }),
  ]);
  const person = { birth_date: null, gender: null, first_name: null, last_name: null, full_name: 'Test' };
  const place = { company_id: companyId, family_id: companyId };
  // Records too large for a single read.
  const large = { ...place, person: { ...person, position: 'x'.repeat(10_000) } };
  const made = Array.from({ length: SIZE }, () => insertUser({ type: 'employee', ...large }));
  // The worker goes by ids.
  recipients = (await Promise.all(made)).map(({ id }) => id).sort((a, b) => a - b);
});

// Failures are the subject here.
vi.stubEnv('LOG_LEVEL', 'silent');

/** Creates a broadcast whose message has not been sent: the running service's worker would be faster. */
function newBroadcast() {
  const user_query = `filter[company_id]=${companyId}`;
  return saveBroadcast(maker, { user_query, type: 'message', text: 'Hello' }, Date.now());
}

/** Sends the worker a message; returns whether it was fully processed. */
async function work(message: object): Promise<boolean> {
  const { batchItemFailures } = await handler(...newMessage(message));
  expect(batchItemFailures).toEqual(batchItemFailures.length === 0 ? [] : [{ itemIdentifier: '1' }]);
  return batchItemFailures.length === 0;
}

async function told(id: number) {
  const keys = [...recipients, outsider].map((user) => recordKey('notification', userTenant(user), id));
  const items = await getItems(keys);
  return items.filter((item) => item !== undefined);
}

async function expectAllTold({ id }: { id: number }): Promise<void> {
  const items = await told(id);
  expect(items).toHaveLength(SIZE);
  expect(items.map(({ pk }) => pk)).not.toContain(`notification#${userTenant(outsider)}`);
}

test('a message that comes twice tells everyone once, and a seen notification stays seen', async () => {
  const message = await newBroadcast();
  expect(await work(message)).toBe(true);
  await expectAllTold(message);
  const reader = directorAs(recipients[0] ?? 0, companyId);
  await notifications.markAllSeen(reader);
  expect(await work(message)).toBe(true);
  await expectAllTold(message);
  expect((await told(message.id)).filter(({ is_seen: isSeen }) => isSeen)).toHaveLength(1);
});

test('a message at two workers at the same moment tells everyone once', async () => {
  const message = await newBroadcast();
  const done = await Promise.all([work(message), work(message), work(message)]);
  expect(done).toContain(true);
  await expectAllTold(message);
});

test('a broadcast cut off after any of its calls goes on when the message comes again, and repeats nothing', async () => {
  const partial: number[] = [];
  let calls = 0;
  for (let done = false; !done; calls++) {
    const message = await newBroadcast();
    done = await life.run({ left: calls }, () => work(message));
    const before = await told(message.id);
    partial.push(before.length);
    await Promise.all(
      recipients.slice(0, 3).map((id) => notifications.markAllSeen(directorAs(id, companyId))),
    );
    expect(await work(message)).toBe(true);
    await expectAllTold(message);
    const seen = (await told(message.id)).filter(({ is_seen: isSeen }) => isSeen);
    expect(seen).toHaveLength(Math.min(3, before.length));
  }
  expect(new Set(partial).size).toBeGreaterThan(3);
  expect(partial.at(-1)).toBe(SIZE);
});

test('when its time is up another message does the rest, and one that comes twice does no harm', async () => {
  const { id } = await newBroadcast();
  let messages = 1;
  while (await deliver(id, () => true)) {
    messages += 1;
    if (messages === 3) await deliver(id, () => true);
  }
  expect(messages).toBeGreaterThan(2);
  await expectAllTold({ id });
});

test.each([{ id: 999_999_999 }, { id: 'x' }, {}])('%j fails, for the dead-letter queue', async (message) => {
  expect(await work(message)).toBe(false);
});
