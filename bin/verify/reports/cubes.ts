import type { CubeKind, CubePlace } from '#lib/table/cubes/kind.ts';
import { type CubesAsked, readCubes } from '#lib/table/cubes/read.ts';
import type { Home } from '#lib/table/keys.ts';
import type { ReportSums } from './frame.ts';

/** All cubes of a kind and of some periods: what their sums are called, and the row of each cell. */
interface CheckedCubes extends Pick<CubesAsked, 'periods'> {
  readonly kind: CubeKind;
  readonly figures: readonly string[];
  readonly rowOf: (place: CubePlace, of: readonly number[]) => string;
}

/** Adds each cell of cubes to the sums that a report tells. */
export async function addCubes(
  told: ReportSums,
  home: Home,
  { kind, periods, figures, rowOf }: CheckedCubes,
): Promise<void> {
  for (const { cells, ...place } of await readCubes(kind, home, { isGroup: () => true, periods })) {
    for (const { of, sums } of cells) {
      const row = rowOf(place, of);
      for (const [each, figure] of figures.entries()) told.add(row, figure, sums[each] ?? 0n);
    }
  }
}
