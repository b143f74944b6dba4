import * as z from 'zod';
import { roundHalfUp } from './money.ts';

/** A percentage, as shown. */
export const Percent = z.number().meta({ description: 'up to 2 decimals' });

/** Computes a part's percentage of a whole, to two decimals, half away from zero; null if the whole is 0. */
export function percentOf(part: bigint, whole: bigint): number | null {
  if (whole === 0n) return null;
  const isNegative = part < 0n !== whole < 0n;
  const hundredths = Number(roundHalfUp(magnitudeOf(part) * 10_000n, magnitudeOf(whole)));
  return hundredths === 0 ? 0 : (isNegative ? -hundredths : hundredths) / 100;
}

function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}
