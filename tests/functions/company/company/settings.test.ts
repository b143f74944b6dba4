import { expect, test } from 'vitest';
import { newEmployee, newFamily, newFamilyWithBranch, newSuperAdministrator } from '#tests/support/family.ts';
import { call, formOf } from '#tests/support/http.ts';
import { ALL_FIGURES, FIRST_INVOICE_SETTINGS } from '#tests/support/invoice-settings.ts';
import { errorsOf } from '#tests/support/records.ts';

const SETTINGS = '/company/company/settings';

const FIRST_SHIFTS = {
  is_enabled: false,
  is_working_hours_enabled: false,
  working_hours_from: null,
  working_hours_to: null,
  is_round_the_clock: false,
  overdue_action: 'remind',
};

const shifts = (given: object) => ({ cashbox_shift_settings: given });

test('a company has its settings from the start: no shifts, and invoices that tell everything (Contract 9.61)', async () => {
  const { director: token } = await newFamily();
  const { status, body } = await call(`GET ${SETTINGS}`, { token });
  expect(status).toBe(200);
  expect(body).toEqual({
    cashbox_shift_settings: FIRST_SHIFTS,
    invoice_settings: FIRST_INVOICE_SETTINGS,
    report_settings: { abc_segment_a: 80, abc_segment_b: 95 },
    sale_settings: { late_sale_days: 31, books_closed_on: null, is_accuracy_checked: false },
    scale_settings: [],
  });
});

test('one of the two is changed, the other stays, and so does what is left out (Contract 9.61)', async () => {
  const { director: token } = await newFamily();
  const hours = { working_hours_from: '09:00', working_hours_to: '02:00' };
  const enabled = { is_enabled: true, is_working_hours_enabled: true, ...hours, overdue_action: 'block' };
  const first = await call(`PUT ${SETTINGS}`, { token, json: shifts(enabled) });
  expect(first).toMatchObject({ status: 200, body: shifts({ ...FIRST_SHIFTS, ...enabled }) });

  const invoice_settings = { header: { tin: false }, working_hours: '9–18', debt: { before: false } };
  expect((await call(`PUT ${SETTINGS}`, { token, json: { invoice_settings } })).status).toBe(200);
  expect((await call(`PUT ${SETTINGS}`, { token, json: shifts({ overdue_action: 'remind' }) })).status).toBe(
    200,
  );
  expect((await call(`GET ${SETTINGS}`, { token })).body).toMatchObject({
    cashbox_shift_settings: { ...enabled, overdue_action: 'remind' },
    invoice_settings: {
      header: { tin: false, address: true },
      working_hours: '9–18',
      balance: ALL_FIGURES,
      debt: { ...ALL_FIGURES, before: false },
    },
  });
});

test('working hours that are to be kept have a beginning and an end, in hours and minutes', async () => {
  const { director: token } = await newFamily();
  const wrongIn = async (given: object) =>
    Object.keys(await errorsOf(`PUT ${SETTINGS}`, token, shifts(given))).sort();
  expect(await wrongIn({ is_working_hours_enabled: true })).toEqual([
    'cashbox_shift_settings.working_hours_from',
    'cashbox_shift_settings.working_hours_to',
  ]);
  const wrong = { working_hours_from: '25:00', overdue_action: 'shout', is_enabled: 'perhaps' };
  expect(await wrongIn(wrong)).toEqual(
    Object.keys(wrong)
      .map((field) => `cashbox_shift_settings.${field}`)
      .sort(),
  );
  const round = shifts({ is_working_hours_enabled: true, is_round_the_clock: true });
  expect((await call(`PUT ${SETTINGS}`, { token, json: round })).status).toBe(200);
});

test('each company has its own, any change of them requires the right, and other companies don’t see them', async () => {
  const family = await newFamilyWithBranch();
  const json = shifts({ is_enabled: true });
  expect((await call(`PUT ${SETTINGS}`, { token: family.branchDirector, json })).status).toBe(200);
  expect((await call(`GET ${SETTINGS}`, { token: family.branchDirector })).body).toMatchObject(json);
  expect((await call(`GET ${SETTINGS}`, { token: family.director })).body).toMatchObject(
    shifts({ is_enabled: false }),
  );
  const without = await newEmployee(family, ['company.trade.*']);
  expect((await call(`PUT ${SETTINGS}`, { token: without, json })).status).toBe(403);
  const list = await call('GET /company/product/brand?with[]=company', { token: family.director });
  expect(JSON.stringify(list.body)).not.toContain('invoice_settings');
});

