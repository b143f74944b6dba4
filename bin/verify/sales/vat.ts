import { isDeepStrictEqual } from 'node:util';
import type { Sale, SaleLine, ServiceLine } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { amountOf, type Units } from '#lib/values/quantity.ts';
import { shareOf, sumByVat, type TaxedLine, totalVat, vatTupleOf, vatWithin } from '#lib/values/vat.ts';
import { faultUnless } from '../frame/ledger.ts';

/** Line of a sale, goods or a service, with its parts that came back. */
interface Sold extends TaxedLine {
  readonly id: number;
  readonly whole: Units;
  readonly back: Units;
}

/** Checks the VAT of a sale's lines, of its returns, and the sums by rate. Part 5, 5A.2. */
export function vatFaults(sale: Sale, lines: readonly SaleLine[], returns: readonly SaleReturn[]): string[] {
  const { services = [] } = sale;
  const sold: Sold[] = [
    ...lines.map((line) => ({ ...line, whole: line.sold_quantity, back: line.returned_quantity })),
    ...services.map((line) => ({ ...line, whole: line.quantity, back: line.returned_quantity })),
  ];
  const taken = returns.flatMap(({ products, services: given = [] }) => [...products, ...given]);
  const byLine = Map.groupBy(taken, ({ id }) => id);
  return [
    ...totalFaults(sale, sold),
    ...sold.flatMap((line) => lineFaults(line, totalVat(byLine.get(line.id) ?? []))),
    ...returns.flatMap((made) =>
      totalFaults(made, [...made.products, ...(made.services ?? [])]).map(
        (fault) => `return ${made.id} ${fault}`,
      ),
    ),
  ];
}

/** Checks sums by rate; documents that predate rates have none. */
function totalFaults(
  { vat = [], vat_amount = 0 }: Pick<Sale | SaleReturn, 'vat' | 'vat_amount'>,
  lines: readonly TaxedLine[],
): string[] {
  const sum = totalVat(lines);
  return [
    ...faultUnless(vat_amount === sum, `says vat_amount ${vat_amount}, its lines come to ${sum}`),
    ...faultUnless(
      vat.length === 0 ? sum === 0 : isDeepStrictEqual(vat, sumByVat(lines).map(vatTupleOf)),
      'has other sums by VAT rate than its lines',
    ),
  ];
}

function lineFaults(line: Sold, returned: MinorUnits): string[] {
  const { id, amount, vat_percent = null, vat_amount = 0, back, whole } = line;
  const within = vatWithin(amount, vat_percent);
  const part = shareOf(vat_amount, back, whole);
  return [
    ...faultUnless(within === vat_amount, `line ${id} has VAT ${vat_amount}, within it is ${within}`),
    ...faultUnless(part === returned, `line ${id} gave VAT ${returned} back, of it came ${part}`),
  ];
}

/** Checks a sale's services against their prices and returns. Part 5, 5A.1. */
export function serviceFaults({ services = [] }: Sale, returns: readonly SaleReturn[]): string[] {
  const taken = Map.groupBy(
    returns.flatMap(({ services: given = [] }) => given),
    ({ id }) => id,
  );
  return services.flatMap((line) => oneServiceFaults(line, taken.get(line.id) ?? []));
}

function oneServiceFaults(line: ServiceLine, backs: NonNullable<SaleReturn['services']>): string[] {
  const { id, price, quantity, discount, amount, cost, returned_quantity: back } = line;
  const whole = amountOf(price, quantity) - discount;
  const came = backs.reduce((sum, { returned_quantity }) => sum + returned_quantity, 0);
  const [paid, costs] = [totalAmount(backs), backs.reduce((sum, each) => sum + each.cost, 0)];
  const { refunded_amount: refunded = 0, returned_cost = 0 } = line;
  return [
    ...faultUnless(whole === amount, `service ${id} comes to ${whole}, and says ${amount}`),
    ...faultUnless(came === back && back <= quantity, `service ${id} says ${back} came back, not ${came}`),
    ...faultUnless(
      paid === refunded && paid === shareOf(amount, back, quantity),
      `service ${id} says that it refunded ${refunded}, its returns ${paid}`,
    ),
    ...faultUnless(
      costs === returned_cost && costs === shareOf(cost, back, quantity),
      `service ${id} says that ${returned_cost} of its cost came back, its returns ${costs}`,
    ),
  ];
}
