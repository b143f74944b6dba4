import { writeItems } from '#bench/kit/write-items.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { nextId } from '#lib/table/sequences.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { pieces } from '#lib/values/side-by-side.ts';

/** So many are made before they are written. */
const STEP = 10_000;

/** Writes a sale of a family so many times more, as it lies in the table: its header and its lines. */
export async function copySale(home: Home, id: number, count: number): Promise<void> {
  const key = recordKey(sales.type, home, id);
  const linesOf = (sale: number) => `${key.pk}#${sale}`;
  const [head, lines] = await Promise.all([getItem(key), wholePartition(linesOf(id))]);
  if (!head || lines.length === 0) throw new Error(`There is no sale ${id} with lines`);
  const first = await nextId(sales.type, home, count);
  const ids = Array.from({ length: count }, (_, index) => first + index);
  for (const some of pieces(ids, STEP)) {
    await writeItems(
      some.flatMap((each) => [
        { ...head, ...recordKey(sales.type, home, each), id: each, code: `#${each}` },
        ...lines.map((pack) => ({ ...pack, pk: linesOf(each) })),
      ]),
    );
  }
}
