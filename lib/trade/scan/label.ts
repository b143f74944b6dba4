import type { ScalePrefix } from '#lib/auth/account.ts';
import { isEan13 } from '#lib/values/ean13.ts';

/** Label of scales, as read. Part 5, 5A.12, 3. */
export interface ScaleLabel {
  readonly kind: ScalePrefix['kind'];
  /** Code of the product, with its leading zeros. */
  readonly code: string;
  /** Printed value, an integer of the last decimal. */
  readonly value: bigint;
  readonly decimals: number;
}

/** Reads a code as a label of scales. Undefined if it is none, or if its value is 0. */
export function labelOf(code: string, settings: readonly ScalePrefix[]): ScaleLabel | undefined {
  const scales = settings.find(({ prefix }) => code.startsWith(prefix));
  if (!scales || !isEan13(code)) return undefined;
  const { kind, prefix, code_digits, decimals } = scales;
  const end = prefix.length + code_digits;
  const value = BigInt(code.slice(end, -1));
  return value === 0n ? undefined : { kind, code: code.slice(prefix.length, end), value, decimals };
}

/**
 * Lists the spellings of a code as PLU, which may have fewer leading zeros than the label, the label's own
 * first.
 */
export function spellingsOfPlu(code: string): string[] {
  const number = code.replace(/^0+(?=\d)/, '');
  return Array.from({ length: code.length - number.length + 1 }, (_, zeros) => code.slice(zeros));
}

/** Returns the value of a label as an integer of so many decimals, half up. */
export function labelValue(
  { value, decimals }: Pick<ScaleLabel, 'value' | 'decimals'>,
  target: number,
): number {
  if (target >= decimals) return Number(value * 10n ** BigInt(target - decimals));
  const step = 10n ** BigInt(decimals - target);
  return Number((value + step / 2n) / step);
}
