/** Space between the thousands, which does not break a line. */
const SPACE = '\u00a0';

/** Renders an amount in 1/100 as people read it: `33 500,50`. */
export function printMoney(amount: number | bigint): string {
  return printDecimal(BigInt(amount), 2, 2);
}

/** Renders a quantity in 1/100 000 000, without zeros at its end: `0,333`. */
export function printQuantity(quantity: number | bigint): string {
  return printDecimal(BigInt(quantity), 8, 0);
}

function printDecimal(units: bigint, decimals: number, least: number): string {
  const sign = units < 0n ? '−' : '';
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals).replaceAll(/\B(?=(\d{3})+$)/g, SPACE);
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(least, '0');
  return `${sign}${whole}${fraction && `,${fraction}`}`;
}
