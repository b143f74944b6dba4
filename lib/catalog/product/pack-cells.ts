import * as z from 'zod';
import { type Pack, packOf } from '#lib/catalog/barcodes.ts';
import { codeCell, readNumber } from '#lib/files/columns.ts';
import { code } from '#lib/values/code.ts';
import { ONE, quantity } from '#lib/values/quantity.ts';

/* Further barcodes in a workbook: `code*quantity`, one a line. Names have no place there. Part 5, 5B.9, 2. */

/** Limit of a product's further barcodes, as in its form. */
const MAX_BARCODES = 20;

/** Digits of a quantity, as many as there are. */
const DIGITS = 8;

const Cell = z.string().transform((cell, context) =>
  cell
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line, index) => {
      const star = line.lastIndexOf('*');
      if (star === -1) return { barcode: line, quantity: 1 };
      const reading = readNumber(line.slice(star + 1));
      if ('issue' in reading)
        context.addIssue({ code: 'custom', message: reading.issue, path: [index, 'quantity'] });
      return { barcode: line.slice(0, star), quantity: 'value' in reading ? reading.value : 1 };
    }),
);

const CellPack = z.object({ barcode: code(64), quantity: quantity(DIGITS) });

/** Field schema of the cell; an empty one is absent. A line without a quantity is of one piece. */
export const packCell = codeCell(Cell.pipe(z.array(CellPack).max(MAX_BARCODES)).optional());

type CellPacks = readonly Pick<Pack, 'barcode' | 'quantity'>[];

/** Returns the text of such a cell, which reads as the same barcodes. */
export function packsText(packs: CellPacks): string {
  return packs.map((pack) => `${pack.barcode}*${quantityText(pack.quantity)}`).join('\n');
}

/** Returns the barcodes of a cell as a card's: known ones keep their spelling and name. */
export function packsAfter(known: readonly Pack[], cell: CellPacks): Pack[] {
  return cell.map(({ barcode, quantity: units }) => {
    const pack = packOf({ barcode: '', barcodes: known }, barcode);
    return { barcode, name: null, ...pack, quantity: units };
  });
}

/** Writes a quantity; three decimals get a fourth, since alone they would be ambiguous. */
function quantityText(units: number): string {
  const text = (units / ONE).toFixed(DIGITS).replace(/\.?0+$/, '');
  return /\.\d{3}$/.test(text) ? `${text}0` : text;
}
