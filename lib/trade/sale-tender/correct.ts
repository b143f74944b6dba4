import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { refuseBank, requireShift, takesPayments } from '#lib/cash/desk/read.ts';
import { postAtDesk, writesAt } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { readDeskOf } from '#lib/cash/posting/reverse.ts';
import { requireOpenBooks } from '#lib/people/company/closed-books.ts';
import { documentInsertion, documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { firstPaymentsOf, sales } from '#lib/trade/sale/record.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { decideMoves, moneyOf, paymentsAfter, requireCorrectable, requireSameShift } from './decide.ts';
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
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [sale, tenderId] = await Promise.all([
      getDocumentToChange(sales, actor, id),
      nextId(saleTenders.type, tenant),
    ]);
    requireCorrectable(sale);
    const booksOpen = requireOpenBooks(actor, sale.sold_at, at);
    const issues = new ValidationIssues();
    const moves = decideMoves(sale, requested, issues);
    const [firstId, desk] = await Promise.all([
      nextId(POSTING, tenant, moves.length),
      readDeskOf(actor, sale),
    ]);
    requireTrading(actor, desk);
    requireSameShift(sale, desk.money.shift?.id, at);
    const gained = moves.filter(({ type }) => type === 'income');
    const [isTaken] = await Promise.all([takesPayments(actor, desk, gained), requireShift(actor, desk)]);
    if (!isTaken) refuseBank(requested, 'transactions', issues);
    const source = { source_type: 'sale_tender', source_id: id, ...makerOf(actor) } as const;
    const posted = postAtDesk(desk, moves, { ...source, comment: null, at, firstId }, issues);
    issues.throwIfAny();
    const { company_id, cashbox_id, currency, creator_id } = sale;
    const correction: StoredSaleTender = {
      ...{ id: tenderId, ...makerOf(actor), sale_id: id, company_id, cashbox_id, currency },
      ...{ before: moneyOf(sale), after: requested, sale_creator_id: creator_id },
      transfer_ids: posted.postings.map((posting) => posting.id),
      created_at: at,
    };
    const after = {
      ...sale,
      transactions: paymentsAfter(sale, requested, posted.postings),
      first_transactions: firstPaymentsOf(sale),
      updated_at: at,
    };
    await transact([
      ...documentReplacement(sales, tenant, sale, after),
      documentInsertion(saleTenders, tenant, correction),
      ...writesAt(tenant, posted),
      ...booksOpen,
      ...saveResponse(correction),
    ]);
    return correction;
  });
}
