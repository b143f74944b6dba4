import { api, ask, once } from '../api.ts';
import { attempt, form, notify } from '../attempt.ts';
import { type Cart, ONE } from '../cart.ts';
import { openDialog } from '../dialog.ts';
import { button, field, list, row, submitButton, title } from '../dom.ts';
import { workplace } from '../session.ts';
import { go } from '../shell.ts';
import { write } from '../store.ts';
import { t } from '../words.ts';

/* Goods on hold for a customer: they leave the free stock and keep their price until they are sold. */

/** Asks for whom the cart is put aside, and empties it. */
export function openHold(cart: Cart, onHeld: () => Promise<void>): void {
  const name = field(t('forWhom'), 'full_name');
  const call = once();
  const hold = async () => {
    const products = cart.lines.map(({ product_id, quantity }) => ({ product_id, quantity: quantity / ONE }));
    // The number of the draft that the hold clears; this till stores its cart itself.
    const body = { ...workplace(), cheque: 1, products, full_name: name.input.value };
    const { id } = await ask(api.POST('/company/trade/hold', { params: call, body }));
    await onHeld();
    dialog.close();
    notify(`${t('hold')} ${id}`);
  };
  const dialog = openDialog(t('toHold'), form(hold, name.label, submitButton(t('toHold'))));
  name.input.focus();
}

export async function holdsScreen(root: HTMLElement): Promise<void> {
  root.append(title(t('holds')));
  await attempt(root, async () => {
    const query = { 'filter[status]': 'in_progress', 'filter[stock_id]': workplace().stock_id } as const;
    const { data } = await ask(api.GET('/company/trade/hold', { params: { query } }));
    const rows = data.map(({ id, full_name, created_at, amount }) => {
      const sell = button(t('sellHold'), () => void attempt(root, () => redeem(id)));
      return row(full_name, `${t('hold')} ${id}, ${created_at}`, Math.round(amount * 100), sell);
    });
    root.append(list(rows));
  });
}

/** Takes the held goods into the cart, at their held prices. */
async function redeem(hold_id: number): Promise<void> {
  const params = { path: { model: hold_id } };
  const { products } = await ask(api.GET('/company/trade/hold/{model}', { params }));
  const lines = products.map(({ product_id, product, price, quantity }) => {
    const sums = { price: Math.round(price * 100), quantity: Math.round(quantity * ONE), discount: 0 };
    return { product_id, name: product?.name ?? `${product_id}`, ...sums, isFreePrice: false, marks: [] };
  });
  await write([['values', 'cart', { lines, hold_id }]]);
  go('sell');
}
