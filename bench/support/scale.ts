/** Scale of a run: everything, or each part once at its smallest size, to see that it works. */
export interface Scale {
  readonly isSmallest: boolean;
}

/** Selects the sizes of a part: `SIZES=1000` overrides them. */
export function sizesOf({ isSmallest }: Scale, sizes: readonly number[]): readonly number[] {
  if (isSmallest) return sizes.slice(0, 1);
  return process.env['SIZES']?.split(',').map(Number) ?? sizes;
}
