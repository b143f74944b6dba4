/** Cuts a list into pieces of a size; the last may be shorter. */
export function pieces<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, piece) =>
    list.slice(piece * size, (piece + 1) * size),
  );
}

/** Cuts a list into pieces of at most `count` elements and `size` in all; a larger element gets its own. */
export function piecesWithin<T>(
  list: readonly T[],
  most: { readonly count: number; readonly size: number },
  sizeOf: (each: T) => number,
): T[][] {
  const found: T[][] = [];
  let [piece, size]: [T[], number] = [[], 0];
  for (const each of list) {
    if (piece.length === 0 || piece.length === most.count || size + sizeOf(each) > most.size) {
      [piece, size] = [[], 0];
      found.push(piece);
    }
    piece.push(each);
    size += sizeOf(each);
  }
  return found;
}
