import { expect, test } from 'vitest';
import { identifySystem, lastUseKey } from '#lib/access/keys/external-system.ts';
import { inScope, newMeter, roundTripsOf } from '#lib/table/call-scope.ts';
import { getItem } from '#lib/table/read/get.ts';
import { newKey, uuidsOf } from '#tests/kit/external.ts';
import { newFamilyWithBranch } from '#tests/kit/family.ts';

const MINUTE = 60_000;

async function newSystem() {
  const { companyId, branch } = await newFamilyWithBranch();
  const { id, key } = await newKey({ name: 'Bank', kind: 'external', company_ids: [companyId, branch] });
  const headersOf = async (company: number) => ({
    'external-system-secret-key': key,
    'company-sync-uuid': (await uuidsOf(company)).sync_uuid,
  });
  return { id, companyId, branch, main: await headersOf(companyId), ofBranch: await headersOf(branch) };
}

test('the system acts as director of the company that it names, and the log has the key', async () => {
  const { id, companyId, branch, main, ofBranch } = await newSystem();
  const director = { id: 0, type: 'director', familyId: companyId, externalKey: { id, name: 'Bank' } };
  expect(await identifySystem(main, Date.now())).toMatchObject({ ...director, companyId, companies: 'all' });
  const limited = { ...director, companyId: branch, companies: [branch] };
  expect(await identifySystem(ofBranch, Date.now())).toMatchObject(limited);
});

test('it takes two round trips', async () => {
  const { main } = await newSystem();
  const meter = newMeter();
  await inScope({ meter }, () => identifySystem(main, Date.now()));
  expect(roundTripsOf(meter)).toBe(2);
});

test('its use is noted at most once an hour', async () => {
  const { id, main } = await newSystem();
  const began = Date.now();
  const noted = () => getItem(lastUseKey(id)).then((use) => use?.['at']);
  await identifySystem(main, began);
  await expect.poll(noted).toBe(began);
  await identifySystem(main, began + 59 * MINUTE);
  await identifySystem(main, began + 61 * MINUTE);
  await expect.poll(noted).toBe(began + 61 * MINUTE);
  await identifySystem(main, began + 120 * MINUTE);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await noted()).toBe(began + 61 * MINUTE);
});
