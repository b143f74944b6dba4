import type { MinorUnits } from './money.ts';

/** Allocates a sum to parts in proportion to their weights, to the last 1/100, by largest remainder. */
export function allocateByWeight(sum: MinorUnits, weights: readonly MinorUnits[]): MinorUnits[] {
  const whole = weights.reduce((total, weight) => total + BigInt(weight), 0n);
  if (whole === 0n) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(sum) * BigInt(weight));
  const parts = exact.map((share) => share / whole);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  const left = Number(BigInt(sum) - parts.reduce((total, part) => total + part, 0n));
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts.map(Number);
}

/** Allocates an amount to parts in their order, each up to its capacity. */
export function allocateInOrder(amount: number, capacities: readonly number[]): number[] {
  let left = amount;
  return capacities.map((capacity) => {
    const part = Math.min(capacity, left);
    left -= part;
    return part;
  });
}
