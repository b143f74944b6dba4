/** How much is measured: all, or each thing once, at its smallest size, to see that it works. */
export interface Scale {
  readonly isSmallest: boolean;
}

/** Chooses among the sizes of a part: `SIZES=1000` asks for others. */
export function sizesOf({ isSmallest }: Scale, sizes: readonly number[]): readonly number[] {
  if (isSmallest) return sizes.slice(0, 1);
  return process.env['SIZES']?.split(',').map(Number) ?? sizes;
}
