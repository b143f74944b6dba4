import { api, ask, labelsOf, once, type Schemas } from '../api.ts';
import { attempt, form, printPage } from '../attempt.ts';
import { button, choiceField, field, make, money, numberField, submitButton, title } from '../dom.ts';
import { workplace } from '../session.ts';
import { go } from '../shell.ts';
import { t } from '../words.ts';

/* A shift: opened with change in the drawer, looked at by X, closed by a count, and printed as Z. */

type Shift = NonNullable<Schemas['CashboxShiftCurrent']['data']>;

export async function shiftScreen(root: HTMLElement): Promise<void> {
  root.replaceChildren(title(t('shift')));
  await attempt(root, async () => {
    const { data, settings } = await ask(api.GET('/company/trade/cashbox-shift/current'));
    if (data) return showShift(root, data);
    root.append(settings.is_enabled ? openingForm() : make('p', { className: 'hint' }, t('noShifts')));
  });
}

function openingForm(): HTMLFormElement {
  const change = numberField(t('changeMoney'), 'opening_balances');
  const call = once();
  const open = async () => {
    const amount = change.readAmount() / 100;
    const cash = { payment_type: 'cash', currency: 'uzs', amount } as const;
    const body = { ...workplace(), opening_balances: amount > 0 ? [cash] : [] };
    await ask(api.POST('/company/trade/cashbox-shift', { params: call, body }));
    go('sell');
  };
  return form(open, change.label, submitButton(t('openShift')));
}

async function showShift(root: HTMLElement, { id: model, opened_at, summary }: Shift): Promise<void> {
  const labels = await labelsOf('shift.closing_action');
  const all = labels.filter(([value]) => value !== 'transfer_part');
  const action = choiceField(t('closingAction'), 'closing_action', all);
  const comment = field(t('comment'), 'closing_comment');
  const counts = (summary?.rows ?? []).map((row, index) => {
    const expected = `${t('expected')} ${money(Math.round(row.expected * 100))}`;
    const label = `${row.payment_type_name}, ${row.currency.toUpperCase()} · ${expected}`;
    return { ...row, ...numberField(label, `actuals.${index}`, `${row.expected}`) };
  });
  const call = once();
  const close = async () => {
    const actuals = counts.map(({ payment_type, currency, payment_type_id, readAmount }) => {
      return { payment_type, currency, payment_type_id, amount: readAmount() / 100 };
    });
    const closing_action = action.input.value === 'transfer_all' ? 'transfer_all' : 'keep';
    const body = { actuals, closing_action, closing_comment: comment.input.value || null } as const;
    const params = { path: { model }, ...call };
    await ask(api.PATCH('/company/trade/cashbox-shift/{model}/close', { params, body }));
    await shiftScreen(root);
    await print();
  };
  // X while the shift is open, Z once it is closed.
  const print = async () => {
    const printing = { params: { path: { model }, query: { format: 'html' } }, parseAs: 'text' } as const;
    await printPage(ask(api.GET('/company/trade/cashbox-shift/{model}/print', printing)));
  };
  const fields = [...counts.map(({ label }) => label), action.label, comment.label];
  const x = button(t('printX'), () => void attempt(root, print));
  const facts = make('p', {}, `${t('opened')} ${opened_at} · ${t('cheques')}: ${summary?.checks_count ?? 0}`);
  root.append(facts, x, form(close, make('h2', {}, t('counted')), ...fields, submitButton(t('closeShift'))));
}
