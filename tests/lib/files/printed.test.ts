import { expect, test } from 'vitest';
import { type PrintedForm, renderPrintedForm } from '#lib/files/printed-form.ts';
import { sheetIn } from '#tests/support/sheet.ts';

const FORM: PrintedForm = {
  filename: 'cheque.xlsx',
  title: 'Cheque',
  head: [],
  columns: [
    { heading: 'Product', kind: 'text', width: 20 },
    { heading: 'Amount', kind: 'money', width: 10 },
  ],
  rows: [['Tea', 2_031_944_320_968]],
  totals: [],
  summary: [],
  remarks: [],
  signatures: [],
};

async function sheetOf(given: Partial<PrintedForm>) {
  const { content } = await renderPrintedForm({ ...FORM, ...given });
  return sheetIn(Buffer.from(content));
}

test('a line above the table has the height that its text takes, with spaces in it or none', async () => {
  const sheet = await sheetOf({ head: ['short', 'x'.repeat(80), 'word '.repeat(16)] });
  // By default a row is as high as its font: no height is set then.
  expect(sheet.getRow(2).height).toBeUndefined();
  expect([sheet.getRow(3).height, sheet.getRow(4).height]).toEqual([45, 45]);
});

test('an amount too long for its column is printed smaller, a text in lines', async () => {
  const sheet = await sheetOf({});
  expect(sheet.getRow(4).getCell(2)).toMatchObject({
    value: 20_319_443_209.68,
    alignment: { shrinkToFit: true },
  });
  expect(sheet.getRow(4).getCell(1).alignment).toMatchObject({ wrapText: true });
});
