import { expect, test } from 'vitest';
import { identifySystem, lastUseKey } from '#lib/auth/keys/external-system.ts';
import { getItem } from '#lib/table/read/get.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { newKey, uuidsOf } from '#tests/support/external.ts';
import { newCompany, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { insertUser } from '#tests/support/users.ts';

const MINUTE = 60_000;

async function newSystem() {
  const { companyId, branch, directorId } = await newFamilyWithBranch();
  const { id, key } = await newKey({ name: 'Bank', kind: 'external', company_ids: [companyId, branch] });
  const headersOf = async (company: number) => ({
    'external-system-secret-key': key,
    'company-sync-uuid': (await uuidsOf(company)).sync_uuid,
  });
  return {
    id,
    companyId,
    branch,
    directorId,
    main: await headersOf(companyId),
    ofBranch: await headersOf(branch),
  };
}

test('the system acts as director of the company that it names, and the log has the key', async () => {
  const { id, companyId, branch, directorId, main, ofBranch } = await newSystem();
  const director = { type: 'director', familyId: companyId, externalKey: { id, name: 'Bank' } };
  const ofMain = { ...director, id: directorId, companyId, companies: 'all' };
  expect(await identifySystem(main, Date.now())).toMatchObject(ofMain);
  const limited = { ...director, companyId: branch, companies: [branch] };
  expect(await identifySystem(ofBranch, Date.now())).toMatchObject(limited);
});

test('of several directors it acts as the first made, deleted or not; for a branch without one as the main company’s (Contract 9.120)', async () => {
  const { companyId, directorId } = await newFamily();
  const [branch, bare] = [await newCompany(companyId), await newCompany(companyId)];
  const place = { type: 'director', family_id: companyId } as const;
  const later = { ...place, company_id: companyId };
  const first = await insertUser({ ...place, company_id: branch, is_deleted: true });
  await insertUser({ ...place, company_id: branch });
  await insertUser(later);
  const { key } = await newKey({ kind: 'external', company_ids: [companyId, branch, bare] });
  const actsAs = async (company: number) => {
    const uuid = (await uuidsOf(company)).sync_uuid;
    const headers = { 'external-system-secret-key': key, 'company-sync-uuid': uuid };
    return (await identifySystem(headers, Date.now())).id;
  };
  expect(await Promise.all([companyId, branch, bare].map(actsAs))).toEqual([
    directorId,
    first.id,
    directorId,
  ]);
});

test('it takes two round trips', async () => {
  const { main } = await newSystem();
  const meter = newMeter();
  await runInContext({ meter }, () => identifySystem(main, Date.now()));
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
