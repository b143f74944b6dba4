import { expect, test } from 'vitest';
import { LOCALES } from '#lib/values/text.ts';
import { daysFromNow, depositTo, newDebtor, setTariff, tariffOf } from '#tests/support/billing.ts';
import { newKey, operator, uuidsOf } from '#tests/support/external.ts';
import { newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { insertUser } from '#tests/support/users.ts';

const WAREHOUSE = 'POST /company/stock/stock';
const CREDIT = 'POST /external/credit/trade-sale/create';

function tryToWrite(token: string, headers = {}) {
  return call(WAREHOUSE, { token, headers, json: { name: `Ombor ${Math.random()}` } });
}

const BLOCKED = { status: 400, body: { code: 'auth.company_blocked' } };

test('a company that owed beyond its grace days is blocked: writing is 400 in its language (Contract 6)', async () => {
  const { director } = await newDebtor();
  expect(await tariffOf(director)).toMatchObject({ status: 'blocked', is_blocked: true, due_now: 100_000 });
  const replies = await Promise.all(
    LOCALES.map((locale) => tryToWrite(director, { 'accept-language': locale })),
  );
  expect(replies).toMatchObject(LOCALES.map(() => BLOCKED));
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(LOCALES.length);
});

test('nobody has to charge or to read first: the moment of the block is known ahead', async () => {
  const { companyId, director } = await newFamily();
  await setTariff(companyId, { trial_ends_at: daysFromNow(1), grace_days: 0 });
  expect((await tryToWrite(director)).status).toBe(200);
  await setTariff(companyId, { trial_ends_at: daysFromNow(0), grace_days: 0 });
  expect(await tryToWrite(director)).toMatchObject(BLOCKED);
});

test('within its grace days a company that owes works on', async () => {
  const { companyId, director } = await newFamily();
  await setTariff(companyId, { trial_ends_at: daysFromNow(-10), grace_days: 11 });
  expect(await tariffOf(director)).toMatchObject({ debt: 100_000, block_scheduled: true });
  expect((await tryToWrite(director)).status).toBe(200);
});

test('a blocked company may read, sign in and change its profile', async () => {
  const { director } = await newDebtor();
  const status = async (request: string, json?: object) =>
    (await call(request, { token: director, ...(json && { json }) })).status;
  expect(await status('GET /company/stock/stock')).toBe(200);
  expect(await status('GET /company/tariff')).toBe(200);
  expect(await status('GET /common/user/profile')).toBe(200);
  expect(await status('PUT /common/user/profile', { phone: '998901234567' })).toBe(200);
  expect(await status('POST /common/public/upload-form', { type: 'image/png' })).toBe(400);
});

test('the branches of a blocked company are blocked with it', async () => {
  const { companyId, branchDirector } = await newFamilyWithBranch();
  expect((await tryToWrite(branchDirector)).status).toBe(200);
  await setTariff(companyId, { trial_ends_at: daysFromNow(-10) });
  expect(await tryToWrite(branchDirector)).toMatchObject(BLOCKED);
});

test('an administrator who acts as its director is blocked too', async () => {
  const { companyId } = await newDebtor();
  const { id } = await insertUser({ type: 'director', company_id: companyId, family_id: companyId });
  const acting = await call(`PATCH /admin/user/user/${id}/auth-as`, { token: await operator() });
  const token = Object(acting.body).token;
  expect(await tryToWrite(token)).toMatchObject(BLOCKED);
});

test('external keys to it and its branches are refused, others are not', async () => {
  const { companyId, branch } = await newFamilyWithBranch();
  const { key } = await newKey({ kind: 'external', company_ids: [companyId, branch] });
  const answerFor = async (id: number) => {
    const { primary_uuid } = await uuidsOf(id);
    const headers = { 'External-System-Secret-Key': key, 'Company-Primary-Uuid': primary_uuid };
    return call(CREDIT, { headers, json: {} });
  };
  for (const id of [companyId, branch]) expect((await answerFor(id)).status).toBe(422);
  await setTariff(companyId, { trial_ends_at: daysFromNow(-10) });
  for (const id of [companyId, branch]) expect(await answerFor(id)).toMatchObject(BLOCKED);
});

test('it is free again at the credit that covers due_now, not before (Contract 6)', async () => {
  const { companyId, director } = await newDebtor();
  await depositTo(companyId, 99_999.99);
  expect(await tryToWrite(director)).toMatchObject(BLOCKED);
  expect(await tariffOf(director)).toMatchObject({ status: 'blocked', due_now: 0.01 });
  await depositTo(companyId, 0.01);
  expect((await tryToWrite(director)).status).toBe(200);
  expect(await tariffOf(director)).toMatchObject({ status: 'active', is_blocked: false, block_at: null });
});

test("the company in the profile shows the tariff's balance, null without a tariff", async () => {
  const { companyId, director } = await newFamily();
  const balance = async () => {
    const { body } = await call('GET /common/user/profile', { token: director });
    return Object(body).company.balance;
  };
  expect(await balance()).toBeNull();
  await setTariff(companyId);
  await depositTo(companyId, 150_000.5);
  expect(await balance()).toBe(50_000.5);
});
