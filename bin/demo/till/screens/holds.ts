import { api, ask, once } from '../api.ts';
import { attempt, form, notify, openDialog } from '../attempt.ts';
import { type Cart, EMPTY_CART, isSame, ONE } from '../cart.ts';
import { button, field, list, row, submitButton, title } from '../dom.ts';
import { loadCart } from '../queue.ts';
import { workplace } from '../session.ts';
import { go } from '../shell.ts';
import { write } from '../store.ts';
import { t } from '../words.ts';

/* Goods on hold for a customer: they leave the free stock and keep their price until they are sold. */

/** A hold without an answer: asked for again, it goes under the same key. */
let unanswered: { cart: Cart; key: ReturnType<typeof once>; name: string } | undefined;

/** Asks for whom the cart is put aside, and empties it. */
export function openHold(cart: Cart): void {
  const before = isSame(unanswered?.cart, cart) ? unanswered : undefined;
  const name = field(t('forWhom'), 'full_name', { value: before?.name ?? '' });
  const key = before?.key ?? once();
  const hold = async () => {
    const products = cart.lines.map(({ product_id, quantity }) => ({ product_id, quantity: quantity / ONE }));
    // The number of the draft that the hold clears; this till stores its cart itself.
    const body = { ...workplace(), cheque: 1, products, full_name: name.input.value };
    unanswered = before ?? { cart, key, name: name.input.value };
    const { id } = await ask(api.POST('/company/trade/hold', { params: key, body }));
    unanswered = undefined;
    notify(`${t('hold')} ${id}`);
    dialog.close();
    // Other goods may have been scanned after the dialog was closed.
    if (!isSame(await loadCart(), cart)) return;
    await write([['values', 'cart', EMPTY_CART]]);
    if (document.querySelector('main > .sell, main > .pay')) go('sell');
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
      const sell = button(t('sellHold'), () => void attempt(root, () => redeem(root, id)));
      return row(full_name, `${t('hold')} ${id}, ${created_at}`, Math.round(amount * 100), sell);
    });
    root.append(list(rows));
  });
}

/** Takes the held goods into the cart, at their held prices. */
async function redeem(root: HTMLElement, hold_id: number): Promise<void> {
  const params = { path: { model: hold_id } };
  const { products } = await ask(api.GET('/company/trade/hold/{model}', { params }));
  const lines = products.map(({ product_id, product, price, quantity }) => {
    const sums = { price: Math.round(price * 100), quantity: Math.round(quantity * ONE), discount: 0 };
    return { product_id, name: product?.name ?? `${product_id}`, ...sums, isFreePrice: false, marks: [] };
  });
  if ((await loadCart()).lines.length > 0) return notify(t('unfinished'));
  if (!root.isConnected) return;
  await write([['values', 'cart', { lines, hold_id }]]);
  go('sell');
}
