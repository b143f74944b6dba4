import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSheet } from '#lib/files/workbook/read.ts';
import { fixture } from '#tests/support/files.ts';
import {
  type BookParts,
  bookOf,
  cellTextsOf,
  packageOfParts,
  relationships,
  stylesOf,
} from '#tests/support/workbooks.ts';

/*
 * Workbooks as programs write them, each with its visible content. Rows are identified by their numbers,
 * cells by their texts; trailing blanks are left out.
 */

type Rows = readonly (readonly (string | number)[])[];

async function read(book: Buffer): Promise<Rows> {
  const rows = cellTextsOf((await readSheet(book, { columns: 13, max: 500 })).rows);
  return rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1));
}

const PRODUCT = (name: string, barcode: string, ...rest: string[]) => [
  ...[name, 'Продукты', 'Namuna', 'штука', barcode],
  ...rest,
];

/** Files of `tests/fixtures`, whose README names the source of each trait. */
const FILES: Readonly<Record<string, Rows>> = {
  'brands-at-root': [[2, 'Case root']],
  'brands-chart-first': [[2, 'Case chart']],
  'brands-error-and-uncalculated': [
    [2, 'Case good brand'],
    [3, 'cell.error'],
    [4, 'cell.not_calculated'],
  ],
  'brands-hidden-first': [[2, 'Case visible']],
  'brands-part-case': [[2, 'Case part case']],
  'brands-shared-strings-capital': [[2, 'Case capital']],
  'brands-shared-strings-elsewhere': [[2, 'Case elsewhere']],
  'brands-signs': [
    [2, 'Case bidi \u202e x'],
    [3, 'Case null \u0000 x'],
    [4, 'Case half \ud83d x'],
    [5, 'Case\nbreak'],
    [6, '\u200b'],
  ],
  'brands-trailing-bytes': [[2, 'Case trailing']],
  'brands-value-and-inline': [[2, 'Case inline']],
  'brands-workbook22': [[2, 'Case workbook22']],
  'products-codes-as-numbers': [
    [2, ...PRODUCT('Case zero format', '0096000000010', '000077', '1000', 'uzs')],
    [3, ...PRODUCT('Case scientific text', '4,79E+12', '', '1000', 'uzs')],
    [4, ...PRODUCT('Case 20 digits', '47960000000000000000', '', '1000', 'uzs')],
    [5, ...PRODUCT('Case mxik number', '4796000000013', '', '1000', 'uzs', '', '', '10202001001000000')],
  ],
  'products-comma-thousands': [[2, ...PRODUCT('Case comma', '4796000000031', '', '12,500', 'uzs')]],
  'products-float-price': [[2, ...PRODUCT('Case float', '4796000000021', '', '3.3', 'uzs')]],
  'products-invisible-barcode': [[2, ...PRODUCT('Case invisible', '\u200b4796000000041', '', '1000', 'uzs')]],
  'products-lower-case-cells': [
    [2, ...PRODUCT('Case lower', '4796000000051', '903', '1000', 'uzs', '', 'EXT-51')],
  ],
  'products-row-in-pieces': [[2, ...PRODUCT('Case split row', '4796000000061', '904', '1000', 'uzs')]],
  'products-rows-partly-numbered': [
    [3, ...PRODUCT('Case row three', '4796000000001', '901', '1000', 'uzs')],
    [4, ...PRODUCT('Case row four', '4796000000002', '902', '1000', 'uzs')],
  ],
  'products-update-with-error-cells': [
    [2, 'Case err one', '', '', '', '4799000000001', '', 'cell.error'],
    [3, 'Case err two', '', '', '', '4799000000002', '', 'cell.not_calculated'],
  ],
};

test.each(Object.entries(FILES))(
  '%s.xlsx is read as people see it (Contract 9.135 to 9.138)',
  async (name, rows) => {
    const bytes = await fixture(`${name}.xlsx`).arrayBuffer();
    expect(await read(Buffer.from(bytes))).toEqual(rows);
  },
);

test('every workbook among the fixtures has its right value here', () => {
  const files = readdirSync(new URL('../../fixtures', import.meta.url)).filter((file) =>
    file.endsWith('.xlsx'),
  );
  expect(files.map((file) => file.replace('.xlsx', ''))).toEqual(Object.keys(FILES));
});

/** Sheet by its rows below the header, and its other parts. */
interface Sheet extends BookParts {
  readonly rows: string;
  readonly shows: Rows;
}

