import { expect, test } from 'vitest';
import { identify } from '#lib/auth/identify.ts';
import { programKeyUseKey, readProgramKey } from '#lib/auth/keys/program.ts';
import { getItem } from '#lib/table/read/get.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { renderInstant } from '#lib/values/time.ts';
import { newFamily } from '#tests/support/family.ts';
import { newProgramKey } from '#tests/support/program-keys.ts';

const MINUTE = 60_000;
const PATH = '/company/product/brand';

test('a program is known in two round trips, as a user of its role', async () => {
  const family = await newFamily();
  const { id, key } = await newProgramKey(family, ['company.product.brand.index']);
  const at = Date.now();
  await readProgramKey(key, PATH, at);
  await expect.poll(() => getItem(programKeyUseKey(id))).toBeDefined();
  const meter = newMeter();
  const actor = await runInContext({ meter }, async () => identify(await readProgramKey(key, PATH, at), at));
  expect(roundTripsOf(meter)).toBe(2);
  expect(actor).toMatchObject({
    id,
    type: 'key',
    companyId: family.companyId,
    companies: [family.companyId],
    rights: ['company.product.brand.index', 'company.cost.show'],
    canDiscount: false,
  });
});

test('a key is good until its last second', async () => {
  const ends = Math.ceil(Date.now() / 1000) * 1000 + 60 * MINUTE;
  const { key } = await newProgramKey(await newFamily(), [], { expires_at: renderInstant(ends) });
  await expect(readProgramKey(key, PATH, ends - 1)).resolves.toMatchObject({ session: 1 });
  await expect(readProgramKey(key, PATH, ends)).rejects.toMatchObject({ status: 401 });
});

test('its use is noted at most once an hour, and without one no call writes', async () => {
  const { id, key } = await newProgramKey(await newFamily(), []);
  const began = Date.now();
  const noted = () => getItem(programKeyUseKey(id)).then((use) => use?.['at']);
  await readProgramKey(key, PATH, began);
  await expect.poll(noted).toBe(began);
  const meter = newMeter();
  await runInContext({ meter }, () => readProgramKey(key, PATH, began + 59 * MINUTE));
  expect(meter.calls).toHaveLength(1);
  await readProgramKey(key, PATH, began + 61 * MINUTE);
  await expect.poll(noted).toBe(began + 61 * MINUTE);
});

test('a call that is refused notes no use', async () => {
  const { id, key } = await newProgramKey(await newFamily(), []);
  const refused = readProgramKey(key, '/common/user/profile', Date.now());
  await expect(refused).rejects.toMatchObject({ status: 403 });
  await expect(readProgramKey(`${key}x`, PATH, Date.now())).rejects.toMatchObject({ status: 401 });
  expect(await getItem(programKeyUseKey(id))).toBeUndefined();
});
