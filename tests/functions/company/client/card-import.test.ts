import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { anonymizeClient } from '#lib/clients/anonymize.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { asCall } from '#tests/support/as-call.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { downloadBytes, downloadSheet } from '#tests/support/sheet.ts';

const CLIENTS = '/company/client/client';

/** A noun whose cards are imported: its columns, and cards by number. */
const NOUNS = [
  {
    path: CLIENTS,
    right: 'company.client.client',
    text: 'main_phone',
    columns: ['full_name', 'main_phone', 'address', 'external_id'],
    heading: 'ФИО',
    cardOf: (number: number, external_id: string | null = null) => ({
      full_name: `Client ${number}`,
      main_phone: `99890${String(number).padStart(7, '0')}`,
      address: `Street ${number}`,
      external_id,
    }),
    keyOf: (number: number) => ({ main_phone: `+998 90 ${String(number).padStart(7, '0')}` }),
    another: { full_name: 'Another' },
    needed: 'full_name',
  },
  {
    path: '/company/stock/supplier',
    right: 'company.stock.supplier',
    text: 'name',
    columns: ['name', 'phone', 'external_id'],
    heading: 'Название',
    cardOf: (number: number, external_id: string | null = null) => ({
      name: `Supplier ${number}`,
      phone: `99890${String(number).padStart(7, '0')}`,
      external_id,
    }),
    keyOf: (number: number) => ({ name: `SUPPLIER ${number}` }),
    another: { phone: '998991112233' },
    needed: 'name',
  },
] as const;

type Cells = Readonly<Record<string, string | number | null>>;

const Cards = z.object({ data: z.array(z.looseObject({ id: z.int() })) });

describe.each(NOUNS)('$path', ({ path, right, text, columns, heading, cardOf, keyOf, another, needed }) => {
  async function family() {
    const { director: token, ...rest } = await newFamily();
    const send = async (fields: object, ...cards: readonly Cells[]) => {
      const rows = cards.map((card) => columns.map((column) => card[column] ?? null));
      const file = await workbookOf([[...columns], ...rows]);
      return call(`POST ${path}/import`, { token, form: formOf({ file, ...fields }) });
    };
    const all = async (query = '') => {
      const { body } = await call(`GET ${path}?sort[]=id&page-size=200&show[]=with-deleted${query}`, {
        token,
      });
      return Cards.parse(body).data;
    };
    return { token, send, all, ...rest };
  }

  test('an import makes a card of each row, or changes by mode=update what it identifies (Part 5, 5B.9 (2))', async () => {
    const { send, all } = await family();
    const cards = [cardOf(1, 'a'), cardOf(2), { ...cardOf(3), external_id: '007' }];
    expect(await send({}, ...cards)).toMatchObject({ status: 200, body: { created: 3, is_dry_run: false } });
    expect(await all()).toMatchObject(cards);
    const update = [
      { ...cardOf(9), external_id: 'a' },
      { ...another, ...keyOf(2), external_id: 'b' },
      cardOf(3),
      cardOf(4),
    ];
    const counts = { created: 1, changed: 2, restored: 0, same: 1 };
    expect((await send({ mode: 'update', dry_run: 'true' }, ...update)).body).toMatchObject(counts);
    expect(await all()).toMatchObject(cards);
    expect((await send({ mode: 'update' }, ...update)).body).toMatchObject(counts);
    // The text that identifies a row is a cell as the others.
    const renamed = text === 'name' ? keyOf(2) : {};
    const changed = [
      cardOf(9, 'a'),
      { ...cardOf(2, 'b'), ...another, ...renamed },
      cardOf(3, '007'),
      cardOf(4),
    ];
    expect(await all()).toMatchObject(changed);
  });

  test('all faulty rows are refused at once, and nothing is written (Part 5, 5B.9 (2))', async () => {
    const { send, all } = await family();
    await send({}, cardOf(1, 'a'), cardOf(2, 'b'));
    const before = await all();
    expect(
      (await send({}, cardOf(1, 'x'), cardOf(3, 'b'), cardOf(4, 'c'), cardOf(4, 'c'))).body,
    ).toMatchObject({
      codes: {
        [`rows.2.${text}`]: ['validation.taken'],
        'rows.3.external_id': ['validation.taken'],
        [`rows.5.${text}`]: ['validation.duplicate'],
        'rows.5.external_id': ['validation.duplicate'],
      },
    });
    const rows = [{ ...cardOf(1), external_id: 'c' }, keyOf(2), { external_id: 'b' }, { external_id: 'd' }];
    expect((await send({ mode: 'update' }, ...rows)).body).toMatchObject({
      codes: {
        [`rows.2.${text}`]: ['validation.taken'],
        'rows.4.external_id': ['validation.duplicate'],
        [`rows.5.${needed}`]: ['validation.required'],
      },
    });
    const malformed = [{ [needed]: 'x'.repeat(256) }, { ...cardOf(5), external_id: 'y'.repeat(65) }];
    for (const mode of ['create', 'update']) {
      const { status, body } = await send({ mode }, ...malformed);
      expect(status).toBe(422);
      const paths = [`rows.2.${needed}`, 'rows.3.external_id'];
      expect(body).toMatchObject({
        errors: Object.fromEntries(paths.map((each) => [each, [expect.any(String)]])),
      });
    }
    expect(await all()).toEqual(before);
  });

  test('mode=update asks for the right to edit, and for deleted cards that to restore (Part 5, 5B.9 (2))', async () => {
    const { send, all, token, ...rest } = await family();
    await send({}, cardOf(1), cardOf(2));
    const [first] = await all();
    await call(`DELETE ${path}/${first?.id}`, { token });
    const cells: Cells = cardOf(1);
    const file = await workbookOf([[...columns], columns.map((column) => cells[column] ?? null)]);
    const as = async (...words: readonly string[]) => {
      const routes = words.map((word) => `${right}.${word}`);
      const employee = await newEmployee(rest, routes);
      const form = formOf({ file, mode: 'update' });
      return call(`POST ${path}/import`, { token: employee, form });
    };
    expect(await as('import')).toMatchObject({ status: 403, body: { right: `${right}.update` } });
    expect(await as('import', 'update')).toMatchObject({ status: 403, body: { right: `${right}.restore` } });
    expect((await as('import', 'update', 'restore')).body).toMatchObject({ restored: 1, changed: 0 });
  });

  test('the workbook has all filtered rows, and sent back with mode=update changes none (Part 5, 5B.9 (2))', async () => {
    const { all, token } = await family();
    const texts = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), 40);
    const cards = texts.map((each, index) => {
      const card = { ...cardOf(index, index % 3 ? null : `00${index}`) };
      const line = `=${index} Аё ғ ʻ ${each.replaceAll(/\p{C}/gu, '')}`;
      return { ...card, ...('address' in card && { address: index % 2 ? null : line }), [needed]: line };
    });
    for (const json of cards)
      expect(await call(`POST ${path}`, { token, json })).toMatchObject({ status: 200 });
    const before = await all();
    const sheet = await downloadBytes(`${path}?format=excel&page-size=1`, token);
    const file = new File([Uint8Array.from(sheet)], 'cards.xlsx', { type: WORKBOOK_TYPE });
    const back = await call(`POST ${path}/import`, { token, form: formOf({ file, mode: 'update' }) });
    expect(back).toMatchObject({ status: 200, body: { same: 40, changed: 0 } });
    expect(await all()).toEqual(before);
    const filtered = await downloadSheet(`${path}?format=excel&filter[external_id]=003`, token);
    expect(filtered.rows).toHaveLength(2);
    expect(filtered.rows[0]?.[0]).toBe(heading);
  });

  test('the example of the import is one that passes (Part 5, 5B.9 (2))', async () => {
    const { token } = await family();
    const bytes = await downloadBytes(`${path}/download-example`, token);
    const { rows } = await downloadSheet(`${path}/download-example`, token, 'uz');
    expect(rows[0]).toHaveLength(columns.length);
    const file = new File([Uint8Array.from(bytes)], 'example.xlsx', { type: WORKBOOK_TYPE });
    expect((await call(`POST ${path}/import`, { token, form: formOf({ file }) })).body).toMatchObject({
      created: 2,
    });
  });
});

