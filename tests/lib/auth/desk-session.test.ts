import { expect, test } from 'vitest';
import { Account } from '#lib/auth/account.ts';
import { beginDeskSession } from '#lib/auth/desk-session.ts';
import { identify, userKey } from '#lib/auth/identify.ts';
import { issueToken, readToken } from '#lib/auth/tokens.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { newFamily } from '#tests/support/family.ts';

test('a POS token is read in the one round trip of any token', async () => {
  const { companyId, directorId } = await newFamily();
  const at = Date.now();
  await beginDeskSession(familyTenant(companyId), 7, 3, at);
  const account = Account.parse(await getItem(userKey(directorId)));
  const token = await issueToken(account, at, { pos: { cashbox: 7, session: 3 } });
  const meter = newMeter();
  const claims = await readToken(token, at);
  const actor = await runInContext({ meter }, () => identify(claims, at));
  expect(actor).toMatchObject({ id: directorId, pos: { id: 3, cashboxId: 7, isActive: true } });
  expect(roundTripsOf(meter)).toBe(1);
});

test('a session of an earlier id never takes the place of a later one', async () => {
  const { companyId, directorId } = await newFamily();
  const tenant = familyTenant(companyId);
  const at = Date.now();
  await beginDeskSession(tenant, 7, 4, at);
  await beginDeskSession(tenant, 7, 3, at);
  const account = Account.parse(await getItem(userKey(directorId)));
  const standing = async (session: number) => {
    const token = await issueToken(account, at, { pos: { cashbox: 7, session } });
    return identify(await readToken(token, at), at);
  };
  expect(await standing(4)).toMatchObject({ pos: { isActive: true } });
  expect(await standing(3)).toMatchObject({ pos: { isActive: false } });
});

test('a user who has moved to another family is at no desk of the old one', async () => {
  const [{ companyId }, other] = [await newFamily(), await newFamily()];
  const at = Date.now();
  await beginDeskSession(familyTenant(companyId), 7, 3, at);
  const account = Account.parse(await getItem(userKey(other.directorId)));
  const token = await issueToken({ ...account, family_id: companyId }, at, {
    pos: { cashbox: 7, session: 3 },
  });
  const claims = await readToken(token, at);
  expect(await identify(claims, at)).toMatchObject({ familyId: other.companyId, pos: { isActive: false } });
});