const SHEETS: Readonly<Record<string, Sheet>> = {
  'Excel: shared texts, rich ones with a reading, extensions in other namespaces': {
    rows: '<row r="2" spans="1:2" x14ac:dyDescent="0.25"><c r="A2" s="1" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c></row>',
    shared: [
      '<si><r><rPr><b/></rPr><t xml:space="preserve">Nes </t></r><r><t>tlé</t></r></si>',
      '<si><t>ネスレ</t><rPh sb="0" eb="3"><t>ねすれ</t></rPh></si>',
    ],
    shows: [[2, 'Nes tlé', 'ネスレ']],
  },
  'Excel: signs that XML lacks, and an underscore that is no escape': {
    rows: '<row r="2"><c r="A2" t="inlineStr"><is><t>a_x000A_b _x005F_x0041_</t></is></c></row>',
    shows: [[2, 'a\nb _x0041_']],
  },
  'Excel: the result of a formula, an empty one, and none': {
    rows: '<row r="2"><c r="A2" t="str"><f>B1&amp;"x"</f><v>x</v></c><c r="B2" t="str"><f>""</f><v></v></c><c r="C2"><f>1+1</f><v>2</v></c><c r="D2"><f>1+1</f></c></row>',
    shows: [[2, 'x', '', '2', 'cell.not_calculated']],
  },
  'Excel: every kind of error': {
    rows: '<row r="2"><c r="A2" t="e"><v>#DIV/0!</v></c><c r="B2" t="e"><f>X</f><v>#NAME?</v></c><c r="C2" t="e"><v>#N/A</v></c></row>',
    shows: [[2, 'cell.error', 'cell.error', 'cell.error']],
  },
  'LibreOffice: formulas with its own attribute, logical values': {
    rows: '<row r="2" customFormat="false" ht="12.8"><c r="A2" s="0" t="str"><f aca="false">A1</f><v>Artel</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" t="b"><f aca="false">FALSE()</f><v>0</v></c></row>',
    shows: [[2, 'Artel', 'true', 'false']],
  },
  'Google Sheets: blank cells with a style, blank rows with one': {
    rows: '<row r="2" ht="15.75" customHeight="1"><c r="A2" s="1" t="s"><v>0</v></c><c r="B2" s="1"/><c r="C2" s="2"><v>5.0</v></c></row><row r="3"><c r="A3" s="1"/></row>',
    shared: ['<si><t>Artel</t></si>'],
    shows: [[2, 'Artel', '', '5']],
  },
  'openpyxl: a formula with an empty value is not calculated': {
    rows: '<row r="2"><c r="A2" t="n"><v>4790000000104</v></c><c r="B2"><f>A2*2</f><v></v></c><c r="C2"><f>A2</f><v/></c></row>',
    shows: [[2, '4790000000104', 'cell.not_calculated', 'cell.not_calculated']],
  },
  'Apache POI: numbers as Java writes them': {
    rows: '<row r="2"><c r="A2"><v>4.790000000104E12</v></c><c r="B2" t="n"><v>12500.0</v></c><c r="C2"><v>1.0E-4</v></c></row>',
    shows: [[2, '4790000000104', '12500', '0.0001']],
  },
  'MiniExcel and ClosedXML: a prefix before every element': {
    rows: '<x:row r="2"><x:c r="A2" t="str"><x:v>Artel</x:v></x:c></x:row>',
    shows: [[2, 'Artel']],
  },
  'streams: neither rows nor cells have names': {
    rows: '<row><c t="inlineStr"><is><t>Artel</t></is></c><c/><c><v>5</v></c></row><row/><row><c><v>6</v></c></row>',
    shows: [
      [2, 'Artel', '', '5'],
      [4, '6'],
    ],
  },
  'streams: some cells have names, and the next one follows': {
    rows: '<row r="5"><c r="B5"><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>',
    shows: [
      [5, '', '1', '2'],
      [6, '3'],
    ],
  },
  'rows of one number are one, even apart': {
    rows: '<row r="2"><c r="A2"><v>1</v></c></row><row r="3"><c r="A3"><v>3</v></c></row><row r="2"><c r="B2"><v>2</v></c></row>',
    shows: [
      [2, '1', '2'],
      [3, '3'],
    ],
  },
  'a text in CDATA': {
    rows: '<row r="2"><c r="A2" t="inlineStr"><is><t><![CDATA[<Artel> & Co]]></t></is></c></row>',
    shows: [[2, '<Artel> & Co']],
  },
  'rows that are hidden by a filter are read': {
    rows: '<row r="2" hidden="1"><c r="A2"><v>1</v></c></row>',
    shows: [[2, '1']],
  },
  'formats of zeros and hyphens alone pad': {
    rows: '<row r="2"><c r="A2" s="1"><v>12345</v></c><c r="B2" s="2"><v>12345</v></c><c r="C2" s="3"><v>12345</v></c><c r="D2" s="4"><v>7</v></c><c r="E2" s="1"><v>123456789</v></c><c r="F2" s="5"><v>7</v></c></row>',
    styles: stylesOf('0000000', '000-000', '000\\-000', '#,##0.00', '0'),
    shows: [[2, '0012345', '012-345', '012-345', '7', '123456789', '7']],
  },
  'numbers have 15 digits and no exponent': {
    rows: '<row r="2"><c r="A2"><v>3.3000000000000003</v></c><c r="B2"><v>0.1</v></c><c r="C2"><v>1.2345678901234568E21</v></c><c r="D2"><v>-0</v></c><c r="E2"><v>1234567890123.4567</v></c></row>',
    shows: [[2, '3.3', '0.1', '1234567890123460000000', '0', '1234567890123.46']],
  },
  'what is no number in a cell of numbers is an error, not blank': {
    rows: '<row r="2"><c r="A2"><v>12,5</v></c><c r="B2"><v>NaN</v></c><c r="C2"><v>0x10</v></c><c r="D2" t="b"><v>maybe</v></c><c r="E2" t="x"><v>1</v></c><c r="F2"><v>1e999</v></c></row>',
    shows: [[2, ...Array.from({ length: 6 }, () => 'cell.error')]],
  },
  'days of 1900': {
    rows: '<row r="2"><c r="A2" s="1"><v>45000</v></c><c r="B2" s="1"><v>-1</v></c></row>',
    styles: stylesOf('[$-419]d\\ mmmm\\ yyyy'),
    shows: [[2, '2023-03-15', 'cell.error']],
  },
  'days of 1904': {
    rows: '<row r="2"><c r="A2" s="1"><v>43000</v></c></row>',
    styles: stylesOf('yyyy\\-mm\\-dd'),
    properties: '<workbookPr date1904="1"/>',
    shows: [[2, '2021-09-23']],
  },
};

