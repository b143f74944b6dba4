import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readSheet } from '#lib/files/workbook/read.ts';
import { workbookOf } from '#tests/support/files.ts';
import { bookOf, cellTextsOf } from '#tests/support/workbooks.ts';

const LIMITS = { columns: 9, max: 500 };
const NOTHING_MS = 500;
const HOSTILE_MS = 5000;
const HOSTILE_BYTES = 100 * 1024 * 1024;

const Cell = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('number'), text: z.string(), value: z.number() }),
    z.object({ kind: z.literal('failed'), issue: z.enum(['cell.error', 'cell.not_calculated']) }),
  ])
  .optional();

const READING = new URL('./workbook-reading.ts', import.meta.url);
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

/** Message of the thread: its rows unless the file is refused, processor time in milliseconds, memory. */
const Reading = z.object({
  rows: z.union([z.literal('refused'), z.array(z.object({ number: z.int(), cells: z.array(Cell) }))]),
  cpu: z.number(),
  bytes: z.number(),
});

/** Work that measures the speed of the machine, and its duration on the reference machine of the limits. */
const LOOP = 30_000_000;
const LOOP_MS = 50;

/** Creates a text of many, a thousand to a part. */
function* times(count: number, make: (index: number) => string) {
  for (let first = 0; first < count; first += 1000) {
    const size = Math.min(1000, count - first);
    yield Array.from({ length: size }, (_, index) => make(first + index)).join('');
  }
}

const HEADER = '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>';
const ARTEL = '<row r="2"><c r="A2" t="inlineStr"><is><t>Artel</t></is></c></row>';

/** Creates a workbook with a part of a million elements. */
function withPart(name: string, root: string, make: (index: number) => string) {
  const part = [`<${root}>`, ...times(1_000_000, make), `</${root}>`];
  return bookOf([HEADER, ARTEL], { styles: '<styleSheet/>', others: { [name]: part } });
}

const names = (rows: Parameters<typeof cellTextsOf>[0]) => cellTextsOf(rows).map(([, name]) => name);

/** Reads a workbook, again if it was too slow, and returns the measurement. */
async function measured(book: Buffer, allowedMs: number) {
  let lowest = await measureOnce(book);
  // Other processes' use of caches, and the collector on other threads, only ever add to it.
  for (let more = 0; more < 2 && lowest.ms > allowedMs; more++) {
    const again = await measureOnce(book);
    lowest = { ...again, ms: Math.min(lowest.ms, again.ms), bytes: Math.max(lowest.bytes, again.bytes) };
  }
  return lowest;
}

/**
 * Measures a reading, by the speed that the machine has at the moment. It runs in a thread with a small heap:
 * a busy machine collects garbage late, and the memory of the process would include it.
 */
async function measureOnce(book: Buffer) {
  globalThis.gc?.();
  const reading = new Worker(READING, { workerData: { book, limits: LIMITS }, resourceLimits: HEAP });
  const reply = await once(reading, 'message');
  const { rows, cpu, bytes } = Reading.parse(reply[0]);
  await reading.terminate();
  return { rows, ms: cpu / slowness(), bytes };
}

/** Counts milliseconds of the processor: others may use it too. */
function spentSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** Returns how many times slower than the reference machine this one is now, at least 1. */
function slowness(): number {
  const began = process.cpuUsage();
  let sum = 0;
  for (let each = 0; each < LOOP; each++) sum += each % 7;
  expect(sum).toBeGreaterThan(0);
  return Math.max(1, spentSince(began) / LOOP_MS);
}

test('what exceljs writes is read: texts, numbers, and texts that look like formulas', async () => {
  const book = await workbookOf([
    ['Name', 'Price'],
    ['Artel', 310.5],
    ['=1+1', null],
    [null, null],
    ['  Nestlé & <Co>  ', 12_000],
  ]);
  const { rows } = await readSheet(Buffer.from(await book.arrayBuffer()), { columns: 2, max: 500 });
  expect(cellTextsOf(rows)).toEqual([
    [2, 'Artel', '310.5'],
    [3, '=1+1', ''],
    [5, 'Nestlé & <Co>', '12000'],
  ]);
});