test("the company shows its shift settings, and an administrator's edit without them keeps them (Contract 9.61)", async () => {
  const { director: token, companyId } = await newFamily();
  const given = { is_enabled: true, is_round_the_clock: true };
  await call(`PUT ${SETTINGS}`, {
    token,
    json: { ...shifts(given), invoice_settings: { working_hours: 'x' } },
  });
  const admin = await newSuperAdministrator();
  const path = `PUT /admin/company/company/${companyId}`;
  const edited = await call(path, { token: admin, json: { name: 'Other' } });
  expect(edited).toMatchObject({ status: 200, body: shifts({ ...FIRST_SHIFTS, ...given }) });
  expect(edited.body).not.toHaveProperty('invoice_settings');
  await call(path, { token: admin, json: { name: 'Other', ...shifts({ is_enabled: false }) } });
  const shown = await call(`GET ${SETTINGS}`, { token });
  expect(shown.body).toMatchObject({
    ...shifts({ is_enabled: false, is_round_the_clock: true }),
    invoice_settings: { working_hours: 'x' },
  });
  const profile = await call('GET /common/user/profile', { token });
  expect(profile.body).toMatchObject({ company: shifts({ is_enabled: false }) });
});

test('a field that a form leaves empty stays as it is', async () => {
  const { director: token } = await newFamily();
  const fields = { working_hours: '', 'balance][before': '', 'debt][after': '0', 'header][tin': '' };
  const form = formOf(
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`invoice_settings[${name}]`, value])),
  );
  form.append('cashbox_shift_settings[is_enabled]', '');
  expect(await call(`PUT ${SETTINGS}`, { token, form })).toMatchObject({
    status: 200,
    body: {
      cashbox_shift_settings: FIRST_SHIFTS,
      invoice_settings: {
        working_hours: null,
        balance: ALL_FIGURES,
        debt: { ...ALL_FIGURES, after: false },
        header: { tin: true },
      },
    },
  });
});

test('segments of goods are those of the main company, and 0 < a < b < 100 (Part 4, 4.5, 4)', async () => {
  const { director: token, branchDirector } = await newFamilyWithBranch();
  const change = (report_settings: object) => call(`PUT ${SETTINGS}`, { token, json: { report_settings } });
  const set = { abc_segment_a: 70.5, abc_segment_b: 90 };
  expect(await change(set)).toMatchObject({ status: 200, body: { report_settings: set } });
  expect(await change({ abc_segment_b: 99.99 })).toMatchObject({ status: 200 });
  const shown = await call(`GET ${SETTINGS}`, { token: branchDirector });
  expect(shown.body).toMatchObject({ report_settings: { abc_segment_a: 70.5, abc_segment_b: 99.99 } });
  const wrongIn = async (report_settings: object, by = token) =>
    Object.keys(await errorsOf(`PUT ${SETTINGS}`, by, { report_settings }));
  const [a, b] = ['report_settings.abc_segment_a', 'report_settings.abc_segment_b'];
  expect(await wrongIn({ abc_segment_a: 0, abc_segment_b: 100 })).toEqual([a, b]);
  expect(await wrongIn({ abc_segment_a: 50, abc_segment_b: 50 })).toEqual([b]);
  expect(await wrongIn({ abc_segment_a: 99.99 })).toEqual([a]);
  expect(await wrongIn({ abc_segment_a: 1.001 })).toEqual([a]);
  expect(await wrongIn({ abc_segment_a: 10 }, branchDirector)).toEqual(['report_settings']);
  const after = await call(`GET ${SETTINGS}`, { token });
  expect(after.body).toMatchObject({ report_settings: { abc_segment_a: 70.5, abc_segment_b: 99.99 } });
});

test('sale_settings are those of the main company, which alone sets them; what is left out stays (Contract 9.97)', async () => {
  const { director: token, branchDirector } = await newFamilyWithBranch();
  const change = (sale_settings: object, by = token) =>
    call(`PUT ${SETTINGS}`, { token: by, json: { sale_settings } });
  const set = { sale_settings: { is_accuracy_checked: true } };
  expect(await change({ is_accuracy_checked: true })).toMatchObject({ status: 200, body: set });
  expect(await change({})).toMatchObject({ status: 200, body: set });
  expect((await call(`PUT ${SETTINGS}`, { token, json: {} })).body).toMatchObject(set);
  expect((await call(`GET ${SETTINGS}`, { token: branchDirector })).body).toMatchObject(set);
  const json = { sale_settings: { late_sale_days: 31, books_closed_on: null, is_accuracy_checked: false } };
  expect(Object.keys(await errorsOf(`PUT ${SETTINGS}`, branchDirector, json))).toEqual(['sale_settings']);
  expect((await call(`GET ${SETTINGS}`, { token })).body).toMatchObject(set);
});
