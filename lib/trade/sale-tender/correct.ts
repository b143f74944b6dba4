import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import { requireShift, takesPayments } from '#lib/cash/desk/read.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { readDeskOf } from '#lib/cash/posting/reverse.ts';
import { requireOpenBooks } from '#lib/people/company/closed-books.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { sales } from '#lib/trade/sale/record.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  decideTender,
  movesBetween,
  requireCorrectable,
  requireSameShift,
  type TenderFacts,
  tenderWrites,
} from './decide.ts';
import { type SaleTenderInput, type StoredSaleTender, saleTenders } from './record.ts';

/**
 * Corrects the payment types of a sale's money: its desk has a posting for each that gained or lost, and a
 * document has both. The sale keeps its first payments beside the corrected ones. 404 for a sale at a desk
 * not open to the caller; 400 as in `requireCorrectable`, `requireSameShift`, `requireOpenBooks` and
 * `readDeskOf`; 422 with all failing fields. Part 5, 5A.8, 2.
 */
export function correctTender(
  actor: Staff,
  { id, transactions: requested }: SaleTenderInput & { readonly id: number },
  at: Instant,
  saveResponse: (correction: StoredSaleTender) => Write[],
): Promise<StoredSaleTender> {
  return retryOnContention(async () => {
    const { booksOpen, ...facts } = await readTender(actor, id, requested, at);
    const plan = decideTender(actor, requested, facts, at);
    const writes = [...tenderWrites(actor.tenant, plan), ...booksOpen];
    await transact([...writes, ...saveResponse(plan.correction)]);
    return plan.correction;
  });
}

/** Reads the sale of a correction and its desk, and draws the ids. 400 as in `correctTender`. */
async function readTender(
  actor: Staff,
  id: number,
  requested: SaleTenderInput['transactions'],
  at: Instant,
): Promise<TenderFacts & { readonly booksOpen: readonly Write[] }> {
  const { tenant } = actor;
  const [sale, tender] = await Promise.all([
    getDocumentToChange(sales, actor, id),
    nextId(saleTenders.type, tenant),
  ]);
  requireCorrectable(sale);
  const booksOpen = requireOpenBooks(actor, sale.sold_at, at);
  const moves = movesBetween(sale, requested);
  const [posting, desk] = await Promise.all([nextId(POSTING, tenant, moves.length), readDeskOf(actor, sale)]);
  requireTrading(actor, desk);
  requireSameShift(sale, desk.money.shift?.id, at);
  const gained = moves.filter(({ type }) => type === 'income');
  const [isBankTaken] = await Promise.all([takesPayments(actor, desk, gained), requireShift(actor, desk)]);
  return { ids: { tender, posting }, sale, desk, isBankTaken, booksOpen };
}
