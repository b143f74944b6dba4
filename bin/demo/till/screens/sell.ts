import { api, ask, Refusal, Unreachable } from '../api.ts';
import { form, notify, openDialog } from '../attempt.ts';
import { addLine, type Cart, changeLine, EMPTY_CART, type Line, lineAmount, ONE, totalOf } from '../cart.ts';
import { findByCode, type Product, priceOf, searchProducts } from '../copy.ts';
import { button, list, make, money, numberField, row, submitButton } from '../dom.ts';
import { loadCart } from '../queue.ts';
import { workplace } from '../session.ts';
import { go } from '../shell.ts';
import { write } from '../store.ts';
import { t } from '../words.ts';
import { openHold } from './holds.ts';

/* The counter. The replica responds at once; the service adds the stock, labels of scales, tracking codes. */

type Change = (cart: Cart) => Promise<void>;

export async function sellScreen(root: HTMLElement): Promise<void> {
  let cart = await loadCart();
  const named = { placeholder: t('search'), ariaLabel: t('search') };
  const search = make('input', { type: 'search', autocomplete: 'off', ...named });
  const goods = make('div', { className: 'goods' });
  const basket = make('aside', {});
  const change: Change = async (next) => {
    cart = next;
    showCart(basket, cart, change);
    await write([['values', 'cart', cart]]);
  };
  const show = (found: readonly Product[], shelf = new Map<number, number>()) => {
    const tiles = found.slice(0, 24).map((product) => {
      const texts = [product.name, make('span', {}, money(priceOf(product)))];
      if (shelf.has(product.id)) texts.push(make('small', {}, `${t('shelf')}: ${shelf.get(product.id)}`));
      const tile = button('', () => void change(addLine(cart, lineOf(product))), 'tile');
      tile.append(...texts);
      return tile;
    });
    goods.replaceChildren(...tiles);
  };
  let turn = 0;
  const find = async () => {
    show(searchProducts(search.value));
    const own = ++turn;
    // The service is asked when the typing pauses.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const found = own === turn && search.value.trim() !== '' ? await searchStock(search.value) : undefined;
    if (found && found.products.length > 0 && own === turn) show(found.products, found.shelf);
  };
  const add = async (code: string) => {
    const [only, ...others] = searchProducts(code);
    const line = (await scan(code)) ?? (only && others.length === 0 ? lineOf(only) : undefined);
    // The cart of a screen that was left may be sold.
    if (!root.isConnected) return notify(`${t('notAdded')}: ${code}`);
    if (line) return change(addLine(cart, line));
    notify(`${t('unknown')}: ${code}`);
    // The next scan replaces an unknown code.
    if (search.value === '') Object.assign(search, { value: code }).select();
    void find();
  };
  // A scanner types a code, then Enter, and may type the next before the first is found.
  let scans = Promise.resolve();
  const enter = async () => {
    const code = search.value.trim();
    if (code === '') return;
    search.value = '';
    void find();
    const before = scans.catch(() => undefined);
    const own = before.then(() => add(code)).finally(() => Object.assign(basket, { inert: scans !== own }));
    scans = own;
    // Its buttons wait for all lines.
    basket.inert = true;
  };
  search.oninput = () => void find();
  document.onkeydown = ({ key, target }) => {
    if (!root.isConnected || document.querySelector('dialog')) return;
    if (key === 'F9') void scans.then(() => cart.lines.length > 0 && root.isConnected && go('pay'));
    // A scanner types wherever the focus is.
    if (key.length === 1 && !(target instanceof HTMLInputElement)) search.focus();
  };
  root.append(make('div', {}, form(enter, search), goods), basket);
  showCart(basket, cart, change);
  show(searchProducts(''));
  // On a phone the focus would open its keyboard.
  if (matchMedia('(hover: hover)').matches) search.focus();
}