test('clients whose price type was deleted, and anonymized ones, come back the same (Part 5, 5B.9 (2))', async () => {
  const { director: token, companyId } = await newFamily();
  const price_type_id = await make('/company/product/price-type', token, { name: 'VIP' });
  const client = (number: number) => ({ full_name: `Client ${number}`, main_phone: `99890000000${number}` });
  await make(CLIENTS, token, { ...client(1), price_type_id });
  const forgotten = await make(CLIENTS, token, client(2));
  await call(`DELETE /company/product/price-type/${price_type_id}`, { token });
  await asCall(() => anonymizeClient(familyTenant(companyId), forgotten, Date.now()));
  const sheet = await downloadBytes(`${CLIENTS}?format=excel`, token);
  const send = (content: Uint8Array, mode: string) => {
    const file = new File([Uint8Array.from(content)], 'cards.xlsx', { type: WORKBOOK_TYPE });
    return call(`POST ${CLIENTS}/import`, { token, form: formOf({ file, mode }) });
  };
  expect(await send(sheet, 'update')).toMatchObject({ status: 200, body: { same: 2, changed: 0 } });
  expect(await send(sheet, 'create')).toMatchObject({ status: 422 });
});

test('no row gives a client a telephone that is none (Part 5, 5B.9 (2))', async () => {
  const { director: token } = await newFamily();
  const send = async (mode: string, ...rows: (string | null)[][]) => {
    const file = await workbookOf([['full_name', 'main_phone', 'address', 'external_id'], ...rows]);
    return call(`POST ${CLIENTS}/import`, { token, form: formOf({ file, mode }) });
  };
  await make(CLIENTS, token, { full_name: 'Client', main_phone: '998900000001', external_id: 'a' });
  const codes = {
    'rows.2.main_phone': ['validation.not_phone'],
    'rows.3.main_phone': ['validation.not_phone'],
  };
  const rows = [
    ['Client', '000000000001', null, 'a'],
    ['New', '000000000002', null, null],
  ];
  for (const mode of ['create', 'update'])
    expect(await send(mode, ...rows)).toMatchObject({ status: 422, body: { codes } });
});
