import type { Tenant } from '#lib/table/keys.ts';
import type { RollupKind, RollupLocation } from '#lib/table/rollups/kind.ts';
import { type RollupSelection, readRollups } from '#lib/table/rollups/read.ts';
import type { ReportSums } from './frame.ts';

/** All rollups of a kind and of some periods, with the names of their sums and the row of each cell. */
interface CheckedRollups extends Pick<RollupSelection, 'periods'> {
  readonly kind: RollupKind;
  readonly figures: readonly string[];
  readonly rowOf: (place: RollupLocation, of: readonly number[]) => string;
}

/** Adds each cell of rollups to a report's sums. */
export async function addRollups(
  reported: ReportSums,
  tenant: Tenant,
  { kind, periods, figures, rowOf }: CheckedRollups,
): Promise<void> {
  for (const { cells, ...place } of await readRollups(kind, tenant, { isGroup: () => true, periods })) {
    for (const { of, sums } of cells) {
      const row = rowOf(place, of);
      for (const [each, figure] of figures.entries()) reported.add(row, figure, sums[each] ?? 0n);
    }
  }
}
