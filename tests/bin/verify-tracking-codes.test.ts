import { expect, test } from 'vitest';
import { remove } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { trackingCodeKey } from '#lib/trade/tracking-codes/claims.ts';
import { faultsOf, plant } from '#tests/support/books.ts';
import { linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { newShop } from '#tests/support/shop.ts';
import { newTrackedProduct, sellTrackingCodes } from '#tests/support/tracking-codes.ts';

/**
 * Creates a shop that has sold the tracking codes A and B with a line, C with another, and D, which was
 * returned.
 */
async function newBooks() {
  const shop = await newShop();
  const goods = await newTrackedProduct(shop);
  const sell = async (...marks: string[]) => {
    const sale = (await sellTrackingCodes(shop, goods, marks)).number('id');
    const [line] = await linesOfSale(shop, sale);
    return { sale, line: line?.id ?? 0 };
  };
  const [first, second, third] = [await sell('A', 'B'), await sell('C'), await sell('D')];
  await sendReturn(shop, third.sale, { transactions: [{ payment_type: 'cash', amount: 1 }] });
  return { ...{ shop, tenant: familyTenant(shop.companyId), sell }, ...{ first, second, third } };
}

type Books = Awaited<ReturnType<typeof newBooks>>;
type Place = Books['first'];

const claim = ({ sale, line }: Place) => ({ sale_id: sale, line_id: line });
const notHeld = ({ sale, line }: Place, mark: string) =>
  `sales: sale ${sale} has sold the mark ${mark}, which line ${line} does not hold`;
const notTold = ({ sale, line }: Place, mark: string) =>
  `marks: mark ${mark} is out with line ${line} of sale ${sale}, which does not tell of it`;

test('books with marks that are out and came back add up', async () => {
  expect(await faultsOf((await newBooks()).shop)).toEqual([]);
});

const DAMAGE: readonly [string, (books: Books) => Promise<unknown>, (books: Books) => string[]][] = [
  [
    'a mark that is out, and no line has sold it',
    ({ tenant, first }) => plant(trackingCodeKey(tenant, 'X'), claim(first)),
    ({ first }) => [notTold(first, 'X')],
  ],
  [
    'a mark that is out, though its line came back',
    ({ tenant, third }) => plant(trackingCodeKey(tenant, 'D'), claim(third)),
    ({ third }) => [notTold(third, 'D')],
  ],
  [
    'a mark that a line has sold, and is not out',
    ({ tenant }) => transact([remove(trackingCodeKey(tenant, 'A'))]),
    ({ first }) => [notHeld(first, 'A')],
  ],
  [
    'a mark that is out with another line than that which has sold it',
    ({ tenant, second }) => plant(trackingCodeKey(tenant, 'A'), claim(second)),
    ({ first, second }) => [notHeld(first, 'A'), notTold(second, 'A')],
  ],
  [
    'a mark that two lines have sold, of which one has it out',
    async ({ tenant, sell }) => {
      await transact([remove(trackingCodeKey(tenant, 'B'))]);
      await sell('B');
    },
    ({ first }) => [notHeld(first, 'B')],
  ],
];

test.each(DAMAGE)('%s is found', async (_, damage, said) => {
  const books = await newBooks();
  await damage(books);
  expect((await faultsOf(books.shop)).sort()).toEqual(said(books).sort());
});
