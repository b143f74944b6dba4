import { expect, test } from 'vitest';
import { newMeter, roundTripsOf, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { labelOf, labelValue, spellingsOfPlu } from '#lib/trade/scan/label.ts';
import { scan } from '#lib/trade/scan/scan.ts';
import { addClient } from '#tests/support/clients.ts';
import { directorAs } from '#tests/support/family.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

const SETTINGS = [{ prefix: '22', kind: 'price', code_digits: 6, value_digits: 4, decimals: 0 }] as const;

test('a scan costs at most two round trips and ten units beside knowing the caller (Part 5, 5A.12 (3))', async () => {
  const shop = await newShop();
  const client_id = await addClient(shop);
  const barcodes = [{ barcode: '600', quantity: 6 }];
  await newGoods(shop, [{ quantity: 7, cost: 1 }], {
    barcode: '4780000000017',
    plu: '7',
    barcodes,
    is_marked: true,
  });
  const actor = { ...directorAs(shop.directorId, shop.companyId), scaleSettings: [...SETTINGS] };
  const kinds: string[] = [];
  for (const code of ['4780000000017', '600', '2200000712349', '010478000000001721abc', '7']) {
    const meter = newMeter();
    const scanned = await runInContext({ meter }, () =>
      scan(actor, { code, stock_id: shop.stockId, client_id }),
    );
    kinds.push(scanned.kind);
    expect(roundTripsOf(meter), code).toBeLessThanOrEqual(2);
    expect(unitsOf(meter), code).toBeLessThanOrEqual(10);
  }
  expect(kinds).toEqual(['barcode', 'pack', 'price', 'mark', 'plu']);
});

test('a label is of 13 digits with a check digit and a prefix, and its value is not 0', () => {
  expect(labelOf('2200000712349', SETTINGS)).toEqual({
    kind: 'price',
    code: '000007',
    value: 1234n,
    decimals: 0,
  });
  for (const code of ['2200000712340', '220000071234', '2100000712342', '2200000700001'])
    expect(labelOf(code, SETTINGS)).toBeUndefined();
});

test('the code of a label is spelled with its zeros, or fewer of them', () => {
  expect(spellingsOfPlu('00017')).toEqual(['00017', '0017', '017', '17']);
  expect(spellingsOfPlu('12345')).toEqual(['12345']);
  expect(spellingsOfPlu('000')).toEqual(['000', '00', '0']);
});

test('the value of a label is rounded half up to the decimals that are asked', () => {
  expect(labelValue({ value: 1234n, decimals: 3 }, 8)).toBe(123_400_000);
  expect(labelValue({ value: 1235n, decimals: 3 }, 2)).toBe(124);
});
