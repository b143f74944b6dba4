import { readFileSync } from 'node:fs';
import exceljs from 'exceljs';
import sharp from 'sharp';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';

/** Creates a real picture of one colour, with a camera's metadata in it. */
export async function picture(format: 'png' | 'jpeg' | 'webp', width: number, height: number): Promise<File> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#d04030' } })
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .toFormat(format)
    .toBuffer();
  return new File([new Uint8Array(bytes)], `picture.${format}`, { type: `image/${format}` });
}

/** Creates a picture that is stored in this size, and shown turned by an orientation, 1 to 8. */
export async function lyingPicture(width: number, height: number, orientation: number): Promise<File> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#d04030' } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();
  return new File([new Uint8Array(bytes)], 'lying.jpg', { type: 'image/jpeg' });
}

/** Opens a file of `tests/fixtures`. */
export function fixture(name: string, type = WORKBOOK_TYPE): File {
  return new File([new Uint8Array(readFileSync(new URL(`../fixtures/${name}`, import.meta.url)))], name, {
    type,
  });
}

/** Creates a picture that hardly compresses, and so is large. */
export async function noise(width: number, height: number): Promise<File> {
  const bytes = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return new File([new Uint8Array(bytes)], 'noise.png', { type: 'image/png' });
}

/** Creates a real workbook with these cells in column A, from row 1 on. */
export function workbook(cells: readonly exceljs.CellValue[]): Promise<File> {
  return workbookOf(cells.map((cell) => [cell]));
}

/** Creates a real workbook of these rows, from row 1 on. */
export async function workbookOf(rows: readonly (readonly exceljs.CellValue[])[]): Promise<File> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Sheet');
  for (const row of rows) sheet.addRow([...row]);
  return new File([new Uint8Array(await book.xlsx.writeBuffer())], 'rows.xlsx', { type: WORKBOOK_TYPE });
}
