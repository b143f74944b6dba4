import { api, ask, Refusal, type Schemas } from './api.ts';
import { convert } from './cart.ts';
import { read, readAll, write } from './store.ts';

/*
 * The replica of products and rates, by `GET /company/sync` (/docs/copy), for searches and prices: online it
 * is seconds old, offline it is all there is.
 */

type Entry = Schemas['Sync']['data'][number];
type RecordOf<T extends Entry['type']> = Extract<Entry, { type: T }>['record'];

export type Product = RecordOf<'product.product'>;

interface Place {
  readonly cursor: string;
  /** Time of the service when the copy was last brought up to date: `known_at` of a sale. */
  readonly known_at: string;
  /** Milliseconds that the clock of this machine was ahead of the service's. */
  readonly ahead: number;
}

const products = new Map<number, Product>();
const rates = new Map<string, RecordOf<'cashbox.currency-rate'>>();
let place: Place | undefined;
/** When this page was opened, by the clock of the service. Setting that of the machine does not move it. */
let openedAt = performance.timeOrigin;

export async function loadCopy(): Promise<void> {
  place = await read<Place>('values', 'copy');
  openedAt -= place?.ahead ?? 0;
  for (const entry of await readAll<Entry>('records')) keep(entry);
}

export async function refreshCopy(): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const page = await readPage();
    place = { cursor: page.cursor, known_at: page.now, ahead: Date.now() - instantOf(page.now) };
    openedAt = instantOf(page.now) - performance.now();
    // The records and the place in one transaction: after a crash the same page comes again.
    const records = page.data.map((entry) => ['records', `${entry.type} ${entry.id}`, entry] as const);
    await write([...records, ['values', 'copy', place]]);
    page.data.forEach(keep);
    hasMore = page.has_more;
  }
}

/** Reads a page of changes. Starts again from the beginning after 410, and after 422, for another user. */
async function readPage(): Promise<Schemas['Sync']> {
  const types: ('product.product' | 'cashbox.currency-rate')[] = ['product.product', 'cashbox.currency-rate'];
  const query = place ? { cursor: place.cursor } : { 'types[]': types };
  try {
    return await ask(api.GET('/company/sync', { params: { query } }));
  } catch (error) {
    if (!place || !(error instanceof Refusal) || ![410, 422].includes(error.status)) throw error;
    await write([['values', 'copy', undefined]], ['records']);
    products.clear();
    rates.clear();
    place = undefined;
    return readPage();
  }
}

function keep({ type, id, is_deleted, record }: Entry): void {
  if (type === 'cashbox.currency-rate') rates.set(record.currency, record);
  if (type !== 'product.product') return;
  if (is_deleted) products.delete(id);
  else products.set(id, record);
}

/** Finds goods by a code: of the card, of a pack with its quantity, or a PLU. */
export function findByCode(code: string): { product: Product; quantity: number } | undefined {
  for (const product of products.values()) {
    if (product.barcode === code || product.plu === code) return { product, quantity: 1 };
    const pack = product.barcodes.find(({ barcode }) => barcode === code);
    if (pack) return { product, quantity: pack.quantity };
  }
  return undefined;
}

/** Finds goods by beginnings of words; without words, all of them, favourites first. */
export function searchProducts(text: string): Product[] {
  const words = fold(text).split(' ');
  const found = [...products.values()].filter(({ name, barcode, plu, is_bundle_only }) => {
    const own = fold(`${name} ${barcode} ${plu ?? ''}`).split(' ');
    return !is_bundle_only && words.every((word) => own.some((each) => each.startsWith(word)));
  });
  return found.sort((a, b) => Number(b.is_favorite) - Number(a.is_favorite));
}

/** Cyrillic as Latin, so that either keyboard finds either name; the service knows more. */
const LATIN = new Map(
  'аa бb вv гg ғg дd еe ёyo жj зz иi ыi йy кk қk лl мm нn оo пp рr сs тt уu ўo фf хx ҳx hx qk цts чch шsh щsh эe юyu яya'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

function fold(text: string): string {
  const letters = [...text.toLowerCase().replaceAll(/['‘’ʻʼ`ъь]/g, '')];
  const latin = letters.map((letter) => LATIN.get(letter) ?? letter).join('');
  return latin.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

export function saleCurrency() {
  return [...rates.values()].find(({ is_sale }) => is_sale)?.currency ?? 'uzs';
}

/** Returns the price of a unit in the currency of the sale, in 1/100. */
export function priceOf({ sale_price, sale_currency }: Product): number {
  return convert(Math.round(sale_price * 100), rateOf(sale_currency), rateOf(saleCurrency()));
}

/** Returns the value of a dollar in the currency of the sale, in 1/100; 0 if unknown. */
export function dollarRate(): number {
  return convert(100, rates.has('usd') ? rateOf('usd') : 0, rateOf(saleCurrency()));
}

function rateOf(currency: string): number {
  return Math.round((rates.get(currency)?.rate || 1) * 100);
}

/** Returns the time of a sale by the clock of the service, and that of the replica it is priced by. */
export function saleTimes(): { sold_at: string; known_at: string } {
  const time = CLOCK.format(openedAt + performance.now());
  const known_at = place?.known_at ?? time;
  return { sold_at: time > known_at ? time : known_at, known_at };
}

/** Times are those of Tashkent, `2026-11-27 14:05:00`, without an offset; Swedish writes them so. */
const STYLE = { dateStyle: 'short', timeStyle: 'medium' } as const;
const CLOCK = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Tashkent', ...STYLE });

function instantOf(time: string): number {
  return Date.parse(`${time.replace(' ', 'T')}+05:00`);
}
