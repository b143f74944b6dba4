import exceljs from 'exceljs';
import sharp from 'sharp';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';

/** A real picture of one colour, with a camera's metadata in it. */
export async function picture(format: 'png' | 'jpeg' | 'webp', width: number, height: number): Promise<File> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#d04030' } })
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .toFormat(format)
    .toBuffer();
  return new File([new Uint8Array(bytes)], `picture.${format}`, { type: `image/${format}` });
}

/** A picture that hardly compresses, to be large. */
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

/** A real workbook with these cells in column A, from row 1 on. */
export async function workbook(cells: readonly exceljs.CellValue[]): Promise<File> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Sheet');
  cells.forEach((cell, index) => {
    sheet.getCell(index + 1, 1).value = cell;
  });
  return new File([new Uint8Array(await book.xlsx.writeBuffer())], 'brands.xlsx', { type: WORKBOOK_TYPE });
}