/** Searches online, with the free stock; offline it finds nothing. */
async function searchStock(text: string) {
  const { stock_id } = workplace();
  const query = { 'filter[search]': text.trim().slice(0, 100), 'with[]': ['balance' as const], stock_id };
  const call = ask(api.GET('/company/product/product', { params: { query } }));
  const { data: products } = await call.catch(() => ({ data: [] }));
  const shelf = new Map<number, number>();
  for (const { id, balance } of products)
    if (balance) shelf.set(id, balance.quantity - balance.held_quantity);
  return { products: products.filter(({ is_bundle_only }) => !is_bundle_only), shelf };
}

/** Finds the product of a scanned code: online, otherwise in the replica. */
async function scan(code: string): Promise<Line | undefined> {
  try {
    const query = { code, stock_id: workplace().stock_id };
    // A code of the replica can be sold without the answer: the wait is short.
    const signal = AbortSignal.timeout(findByCode(code) ? 1500 : 10_000);
    const found = await ask(api.GET('/company/product/scan', { params: { query }, signal }));
    const price = found.price === null ? priceOf(found.product) : Math.round(found.price * 100);
    const marks = found.mark === null ? [] : [found.mark];
    return lineOf(found.product, { price, marks, quantity: Math.round((found.quantity ?? 1) * ONE) });
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Refusal)) throw error;
    const found = findByCode(code);
    return found && lineOf(found.product, { quantity: Math.round(found.quantity * ONE) });
  }
}

function lineOf(product: Product, more: Partial<Line> = {}): Line {
  const { id: product_id, name, is_free_price: isFreePrice } = product;
  const piece = { price: priceOf(product), quantity: ONE, discount: 0, marks: [] };
  return { product_id, name, isFreePrice, ...piece, ...more };
}

function showCart(basket: HTMLElement, cart: Cart, change: Change): void {
  const rows = cart.lines.map((line) => {
    const discount = line.discount > 0 ? ` − ${money(line.discount)}` : '';
    const note = `${line.quantity / ONE} × ${money(line.price)}${discount}`;
    const step = (sign: string, by: number) => {
      const onclick = () => void change(changeLine(cart, line, { quantity: line.quantity + by * ONE }));
      return make('button', { type: 'button', ariaLabel: `${sign} ${line.name}`, onclick }, sign);
    };
    const edit = button('✎', () => editLine(cart, line, change));
    edit.ariaLabel = `${t('edit')}: ${line.name}`;
    return row(line.name, note, lineAmount(line), step('−', -1), step('+', 1), edit);
  });
  const hold = button(t('toHold'), () => openHold(cart));
  const clear = button(t('clear'), () => void change(EMPTY_CART));
  const pay = button(`${t('toPay')} ${money(totalOf(cart))}`, () => go('pay'), 'main');
  for (const each of [hold, clear, pay]) each.disabled = rows.length === 0;
  // A hold takes goods at the prices of their cards.
  if (cart.hold_id !== null || cart.lines.some((line) => line.discount > 0)) hold.disabled = true;
  const title = cart.hold_id === null ? t('cheque') : `${t('hold')} ${cart.hold_id}`;
  const others = make('div', { className: 'row' }, hold, clear);
  basket.replaceChildren(make('h2', {}, title), list(rows, t('emptyCart')), others, pay);
}

function editLine(cart: Cart, line: Line, change: Change): void {
  const quantity = numberField(t('quantity'), 'sold_quantity', `${line.quantity / ONE}`, 8);
  const price = numberField(t('price'), 'price', `${line.price / 100}`);
  const discount = numberField(t('discount'), 'discount', `${line.discount / 100}`);
  price.input.disabled = !line.isFreePrice;
  const save = async () => {
    const money = { price: price.readAmount(), discount: discount.readAmount() };
    await change(changeLine(cart, line, { ...money, quantity: quantity.readAmount() }));
    dialog.close();
  };
  const fields = [quantity.label, price.label, discount.label, submitButton(t('save'))];
  const dialog = openDialog(line.name, form(save, ...fields));
  quantity.input.select();
}
