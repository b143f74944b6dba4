import { outstandingTrackingCodes } from '#lib/trade/return/lines.ts';
import type { Sale, SaleLine } from '#lib/trade/sale/record.ts';
import {
  readTrackingCodes,
  type TrackingCodeClaim,
  trackingCodeKey,
} from '#lib/trade/tracking-codes/claims.ts';
import { trackingCodeToCompare } from '#lib/trade/tracking-codes/tracking-code.ts';
import type { Books } from '../frame/books.ts';
import { faultUnless } from '../frame/ledger.ts';

/** Reserved tracking codes whose line has not been found yet. */
export type OpenTrackingCodes = Map<string, TrackingCodeClaim>;

/** Reads the sold tracking codes, before the sales that hold them. */
export function readOpenTrackingCodes({ tenant }: Books): Promise<OpenTrackingCodes> {
  return readTrackingCodes(tenant);
}

/**
 * Finds tracking codes of a sale's lines that are not reserved by their line; those that are get removed from
 * the open ones.
 */
export function trackingCodeFaults(
  books: Books,
  open: OpenTrackingCodes,
  { id }: Sale,
  lines: readonly SaleLine[],
): string[] {
  return lines.flatMap((line) =>
    outstandingTrackingCodes(line).flatMap((mark) => {
      const bare = trackingCodeToCompare(mark);
      const claim = open.get(bare);
      const isOwn = claim?.sale_id === id && claim.line_id === line.id;
      if (isOwn) open.delete(bare);
      books.count('marks that are out');
      return faultUnless(isOwn, `has sold the mark ${bare}, which line ${line.id} does not hold`);
    }),
  );
}

/** Reports reserved tracking codes without a sold and unreturned line. */
export function reportOpenTrackingCodes(books: Books, open: OpenTrackingCodes): void {
  for (const [mark, { sale_id, line_id }] of open) {
    const keys = [trackingCodeKey(books.tenant, mark)];
    const what = `is out with line ${line_id} of sale ${sale_id}, which does not tell of it`;
    books.report({ book: 'marks', subject: `mark ${mark}`, keys }, [what]);
  }
}
