import { api, ask, labelsOf, once, Refusal, type Schemas, Unreachable } from '../api.ts';
import { attempt, form, printPage } from '../attempt.ts';
import { isSame, ONE, parseAmount } from '../cart.ts';
import { button, choiceField, field, list, make, money, numberField, row, submitButton } from '../dom.ts';
import { workplace } from '../session.ts';
import { t } from '../words.ts';

/* Returns: the sale, its lines, and the refund due by a preview, which takes debts and bonuses off. */

type Sale = Schemas['SaleDetails'];
type Refund = { readonly body: Pick<Schemas['SaleReturnInput'], 'products'>; readonly amount: number };

const REASONS = ['defective', 'size_not_fit', 'expired_date', 'not_match'] as const;

export async function returnsScreen(root: HTMLElement): Promise<void> {
  const number = field(t('chequeNumber'), 'model', { inputMode: 'decimal' });
  const open = async (model: number) => {
    const sale = await ask(api.GET('/company/trade/sale/{model}', { params: { path: { model } } }));
    showSale(root, sale, choiceField(t('reason'), 'reason', await labelsOf('return.reason')));
  };
  const openTyped = async () => {
    const model = parseAmount(number.input.value.replace('#', ''), 0);
    if (!model) throw new Refusal(t('noNumber'));
    await open(model);
  };
  const find = form(openTyped, number.label, make('button', {}, t('open')));
  // Loaded apart: the form can be used at once.
  const recent = make('span');
  root.replaceChildren(make('h1', {}, t('returns')), find, recent);
  number.input.focus();
  await attempt(recent, async () => {
    const query = { 'filter[cashbox_id]': workplace().cashbox_id, 'page-size': 10 };
    const { data } = await ask(api.GET('/company/trade/sale', { params: { query } }));
    const rows = data.map(({ id, code, sold_at, sold_amount }) => {
      const opening = button(t('open'), () => void attempt(find, () => open(id)));
      return row(code, sold_at, Math.round(sold_amount * 100), opening);
    });
    recent.replaceWith(list(rows));
  });
}

/** Shows a sale, and the refund due for the chosen quantities. */
function showSale(root: HTMLElement, sale: Sale, reasons: ReturnType<typeof choiceField>): void {
  const path = { model: sale.id };
  const key = once();
  const counts = sale.products.map(({ id, product, price, ...line }, index) => {
    const most = line.sold_quantity - line.returned_quantity;
    const label = `${product?.name ?? line.product_id}, ${money(Math.round(price * 100))} × ${most}`;
    return { id, ...numberField(label, `products.${index}`, '', 8) };
  });
  const due = make('output', { className: 'due' });
  const bodyOf = () => {
    const reason_type = REASONS.find((reason) => reason === reasons.input.value) ?? 'not_match';
    const lines = counts.map(({ id, readAmount }) => {
      return { id, reason_type, returned_quantity: readAmount() / ONE };
    });
    return { products: lines.filter(({ returned_quantity }) => returned_quantity > 0) };
  };
  // A refund without an answer is sent again as it was: a preview would refuse goods that are back already.
  let unanswered: Refund | undefined;
  const preview = async (): Promise<Refund | undefined> => {
    const body = bodyOf();
    submit.disabled = true;
    due.textContent = '';
    if (body.products.length === 0 || !returning.checkValidity()) return undefined;
    const call = isSame(unanswered?.body, body) ? Promise.resolve(unanswered) : refundOf(path, body);
    await call.catch(() => undefined);
    // The input has changed during the call.
    if (!isSame(bodyOf(), body)) return preview();
    const refund = await call;
    due.textContent = `${t('payOut')} ${money(Math.round((refund?.amount ?? 0) * 100))}`;
    submit.disabled = false;
    return refund;
  };
  const giveBack = async () => {
    const refund = await preview();
    if (!refund) return;
    const { body, amount } = refund;
    const transactions = amount > 0 ? [{ payment_type: 'cash' as const, amount }] : [];
    const params = { path, ...key };
    const call = api.PATCH('/company/trade/sale/{model}/return', { params, body: { ...body, transactions } });
    await ask(call).catch((error: unknown) => {
      unanswered = error instanceof Unreachable ? refund : undefined;
      throw error;
    });
    showDone(root, sale.id, due);
  };
  const submit = submitButton(t('giveBack'));
  const fields = [...counts.map(({ label }) => label), reasons.label, due, submit];
  const back = button(t('back'), () => void returnsScreen(root), 'quiet');
  const returning = form(giveBack, make('h1', {}, `${t('cheque')} ${sale.code}`), ...fields, back);
  returning.oninput = () => void attempt(returning, async () => void (await preview()));
  root.replaceChildren(returning);
  submit.disabled = true;
  counts[0]?.input.focus();
}

/** Asks for the amount to pay out for goods that are given back. */
async function refundOf(path: { model: number }, body: Refund['body']): Promise<Refund> {
  const call = api.POST('/company/trade/sale/{model}/return/preview', { params: { path }, body });
  return { body, amount: (await ask(call)).due.left };
}

function showDone(root: HTMLElement, model: number, due: HTMLElement): void {
  const print = async () => {
    const { returns } = await ask(api.GET('/company/trade/sale/{model}', { params: { path: { model } } }));
    const path = { model, return_id: returns.at(-1)?.id ?? 0 };
    const call = { params: { path, query: { format: 'html' } }, parseAs: 'text' } as const;
    await printPage(ask(api.GET('/company/trade/sale/{model}/return/{return_id}/print', call)));
  };
  const back = button(t('back'), () => void returnsScreen(root), 'quiet');
  root.replaceChildren(form(print, make('h1', {}, t('returned')), due, submitButton(t('print')), back));
}