test.each(Object.entries(SHEETS))('%s', async (_, { rows, shows, ...parts }) => {
  const header = '<row r="1"><c r="A1"><v>0</v></c></row>';
  expect(await read(await bookOf([header, rows], parts))).toEqual(shows);
});

const SHEET = (name: string) =>
  `<worksheet><sheetData><row r="2"><c r="A2" t="inlineStr"><is><t>${name}</t></is></c></row></sheetData></worksheet>`;
const TABS = (...tabs: readonly string[]) =>
  `<workbook><sheets>${tabs.map((tab, index) => `<sheet name="S${index}" ${tab}/>`).join('')}</sheets></workbook>`;
const ROOT = relationships([['officeDocument', 'xl/workbook.xml']]);

/** Packages by their parts, which all show "Artel" in A2. */
const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a strict file': {
    '_rels/.rels': relationships(
      [['officeDocument', 'xl/workbook.xml']],
      'http://purl.oclc.org/ooxml/officeDocument/relationships',
    ),
    'xl/workbook.xml': TABS('r:id="r1"'),
    'xl/_rels/workbook.xml.rels': relationships(
      [['worksheet', 'worksheets/sheet1.xml']],
      'http://purl.oclc.org/ooxml/officeDocument/relationships',
    ),
    'xl/worksheets/sheet1.xml': SHEET('Artel'),
  },
  'targets from the root, and above': {
    '_rels/.rels': relationships([
      ['extended-properties', 'docProps/app.xml'],
      ['officeDocument', '/xl/workbook.xml'],
    ]),
    'xl/workbook.xml': TABS('r:id="r2"'),
    'xl/_rels/workbook.xml.rels': relationships([
      ['theme', '/xl/theme.xml'],
      ['worksheet', '../sheets/./one.xml'],
    ]),
    'sheets/one.xml': SHEET('Artel'),
  },
  'names with a blank, a backslash and other letter case': {
    '_RELS/.RELS': ROOT,
    'XL\\Workbook.xml': TABS('r:id="r1"'),
    'xl/_rels/workbook.xml.rels': relationships([['worksheet', 'my%20sheets\\One.xml']]),
    'xl/my sheets/one.XML': SHEET('Artel'),
  },
  'hidden sheets, very hidden ones and charts before it': {
    '_rels/.rels': ROOT,
    'xl/workbook.xml': TABS(
      'state="hidden" r:id="r1"',
      'state="veryHidden" r:id="r1"',
      'r:id="r2"',
      'state="visible" r:id="r3"',
    ),
    'xl/_rels/workbook.xml.rels': relationships([
      ['worksheet', 'hidden.xml'],
      ['chartsheet', 'chart.xml'],
      ['worksheet', 'sheet.xml'],
    ]),
    'xl/hidden.xml': SHEET('Lists of a template'),
    'xl/chart.xml': '<chartsheet/>',
    'xl/sheet.xml': SHEET('Artel'),
  },
  'macro sheets before it, and targets that lead nowhere': {
    '_rels/.rels': ROOT,
    'xl/workbook.xml': TABS('r:id="r1"', 'r:id="r2"'),
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet" Target="macro.xml"/><Relationship Id="r3" Type="x" Target="http://[" /><Relationship Id="r4" Type="x" Target="http://example.uz/" TargetMode="External"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="sheet.xml"/></Relationships>',
    'xl/macro.xml': '<xm:macrosheet/>',
    'xl/sheet.xml': SHEET('Artel'),
  },
  'parts that begin with U+FEFF': {
    '_rels/.rels': `\ufeff${ROOT}`,
    'xl/workbook.xml': `\ufeff<?xml version="1.0"?>${TABS('r:id="r1"')}`,
    'xl/_rels/workbook.xml.rels': relationships([['worksheet', 'sheet.xml']]),
    'xl/sheet.xml': `\ufeff${SHEET('Artel')}`,
  },
};

