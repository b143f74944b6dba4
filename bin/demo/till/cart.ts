/*
 * The arithmetic of a sale, in integers and offline: money in 1/100 of its unit, quantities in 1/100 000 000
 * (/docs/guide). Binary fractions would round halves in the wrong direction.
 */

export const ONE = 100_000_000;

export interface Line {
  readonly product_id: number;
  readonly name: string;
  /** Price of a unit in the currency of the sale. */
  readonly price: number;
  readonly quantity: number;
  readonly discount: number;
  readonly isFreePrice: boolean;
  /** Tracking codes of marked goods, one a piece. */
  readonly marks: readonly string[];
}

export interface Cart {
  readonly lines: readonly Line[];
  /** Hold that the cart sells, at the prices of the hold. */
  readonly hold_id: number | null;
}

export const EMPTY_CART: Cart = { lines: [], hold_id: null };

/** Payments by a customer, each in 1/100: sums in cash and by card, and dollars. */
export type Tender = Readonly<Record<'cash' | 'dollars' | 'card', number>>;

export function lineAmount({ price, quantity, discount }: Line): number {
  return divide(BigInt(price) * BigInt(quantity), BigInt(ONE)) - discount;
}

export function totalOf({ lines }: Cart): number {
  return lines.reduce((total, line) => total + lineAmount(line), 0);
}

/** Adds to a cart. The service takes goods once, so they share a line at its price; a mark counts once. */
export function addLine(cart: Cart, added: Line): Cart {
  const same = cart.lines.find((line) => line.product_id === added.product_id);
  if (!same) return { ...cart, lines: [...cart.lines, added] };
  if (added.marks.some((mark) => same.marks.includes(mark))) return cart;
  const marks = [...same.marks, ...added.marks];
  return changeLine(cart, same, { quantity: same.quantity + added.quantity, marks });
}

/** Changes a line; without a quantity it goes, and with the last line the hold. */
export function changeLine(cart: Cart, line: Line, change: Partial<Line>): Cart {
  const changed = cart.lines.map((each) => (each === line ? { ...each, ...change } : each));
  const lines = changed.filter(({ quantity }) => quantity > 0);
  return lines.length > 0 ? { ...cart, lines } : EMPTY_CART;
}

/** Converts a price by the rates of both currencies, half up. */
export function convert(amount: number, from: number, to: number): number {
  return divide(BigInt(amount) * BigInt(from), BigInt(to));
}

/** Computes the amount left to pay and the change. Dollars count at the rate, rounded down. */
export function settle(total: number, { cash, dollars, card }: Tender, rate: number) {
  const counted = Number((BigInt(dollars) * BigInt(rate)) / 100n);
  const rest = total - card;
  const [left, change] = [Math.max(0, rest - counted - cash), Math.max(0, counted + cash - rest)];
  return { counted, left, change, isTooMuch: rest < 0 || (cash > 0 && counted >= rest) };
}

/** Reads a number as people type it, `12 500,50`, in units of its last decimal; undefined if it is none. */
export function parseAmount(text: string, decimals: number): number | undefined {
  const digits = text.replaceAll(/\s/g, '').replace(',', '.');
  const [whole = '', part = '', ...others] = digits.split('.');
  const isNumber = /^\d{0,10}$/.test(whole) && /^\d*$/.test(part) && digits !== '.' && others.length === 0;
  return isNumber && part.length <= decimals ? Number(whole + part.padEnd(decimals, '0')) : undefined;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Divides numbers that are not negative, half up. */
function divide(dividend: bigint, divisor: bigint): number {
  return Number((dividend * 2n + divisor) / (divisor * 2n));
}
