/** Random generator, equal for the same seed and name. */
export interface SeededRandom {
  /** Draws a number from 0 up to 1. */
  next(): number;
  /** Draws an integer, both ends included. */
  between(least: number, max: number): number;
  oneOf<T>(values: readonly T[]): T;
  /** Draws `count` different ones. */
  some<T>(values: readonly T[], count: number): T[];
}

/** Returns the generator of one purpose, independent of others. */
export function randomFrom(seed: number, name: string): SeededRandom {
  let state = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, max: number) => least + Math.floor(next() * (max - least + 1));
  return {
    next,
    between,
    oneOf: (values) => {
      const [value] = values.slice(between(0, values.length - 1));
      if (value === undefined) throw new Error('There is nothing to choose from');
      return value;
    },
    some: (values, count) => {
      const left = [...values];
      return Array.from({ length: Math.min(count, left.length) }, () =>
        left.splice(between(0, left.length - 1), 1),
      ).flat();
    },
  };
}
