import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { hashPassword } from '#lib/auth/passwords.ts';
import { newEmployee, newFamily, newFamilyWithBranch, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

const PROFILE = '/common/user/profile';

const Token = z.object({ token: z.string() });

/** Reads the profile of a user. */
async function profile(token: string) {
  const { status, body } = await call(`GET ${PROFILE}`, { token });
  expect(status).toBe(200);
  return body;
}

test('the company carries its partner, balance, main cash desk, currencies and cash-desk rate', async () => {
  const admin = await newSuperAdministrator();
  const partner_id = await make('/admin/partner/partner', admin, { name: 'Hamkor', phone: '998901112233' });
  const id = await make('/admin/company/company', admin, { name: 'Savdo', partner_id });
  const { token } = await insertUser({ type: 'director', company_id: id, family_id: id });
  await call('PATCH /company/cashbox/currency-rate/settings', { token, json: { sale_currency: 'usd' } });
  expect(await profile(token)).toMatchObject({
    company: {
      id,
      partner: { id: partner_id, name: 'Hamkor' },
      parent: null,
      balance: null,
      main_cashbox: {
        company_id: id,
        type: 'main',
        balances: { cash: { uzs: 0, usd: 0, eur: 0, rub: 0 } },
      },
      currencies: [
        { currency: 'uzs', rate: 1, company_id: id },
        { currency: 'usd', is_sale: true },
        { currency: 'eur' },
        { currency: 'rub' },
      ],
      cashbox_rate: { currency: 'usd', rate: 12_650, is_sale: true },
    },
  });
});

test("a branch's people see its own desk and the main company as its parent", async () => {
  const { companyId, branch, branchDirector } = await newFamilyWithBranch();
  expect(await profile(branchDirector)).toMatchObject({
    company: { id: branch, parent: { id: companyId }, main_cashbox: { company_id: branch } },
  });
});

test('the money of the main desk is shown to those to whom the desk is open', async () => {
  const family = await newFamily();
  const Shown = z.object({ company: z.object({ main_cashbox: z.looseObject({ id: z.int() }) }) });
  const { main_cashbox } = Shown.parse(await profile(family.director)).company;
  const cashier = await newEmployee(family, []);
  const keeper = await newEmployee(family, [], { cashbox_ids: [main_cashbox.id] });
  expect(Shown.parse(await profile(cashier)).company.main_cashbox).toMatchObject({ id: main_cashbox.id });
  expect(Shown.parse(await profile(cashier)).company.main_cashbox).not.toHaveProperty('balances');
  expect(Shown.parse(await profile(keeper)).company.main_cashbox).toHaveProperty('balances');
});

test('the company shows the requisites that an administrator gave it, and null for missing ones', async () => {
  const admin = await newSuperAdministrator();
  const given = {
    industry_id: 4,
    latitude: '41.311081',
    longitude: '69.240562',
    comment: 'By the market',
    field_of_activity: 'Retail',
    abc_segment_a: 80,
    abc_segment_b: 15,
    abc_segment_c: 5,
    is_pos_window_enabled: true,
    has_bank_payment_type: true,
  };
  const id = await make('/admin/company/company', admin, { name: 'Savdo', ...given });
  const { token } = await insertUser({ type: 'director', company_id: id, family_id: id });
  // The first two segments are those of the report settings. Part 4, 4.5, 4.
  const segments = { abc_segment_a: 80, abc_segment_b: 95 };
  expect(await profile(token)).toMatchObject({ company: { ...given, ...segments, logo: null } });
  await call(`PUT /admin/company/company/${id}`, { token: admin, json: { name: 'Savdo' } });
  const on = { is_pos_window_enabled: true, has_bank_payment_type: true };
  const none = Object.fromEntries(Object.keys(given).map((name) => [name, null]));
  expect(await profile(token)).toMatchObject({ company: { ...none, ...segments, ...on, logo: null } });
});

test('an administrator and a partner’s user have no company', async () => {
  const admin = await newSuperAdministrator();
  const partner_id = await make('/admin/partner/partner', admin, { name: 'Hamkor' });
  const { token } = await insertUser({ type: 'partner', partner_id });
  expect(await profile(admin)).toMatchObject({ company: null, partner: null, role: null });
  expect(await profile(token)).toMatchObject({ company: null, partner: { id: partner_id } });
});

test('the role shows its rights; one from before the right to see costs has that, too (Part 5, 5A.13)', async () => {
  const family = await newFamily();
  const cashier = await newEmployee(family, ['company.trade.sale.store']);
  expect(await profile(cashier)).toMatchObject({
    role: {
      type: 'employee',
      new_routes: ['company.trade.sale.store', 'company.cost.show'],
      can_apply_sale_discount: false,
      company_id: family.companyId,
    },
  });
});

test('a change of the phone leaves the names as they are', async () => {
  const { director: token } = await newFamily();
  const names = { first_name: 'Ali', last_name: 'Karimov', position: 'Direktor' };
  await call(`PUT ${PROFILE}`, { token, json: { phone: '998901112233', profile: names } });
  await call(`PUT ${PROFILE}`, { token, json: { phone: '998935554433', new_password: '' } });
  expect(await profile(token)).toMatchObject({ phone: '998935554433', profile: names });
});

test('a new password is not the username', async () => {
  const username = `director${randomUUID()}`;
  const { companyId } = await newFamily();
  const { token } = await insertUser({
    type: 'director',
    company_id: companyId,
    family_id: companyId,
    username,
  });
  const password = username.toUpperCase();
  const json = { phone: '998901112233', new_password: password, new_password_confirmation: password };
  expect(await errorsOf(`PUT ${PROFILE}`, token, json)).toEqual({
    new_password: expect.stringContaining('Пароль'),
  });
  expect((await call(`GET ${PROFILE}`, { token })).status).toBe(200);
});

test('a user who is signed in at a desk stays so with the new token', async () => {
  const family = await newFamily();
  const username = `pos.${randomUUID()}`;
  const place = { company_id: family.companyId, family_id: family.companyId };
  await insertUser({
    type: 'director',
    username,
    password_hash: await hashPassword('Shop-2026-key'),
    ...place,
  });
  const cashbox_id = await make('/company/cashbox/cashbox', family.director, { name: 'Desk', type: 'sale' });
  const credentials = { username, password: 'Shop-2026-key', cashbox_id };
  const { token } = Token.parse((await call('POST /common/auth/pos-login', { json: credentials })).body);
  const json = {
    phone: '998901112233',
    new_password: 'Other-2026',
    new_password_confirmation: 'Other-2026',
  };
  const after = Token.parse((await call(`PUT ${PROFILE}`, { token, json })).body).token;
  expect((await call('POST /common/auth/pos-ping', { token })).status).toBe(401);
  expect(await call('POST /common/auth/pos-ping', { token: after })).toMatchObject({
    status: 200,
    body: { is_active: true, cashbox_id },
  });
});
