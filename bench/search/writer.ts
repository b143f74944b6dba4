import { setTimeout as pause } from 'node:timers/promises';
import type { Source } from '#lib/table/keys.ts';
import { updateSearch } from '#lib/table/search/update.ts';
import { makeProduct, renameProduct } from './products.ts';

/** Fifty a second, by the clock: a late one is made up for. */
const EACH_MS = 20;
const MAX_AT_ONCE = 40;
const TICK_MS = 5;

/** Pause of the worker that updates the segments. */
const UPDATE_MS = 2000;

/** Stops, and returns the writes a second. */
type Stop = () => Promise<number>;

/**
 * Returns a starter of writers of products, each made or renamed, fifty a second, with the worker that
 * updates their search. Each tenth one that is renamed is checked.
 */
export function newWriter(
  source: Source,
  products: number,
  check: (name: string, id: number) => Promise<void>,
): () => Stop {
  let count = 0;

  return () => {
    const work = { isOver: false };
    const writing = write(work);
    const updating = update(work);
    return async () => {
      work.isOver = true;
      await updating;
      return writing;
    };
  };

  async function write(work: { readonly isOver: boolean }): Promise<number> {
    const [began, first] = [performance.now(), count];
    const pending = new Set<Promise<void>>();
    while (!work.isOver) {
      await pause(TICK_MS);
      const due = first + Math.floor((performance.now() - began) / EACH_MS);
      for (; count < due && pending.size < MAX_AT_ONCE; count++) {
        const one = writeOne(count).finally(() => pending.delete(one));
        pending.add(one);
      }
    }
    await Promise.all(pending);
    return Math.round(((count - first) * 1000) / (performance.now() - began));
  }

  /** Makes or renames a product. Each is renamed once at most: its version is known. */
  async function writeOne(number: number): Promise<void> {
    if (number % 2 === 0 || number >= products) {
      await makeProduct(source, Date.now());
      return;
    }
    const name = `Written${number}x`;
    const id = 1 + ((number * 37) % products);
    await renameProduct(source, id, 1, name);
    if (number % 10 === 1) await check(name, id);
  }

  /** Updates segments as the worker does, which would also build the list indexes of all these barcodes. */
  async function update(work: { readonly isOver: boolean }): Promise<void> {
    while (!work.isOver) {
      await updateSearch(source, Date.now());
      await pause(UPDATE_MS);
    }
  }
}
