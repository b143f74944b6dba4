import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Cell, writeSheet } from '#lib/files/sheet-writer.ts';
import { officeOpens } from '#tests/support/libre-office.ts';
import { WITHOUT_OFFICE } from '#tests/support/machine.ts';
import { partOf, sheetIn } from '#tests/support/sheet.ts';

async function* some(...pieces: Cell[][][]) {
  yield* pieces;
}

test('a sheet has all rows of all pieces under its headings, empty cells too', async () => {
  const columns = [
    { heading: 'Номер', kind: 'number' },
    { heading: 'Сумма', kind: 'money' },
    { heading: 'День', kind: 'day' },
  ] as const;
  const at = Date.UTC(2026, 10, 21, 20, 30);
  const bytes = await writeSheet(
    'Лист',
    columns,
    some(
      [
        [1, 150, at],
        [2, null, null],
      ],
      [],
      [[3, 5, at]],
    ),
  );
  const sheet = await sheetIn(bytes);
  expect(sheet.name).toBe('Лист');
  expect(sheet.getSheetValues().slice(1)).toEqual([
    [undefined, 'Номер', 'Сумма', 'День'],
    // 20:30 in UTC is the next day in Tashkent.
    [undefined, 1, 1.5, new Date('2026-11-22T00:00:00Z')],
    [undefined, 2],
    [undefined, 3, 0.05, new Date('2026-11-22T00:00:00Z')],
  ]);
  expect(sheet.getCell('A1').font?.bold).toBe(true);
  expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
});

test.each([0, 3])(
  'a workbook whose rows fail after %i pieces fails, and the process lives on',
  async (pieces) => {
    async function* failing() {
      for (let piece = 0; piece < pieces; piece++) yield [[piece]];
      throw new Error('The table is busy');
    }
    const columns = [{ heading: 'Номер', kind: 'number' }] as const;
    await expect(writeSheet('Лист', columns, failing())).rejects.toThrow('The table is busy');
    await pause(20);
  },
);

test('columns beyond Z have two letters', async () => {
  const columns = Array.from({ length: 30 }, (_, index) => ({ heading: `${index}`, kind: 'text' }) as const);
  const bytes = await writeSheet('Wide', columns, some([columns.map(({ heading }) => heading)]));
  const sheet = await sheetIn(bytes);
  expect(sheet.getCell('AD2').value).toBe('29');
});

test('LibreOffice opens it, and takes no text for a formula (Contract 8)', async ({ skip }) => {
  skip(WITHOUT_OFFICE !== undefined, WITHOUT_OFFICE);
  const columns = [
    { heading: 'Текст', kind: 'text' },
    { heading: 'Сумма', kind: 'money' },
    { heading: 'Когда', kind: 'moment' },
  ] as const;
  const at = Date.UTC(2026, 10, 21, 4, 5, 6);
  const texts = ['=1+1', '+7', '-5', '@SUM(A1)', '_x000D_', '<b>&'];
  const bytes = await writeSheet('Лист', columns, some(texts.map((each) => [each, 1_234_567, at])));
  const lines = (await officeOpens(bytes, 'csv')).toString().trim().split('\n');
  expect(lines[0]).toBe('Текст,Сумма,Когда');
  expect(lines.slice(1)).toEqual(texts.map((each) => `${each},"12,345.67",2026-11-21 09:05:06`));
});

test('a list prints on A4, landscape, as wide as the page and with its headings on each', async () => {
  const columns = [{ heading: 'Номер', kind: 'number' }] as const;
  const sheet = await sheetIn(await writeSheet("О'zbek, лист", columns, some([[1]])));
  expect(sheet.pageSetup).toMatchObject({
    paperSize: 9,
    orientation: 'landscape',
    fitToPage: true,
    fitToWidth: 1,
    fitToHeight: 0,
    printTitlesRow: '1:1',
  });
});

test('a heading stands over its values: over text on the left, over figures and dates on the right', async () => {
  const columns = (['text', 'money', 'moment', 'day', 'number'] as const).map((kind) => ({
    heading: kind,
    kind,
  }));
  const sheet = await sheetIn(await writeSheet('Лист', columns, some()));
  const sides = columns.map((_, index) => sheet.getRow(1).getCell(index + 1).alignment?.horizontal);
  expect(sides).toEqual([undefined, 'right', 'right', 'right', 'right']);
});

test('a text that looks like a formula stays a text when it is edited', async () => {
  const columns = [{ heading: 'Текст', kind: 'text' }] as const;
  const texts = ['=1+1', '+7', '-5', '@SUM(A1)', 'Choy'];
  const bytes = await writeSheet('Лист', columns, some(texts.map((text) => [text])));
  const xml = await partOf(bytes, 'xl/worksheets/sheet1.xml');
  const [, looks = ''] = (await partOf(bytes, 'xl/styles.xml')).split(/<cellXfs[^>]*>/);
  const quoted = [...looks.matchAll(/<xf\b[^>]*>/g)].findIndex(([look]) => look.includes('quotePrefix="1"'));
  const styles = [...xml.matchAll(/<c r="A(?!1")\d+" s="(\d)"/g)].map(([, style]) => Number(style));
  expect(styles).toEqual([quoted, quoted, quoted, quoted, 0]);
});
