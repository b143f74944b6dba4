import { loadYear } from '#bench/support/write-items.ts';
import { products } from '#lib/catalog/card.ts';
import { recordSource } from '#lib/records/record.ts';
import { putNew, update } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { familyTenant, recordKey, type Source } from '#lib/table/keys.ts';
import { searchChangeWrites } from '#lib/table/search/state.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';

const CALL_MS = 29_000;

/** Words of names in Uzbek in both scripts, and in Russian. */
const KINDS = [
  ...['Choy', 'Чой', 'Чай', 'Shakar', 'Шакар', 'Сахар', 'Sut', 'Сут', 'Молоко', 'Non', 'Нон', 'Хлеб'],
  ...['Guruch', 'Гуруч', 'Рис', 'Kofe', 'Кофе', 'Sovun', 'Совун', 'Мыло', 'Go‘sht', 'Гўшт', 'Мясо'],
];
const MAKERS = [
  'Nestlé',
  'Акбар',
  'Coca-Cola',
  'Ahmad',
  'Мусаффо',
  'Lactel',
  'Беҳруз',
  'Artel',
  'Щедрый год',
];
const COLOURS = ['qora', 'қора', 'чёрный', 'ko‘k', 'кўк', 'зелёный', 'oq', 'оқ', 'белый', 'qizil', 'красный'];
const SIZES = ['0.5 l', '1 l', '1.5л', '100 g', '250г', '1 kg', '25 dona', '3 в 1'];

/** Returns the products of a family, with their indexes and search. */
export function productsOf(familyId: number): Source {
  return recordSource(products, familyTenant(familyId));
}

/** Writes so many products, and notifies no worker. */
export function loadProducts(source: Source, count: number, now: number): Promise<void> {
  return loadYear(source, count, now, cardOf);
}

/** Creates one more product in a transaction. */
export function makeProduct(source: Source, at: number): Promise<number> {
  return withDeadline(CALL_MS, async () => {
    const id = await nextId(source.type, source.tenant);
    const write = putNew(recordKey(source.type, source.tenant, id), cardOf(id, at));
    await transact([write]);
    return id;
  });
}

/** Gives a product another name in a transaction, like an edit of its card. */
export function renameProduct(source: Source, id: number, version: number, name: string): Promise<void> {
  return withDeadline(CALL_MS, async () => {
    const before = { ...cardOf(id, 0), id, version };
    const after = { ...before, name, version: version + 1 };
    const changes = searchChangeWrites(source, before, after);
    await transact([
      update(recordKey(source.type, source.tenant, id), { set: { name, version: version + 1 } }),
      ...changes.map((write) => ({ ...write, notice: undefined })),
    ]);
  });
}

/** Returns the card of a product; its words follow from its id, in no order. */
function cardOf(id: number, at: number): Item & { readonly id: number } {
  const chance = (id * 2_654_435_761) % 1_000_003;
  const pick = (words: readonly string[], step: number) =>
    words[Math.floor(chance / step) % words.length] ?? '';
  const name = `${pick(KINDS, 1)} ${pick(MAKERS, 29)} ${pick(COLOURS, 307)} ${pick(SIZES, 2003)} ${chance % 1000}`;
  return {
    id,
    company_id: 1,
    creator_id: 1,
    parent_id: null,
    category_id: 1 + (chance % 40),
    brand_id: 1 + (chance % 200),
    unit_id: 1,
    external_id: null,
    name,
    plu: chance % 10 === 0 ? String(id) : null,
    barcode: `478${String((id * 7_368_787) % 10_000_000_000).padStart(10, '0')}`,
    barcodes: [],
    article: null,
    description: null,
    sale_price: 100_000,
    sale_currency: 'uzs',
    is_free_price: false,
    is_favorite: false,
    is_bundle_only: false,
    min_price: null,
    min_price_percent: null,
    min_quantity: null,
    images_list: [],
    images_list_thumbs: [],
    created_at: Math.floor(at),
    updated_at: Math.floor(at),
    is_deleted: chance % 50 === 0,
    version: 1,
  };
}
