import type { BatchPart } from '#lib/stock/batch-part.ts';
import type { Sale, SaleLine } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';

type Rates = Pick<Sale, 'rates' | 'currency'>;

/** Checks that a sale's lines add up to its cost and discount, and to the cost of their batches. */
export function costFaults(sale: Sale, lines: readonly SaleLine[], returns: readonly SaleReturn[]): string[] {
  const sums = new NamedSums();
  for (const { cost, discount } of [...lines, ...(sale.services ?? [])]) {
    sums.add('purchased_amount', cost);
    sums.add('discount_amount', discount);
  }
  const { purchased_amount, discount_amount } = sale;
  const unlike = Object.entries({ purchased_amount, discount_amount }).flatMap(([name, says]) =>
    faultUnless(says === sums.of(name), `says ${name} ${says}, its lines come to ${sums.of(name)}`),
  );
  const backs = Map.groupBy(
    returns.flatMap(({ products }) => products),
    ({ id }) => id,
  );
  return [...unlike, ...lines.flatMap((line) => lineFaults(sale, line, backs.get(line.id) ?? []))];
}

function lineFaults(rates: Rates, line: SaleLine, backs: SaleReturn['products']): string[] {
  const { id, cost, batches, returned_cost: says = 0, returned_quantity, sold_quantity } = line;
  const came = backs.reduce((sum, back) => sum + back.cost, 0);
  // A return rounds, and earlier roundings show in it: the last one takes the rest.
  const roundings = backs.reduce((sum, back) => sum + back.batches.length, batches.length);
  return [
    ...discountFaults(line),
    ...faultUnless(isNear(cost, batches, rates, batches.length), `line ${id} did not cost ${cost}`),
    ...faultUnless(says === came, `line ${id} says that ${says} of its cost came back, its returns ${came}`),
    ...faultUnless(
      returned_quantity === sold_quantity ? came === cost : came <= cost,
      `line ${id} cost ${cost}, and ${came} of it came back`,
    ),
    ...backs.flatMap((back) =>
      faultUnless(
        isNear(back.cost, back.batches, rates, roundings),
        `line ${id} did not take ${back.cost} back`,
      ),
    ),
  ];
}

/** Checks that the amount of a product outside a bundle is its price less its discount. */
function discountFaults({ id, bundle_key, price, sold_quantity, discount, amount }: SaleLine): string[] {
  const whole = amountOf(price, sold_quantity);
  const isRight = bundle_key !== null || whole - discount === amount;
  return faultUnless(isRight, `line ${id} comes to ${whole} less ${discount}, and says ${amount}`);
}

/** Returns whether a cost is that of batches at a sale's rates, within one minor unit per rounding. */
function isNear(
  cost: number,
  batches: readonly BatchPart[],
  { rates, currency }: Rates,
  roundings: number,
): boolean {
  const divisor = BigInt(rates[currency]) * BigInt(ONE);
  const exact = batches.reduce(
    (sum, part) => sum + BigInt(part.cost) * BigInt(part.quantity) * BigInt(rates[part.currency]),
    0n,
  );
  const off = BigInt(cost) * divisor - exact;
  return (off < 0n ? -off : off) <= BigInt(roundings) * divisor;
}
