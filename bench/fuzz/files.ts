import sharp from 'sharp';
import { packageOf, zipOf } from '#lib/files/sheet-package.ts';
import { writeWorkbook } from '#lib/files/workbooks.ts';

/** A file of a form: a valid one, an edge case, or a malicious one. */
export interface FuzzFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Generates the files for forms. */
export async function fuzzFiles(): Promise<readonly FuzzFile[]> {
  const png = new Uint8Array(
    await sharp({ create: { width: 64, height: 48, channels: 3, background: '#3a6' } })
      .png()
      .toBuffer(),
  );
  const jpg = new Uint8Array(
    await sharp({ create: { width: 3840, height: 2160, channels: 3, background: '#a36' } })
      .jpeg()
      .toBuffer(),
  );
  const brands = await writeWorkbook('Brands', ['Brand'], [['Artel'], ['Fuzz'], [null], ['=1+1']]);
  const products = await writeWorkbook(
    'Products',
    ['name', 'category', 'brand', 'unit', 'barcode', 'plu', 'price', 'currency', 'text'],
    [
      ['Tea', 'Продукты', 'Namuna', 'штука', '1', '2', 1e-200, 'uzs', ''],
      ['Tea 2', 'Продукты', 'Namuna', 'штука', '', '', 5000, 'uzs', null],
      ['', 'x', '\ufdfa'.repeat(200), '1', '1', '2', 'NaN', 'eur', 'x'.repeat(32_000)],
    ],
  );
  const hostile = await Promise.all(['', '<row r="1"/>'.repeat(200_000), ' '.repeat(30_000_000)].map(bombOf));
  return [
    { name: 'a.png', content: png },
    { name: 'a.jpg', content: jpg },
    { name: 'cut.png', content: png.slice(0, png.length / 2) },
    { name: 'cut.jpg', content: jpg.slice(0, 2000) },
    { name: 'brands.xlsx', content: brands },
    { name: 'products.xlsx', content: products },
    { name: 'cut.xlsx', content: products.slice(0, products.length - 40) },
    { name: 'empty', content: new Uint8Array() },
    { name: 'x'.repeat(300), content: new TextEncoder().encode('no file of any kind') },
    { name: 'a.svg', content: new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    { name: '../../etc/passwd', content: new Uint8Array(2048 * 1024 + 1) },
    ...hostile.map((content) => ({ name: 'bomb.xlsx', content })),
  ];
}

function bombOf(rows: string): Promise<Uint8Array<ArrayBuffer>> {
  const after = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>';
  return zipOf(packageOf('Bomb', [`<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`]));
}