test('every kind of cell is read as it is shown', async () => {
  const cells = [
    '<c r="A2" t="s"><v>1</v></c>',
    '<c r="B2" t="str"><f>CONCAT("a")</f><v>a&#33;&amp;&#x41;</v></c>',
    '<c r="C2" t="b"><v>1</v></c>',
    '<c r="E2" s="1"><v>45000</v></c>',
    '<c r="F2"><v>4.7800000000170E12</v></c>',
    '<c r="G2" t="inlineStr"><is><r><t>ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></is></c>',
    '<c r="I2" t="d"><v>2026-11-21T00:00:00</v></c>',
  ];
  const styles =
    '<styleSheet><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
  const shared = [
    '<si><t>zero</t></si>',
    '<si><r><t>sha</t></r><r><t xml:space="preserve">red_x000A_</t></r></si>',
  ];
  const book = await bookOf([HEADER, `<x:row r="2">${cells.join('')}</x:row>`], { styles, shared });
  expect(cellTextsOf((await readSheet(book, LIMITS)).rows)).toEqual([
    [2, 'shared', 'a!&A', 'true', '', '2023-03-15', '4780000000017', 'rich', '', '2026-11-21'],
  ]);
});

test.each([
  ['0%', 0.12, '12%'],
  ['0.00%', 0.075, '7.5%'],
  ['#,##0%;[Red]-#,##0%', 1, '100%'],
  ['0"%"', 12, '12'],
  ['h:mm', (7 + 40 / 60) / 24, '7:40'],
  ['[h]:mm:ss', 1 + 2 / 24 + 5 / 1440 + 7 / 86_400, '26:05:07'],
  ['[$-F400]h:mm:ss\\ AM/PM', 0.5, '12:00'],
  ['d\\ mmmm', 46_347, '2026-11-21'],
  ['mmm', 46_347, '2026-11-21'],
  ['_-* #,##0.00\\ "soʻm"_-;_-* "-"??\\ _s_o_m_-;_-@_-', 12_500.5, '12500.5'],
  ['[Red]#,##0.00;[Blue]-#,##0.00', 12_500, '12500'],
  ['General', 0.12, '0.12'],
])('a number in the format %s is read as it is shown: %d as %s', async (format, value, text) => {
  const code = format.replaceAll('"', '&quot;');
  const styles =
    `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts>` +
    '<cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>';
  const book = await bookOf([HEADER, `<row r="2"><c r="A2" s="0"><v>${value}</v></c></row>`], { styles });
  expect(names((await readSheet(book, LIMITS)).rows)).toEqual([text]);
});

test.each([
  [9, 0.12, '12%'],
  [10, 0.125, '12.5%'],
  [18, 0.25, '6:00'],
  [20, (7 + 40 / 60) / 24, '7:40'],
  [46, 1.5, '36:00'],
  [1, 12, '12'],
])('a number in the built-in format %i is read as it is shown: %d as %s', async (format, value, text) => {
  const styles = `<styleSheet><cellXfs><xf numFmtId="${format}"/></cellXfs></styleSheet>`;
  const book = await bookOf([HEADER, `<row r="2"><c r="A2" s="0"><v>${value}</v></c></row>`], { styles });
  expect(names((await readSheet(book, LIMITS)).rows)).toEqual([text]);
});

test('five hundred rows are rows with something in them, however far apart', async () => {
  const far = (index: number) =>
    `<row r="${index * 2000 + 2}"><c t="inlineStr"><is><t>N ${index}</t></is></c></row><row r="${index * 2000 + 3}"><c s="1"/><c><v> </v></c></row>`;
  const { rows: all } = await readSheet(await bookOf([HEADER, ...times(500, far)]), LIMITS);
  expect(all).toHaveLength(500);
  expect(all.at(-1)).toMatchObject({ number: 998_002 });
  expect((await readSheet(await bookOf([HEADER, ...times(501, far)]), LIMITS)).rows).toHaveLength(501);
});

test.each([
  ['a merged range of a whole sheet', { after: '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>' }],
  ['two thousand million columns', { cols: '<cols><col min="1" max="2000000000"/></cols>' }],
  [
    'a validation of a whole sheet',
    { after: '<dataValidations><dataValidation sqref="A1:XFD1048576"/></dataValidations>' },
  ],
  [
    'a name for a whole sheet',
    { names: '<definedNames><definedName name="x">S!$A$1:$XFD$1048576</definedName></definedNames>' },
  ],
])('%s costs nothing', async (_, parts) => {
  const { rows, ms, bytes } = await measured(await bookOf([HEADER, ARTEL], parts), NOTHING_MS);
  expect(rows === 'refused' ? [] : names(rows)).toEqual(['Artel']);
  expect(ms).toBeLessThan(NOTHING_MS);
  expect(bytes).toBeLessThan(HOSTILE_BYTES);
});

