import { closeShift } from '#lib/trade/shift/close.ts';
import { openShift } from '#lib/trade/shift/open.ts';
import { ClosingInput, OpeningInput, shifts } from '#lib/trade/shift/record.ts';
import { type Day, documentsOf } from './day.ts';
import { chosen, deskOf, type How, isAtBranch, type Makings } from './step.ts';
import { moneyOf } from './tender.ts';

const told = () => ({ at: Date.now(), locale: 'ru' }) as const;

const ENDINGS = ['keep', 'transfer_all', 'transfer_part'] as const;

/** Steps of shifts: without one, nothing else is done at a desk of the main company. */
export const SHIFT_STEPS = {
  shiftOpen: async (day, actor, how) => {
    const [stock_id] = isAtBranch(how) ? [day.branch.stockId] : day.stockIds;
    const opening_balances =
      how.pick % 2 ? [{ payment_type: 'cash', currency: moneyOf(how), amount: how.pieces }] : [];
    const input = OpeningInput.parse({ cashbox_id: deskOf(day, how), stock_id, opening_balances });
    return (saveResponse) => openShift(actor, input, told(), saveResponse);
  },
  shiftClose: async (day, actor, how) => {
    const shift = await openShiftIn(day, how);
    if (!shift) return undefined;
    const surplus =
      how.pick % 4
        ? []
        : [{ payment_type: how.pick % 8 ? 'cash' : 'card', currency: 'usd', amount: how.pieces }];
    const leave_amounts = [{ currency: 'uzs', amount: how.pieces }];
    const ending = ENDINGS[how.pick % 3];
    const input = ClosingInput.parse({
      ...{ closing_action: ending, closing_comment: 'Пересчёт', actuals: surplus },
      ...(ending === 'transfer_part' && { leave_amounts }),
    });
    return (saveResponse) => closeShift(actor, { id: shift.id, ...input }, told(), saveResponse);
  },
} satisfies Makings;

async function openShiftIn({ tenant }: Day, how: How) {
  return chosen(await documentsOf(tenant, shifts), how, ({ status }) => status === 'open');
}
