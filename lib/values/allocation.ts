import type { MinorUnits } from './money.ts';

/** Shares a sum over parts in proportion to their weights, to the last 1/100, by largest remainder. */
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

/** Divides an amount over rooms in their order: each takes as much as it has room for of what is left. */
export function allocateInOrder(amount: number, rooms: readonly number[]): number[] {
  let left = amount;
  return rooms.map((room) => {
    const part = Math.min(room, left);
    left -= part;
    return part;
  });
}