test.each([
  ['a million empty rows', () => bookOf(times(1_000_000, (index) => `<row r="${index + 2}"/>`)), []],
  ['a bomb of 400 MB of blanks', () => bookOf(times(40_000, () => ' '.repeat(10_000))), 'refused'],
  [
    'a bomb in a shared text',
    () =>
      bookOf([HEADER, '<row r="2"><c t="s"><v>39999</v></c></row>'], {
        shared: times(40_000, () => `<si><t>${'x'.repeat(10_000)}</t></si>`),
      }),
    'refused',
  ],
  [
    'a million shared texts',
    () =>
      bookOf([HEADER, '<row r="2"><c t="s"><v>999999</v></c></row>'], {
        shared: times(1_000_000, () => '<si><t>a</t></si>'),
      }),
    'refused',
  ],
  [
    'a row of a million cells',
    () => bookOf([HEADER, '<row r="2">', ...times(1_000_000, () => '<c><v>1</v></c>'), '</row>']),
    'refused',
  ],
  ['a tag that never ends', () => bookOf([HEADER, `<row ${'a="1" '.repeat(5_000_000)}`]), 'refused'],
  ['entities of entities', () => bookOf(['<!DOCTYPE x [<!ENTITY a "aaaa">]>', HEADER]), 'refused'],
  [
    'a million cells of one name',
    () => bookOf([HEADER, '<row r="2">', ...times(1_000_000, () => '<c r="A2"><v>1</v></c>'), '</row>']),
    'refused',
  ],
  [
    'a million relationships',
    () =>
      withPart(
        'xl/_rels/workbook.xml.rels',
        'Relationships',
        () => '<Relationship Id="r" Type="t" Target="p"/>',
      ),
    'refused',
  ],
  ['a million tabs', () => withPart('xl/workbook.xml', 'sheets', () => '<sheet r:id="r1"/>'), 'refused'],
  ['a million styles', () => withPart('xl/styles.xml', 'cellXfs', () => '<xf numFmtId="14"/>'), 'refused'],
  [
    'a million formats',
    () => withPart('xl/styles.xml', 'numFmts', (index) => `<numFmt numFmtId="${index}" formatCode="y"/>`),
    'refused',
  ],
  [
    'brackets of a format that never close',
    () =>
      bookOf([HEADER, ARTEL], {
        styles: `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(250_000)}"/></numFmts><cellXfs>${'<xf numFmtId="164"/>'.repeat(20)}</cellXfs></styleSheet>`,
      }),
    [{ number: 2, cells: [{ kind: 'text', text: 'Artel' }, ...Array.from({ length: 8 }, () => undefined)] }],
  ],
  [
    'numbers of 30 000 digits that are none',
    () => bookOf([HEADER, ...times(500, () => `<row><c><v>${'1'.repeat(30_000)}x</v></c></row>`)]),
    Array.from({ length: 500 }, () => expect.anything()),
  ],
  [
    'two million elements in each other',
    () => bookOf([HEADER, ...times(2_000_000, () => '<a>'), ...times(2_000_000, () => '</a>')]),
    'refused',
  ],
  [
    'a row in a million pieces',
    () => bookOf([HEADER, ...times(1_000_000, () => '<row r="2"><c r="A2"><v>1</v></c></row>')]),
    'refused',
  ],
  [
    'rows that are blank by their shared text',
    () =>
      bookOf(
        [HEADER, ...times(3000, () => '<row><c t="s"><v>0</v></c></row>'), ARTEL.replaceAll('2', '3002')],
        {
          shared: ['<si><t> </t></si>'],
        },
      ),
    'refused',
  ],
] as const)('%s costs less than five seconds and 100 MB', async (_, make, outcome) => {
  const book = await make();
  expect(book.length).toBeLessThan(3 * 1024 * 1024);
  const { rows, ms, bytes } = await measured(book, HOSTILE_MS);
  expect(rows).toEqual(outcome);
  expect(ms).toBeLessThan(HOSTILE_MS);
  expect(bytes).toBeLessThan(HOSTILE_BYTES);
});

test('a long text that all cells share is kept once, whatever its escapes', async () => {
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(LIMITS.columns)}</row>`;
  const shared = [`<si><t>_x0041_${'x'.repeat(32_000)}</t></si>`];
  const book = await bookOf([HEADER, ...times(2000, () => row)], { shared });
  const { rows, bytes } = await measured(book, HOSTILE_MS);
  expect(rows).toHaveLength(501);
  expect(bytes).toBeLessThan(HOSTILE_BYTES);
});

test('a zip that lies, is cut or is none is refused', async () => {
  const book = await bookOf([HEADER, ARTEL]);
  const lying = Buffer.from(book);
  lying.writeUInt32LE(0xffff_fff0, lying.lastIndexOf(Buffer.from('504b0506', 'hex')) + 16);
  for (const wrong of [
    lying,
    book.subarray(0, book.length - 30),
    Buffer.from('PK\u0003\u0004'),
    Buffer.alloc(0),
  ]) {
    await expect(readSheet(wrong, LIMITS)).rejects.toThrow();
  }
});
