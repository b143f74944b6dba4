import exceljs from 'exceljs';
import { expect, inject } from 'vitest';
import { unzip } from '#lib/files/workbook/zip.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import type { Locale } from '#lib/values/text.ts';
import { recordFile } from './recording.ts';

/** A workbook as a caller gets it: its file's name, and the cells of its only sheet, row by row. */
export interface DownloadedSheet {
  readonly filename: string;
  readonly sheet: exceljs.Worksheet;
  readonly rows: readonly (readonly exceljs.CellValue[])[];
}

/** Downloads a workbook, following the link if it is too large for an answer. */
export async function downloadSheet(
  path: string,
  token: string,
  locale: Locale = 'ru',
): Promise<DownloadedSheet> {
  const response = await fetch(`${inject('address')}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': locale },
  });
  recordFile(path, response);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(WORKBOOK_TYPE);
  const disposition = response.headers.get('content-disposition') ?? '';
  const sheet = await sheetIn(await response.arrayBuffer());
  const filename = decodeURIComponent(disposition.replace("attachment; filename*=UTF-8''", ''));
  return { filename, sheet, rows: cellsIn(sheet) };
}

/** Downloads a workbook as it is. */
export async function downloadBytes(path: string, token: string): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${inject('address')}${path}`, { headers })).bytes();
}

/** Reads a file of a workbook as it is stored. */
export async function partOf(bytes: Uint8Array, name: string): Promise<string> {
  const textOf = await unzip(Buffer.from(bytes));
  let text = '';
  for await (const piece of textOf(name)) text += piece;
  if (text === '') throw new Error(`The workbook has no ${name}`);
  return text;
}

/** Reads the first sheet of a workbook. */
export async function sheetIn(bytes: ArrayBuffer | Uint8Array): Promise<exceljs.Worksheet> {
  const book = new exceljs.Workbook();
  // Copied: a small Buffer shares its ArrayBuffer with others, whose bytes would be read as the workbook's.
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  const [sheet] = book.worksheets;
  if (!sheet) throw new Error('The workbook has no sheet');
  return sheet;
}

function cellsIn(sheet: exceljs.Worksheet): exceljs.CellValue[][] {
  return Array.from({ length: sheet.rowCount }, (_, row) =>
    Array.from({ length: sheet.columnCount }, (__, cell) => sheet.getRow(row + 1).getCell(cell + 1).value),
  );
}