test.each(Object.entries(PACKAGES))(
  '%s: its sheet is found by its relationships (Contract 9.135)',
  async (_, parts) => {
    expect(await read(await packageOfParts(parts))).toEqual([[2, 'Artel']]);
  },
);

const ROW = '<row r="2"><c r="A2"><v>5</v></c></row>';

test('bytes behind the end of the zip are ignored (Contract 9.135)', async () => {
  const book = await bookOf([ROW]);
  for (const tail of ['\r\n', '\0'.repeat(1000), '<!-- served by -->'])
    expect(await read(Buffer.concat([book, Buffer.from(tail)]))).toEqual([[2, '5']]);
});

test('a name in the zip may begin with a slash (Contract 9.135)', async () => {
  const target = relationships([['worksheet', '/l/worksheets/sheet1.xml']]);
  const book = await bookOf([ROW], { others: { 'xl/_rels/workbook.xml.rels': target } });
  // The packed parts hold no name, the zip's own headers do.
  const named = book.toString('latin1').replaceAll('xl/worksheets/sheet1', '/l/worksheets/sheet1');
  expect(await read(Buffer.from(named, 'latin1'))).toEqual([[2, '5']]);
});

/** Workbooks that can't be read reliably: they are rejected, never taken for empty. */
const BROKEN: Readonly<Record<string, () => Promise<Buffer>>> = {
  'no relationships': () => packageOfParts({ 'xl/workbook.xml': TABS('r:id="r1"') }),
  'a workbook that is not there': () => packageOfParts({ '_rels/.rels': ROOT }),
  'a sheet that is not there': () =>
    bookOf([ROW], {
      others: {
        'xl/_rels/workbook.xml.rels': relationships([['worksheet', 'worksheets/sheet2.xml']]),
      },
    }),
  'shared texts that are not there': () =>
    bookOf([ROW], {
      others: {
        'xl/_rels/workbook.xml.rels': relationships([
          ['worksheet', 'worksheets/sheet1.xml'],
          ['sharedStrings', 'SharedTexts.xml'],
        ]),
      },
    }),
  'styles that are not there': () =>
    bookOf([ROW], {
      others: {
        'xl/_rels/workbook.xml.rels': relationships([
          ['worksheet', 'worksheets/sheet1.xml'],
          ['styles', 'styles.xml'],
        ]),
      },
    }),
  'a shared text that is not there': () =>
    bookOf(['<row r="2"><c r="A2" t="s"><v>1</v></c></row>'], { shared: ['<si><t>a</t></si>'] }),
  'a shared text without a number': () =>
    bookOf(['<row r="2"><c r="A2" t="s"><v>x</v></c></row>'], { shared: ['<si><t>a</t></si>'] }),
  'a sheet that breaks off': () =>
    bookOf([ROW], { others: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${ROW}<row r="3">` } }),
  'a first tab without a relationship': () =>
    bookOf([ROW], { others: { 'xl/workbook.xml': TABS('r:id="r9"', 'r:id="r1"') } }),
  'a sheet that is hidden': () =>
    bookOf([ROW], { others: { 'xl/workbook.xml': TABS('state="hidden" r:id="r1"') } }),
  'a row with a strange name': () => bookOf(['<row r="two"><c r="A2"><v>5</v></c></row>']),
  'a row 0': () => bookOf(['<row r="0"><c r="A2"><v>5</v></c></row>']),
  'a cell with a strange name': () => bookOf(['<row r="2"><c r="R2C1"><v>5</v></c></row>']),
  'a cell with a letter alone': () => bookOf(['<row r="2"><c r="A"><v>5</v></c></row>']),
  'two cells of one name': () => bookOf(['<row r="2"><c r="A2"><v>5</v></c><c r="A2"><v>6</v></c></row>']),
};

test.each(Object.entries(BROKEN))('%s: the workbook is refused (Contract 9.135, 9.136)', async (_, make) => {
  await expect(make().then(read)).rejects.toThrow();
});
