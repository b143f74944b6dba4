import { api, ask, type Schemas, Unreachable } from '../api.ts';
import { attempt, form, printPage } from '../attempt.ts';
import { type Cart, lineAmount, ONE, settle, type Tender, totalOf } from '../cart.ts';
import { dollarRate, saleCurrency, saleTimes } from '../copy.ts';
import { button, make, money, numberField, problemPlace, row, submitButton } from '../dom.ts';
import { loadCart, type SaleBody, sell } from '../queue.ts';
import { session, workplace } from '../session.ts';
import { go, showState } from '../shell.ts';
import { t } from '../words.ts';

/* Payment. Without input it is exact cash, so Enter pays. Online a preview shows refusals beforehand. */

/** Notes that people pay with, in 1/100 of a sum; the next three are offered. */
const NOTES = [2_000_000, 5_000_000, 10_000_000, 20_000_000];

export async function payScreen(root: HTMLElement): Promise<void> {
  const cart = await loadCart();
  const total = totalOf(cart);
  // One rate for the whole payment, and one number: a sale paid again replaces the first.
  const rate = dollarRate();
  const key = `till-${crypto.randomUUID()}`;
  const cash = numberField(t('cashGiven'), 'cash');
  const dollars = numberField(t('dollars'), 'dollars');
  const card = numberField(t('card'), 'card');
  cash.input.placeholder = money(total);
  const due = make('output', { className: 'due' });
  const tenderIn = (): Tender => {
    const others = { dollars: dollars.readAmount(), card: card.readAmount() };
    const rest = settle(total, { cash: 0, ...others }, rate).left;
    return { cash: cash.input.value === '' ? rest : cash.readAmount(), ...others };
  };
  const showDue = () => {
    const { counted, left, change, isTooMuch } = settle(total, tenderIn(), rate);
    const text = left > 0 ? `${t('left')} ${money(left)}` : `${t('change')} ${money(change)}`;
    const worth = make('small', {}, counted > 0 ? `$ = ${money(counted)}` : '');
    due.replaceChildren(isTooMuch ? t('tooMuch') : text, worth);
    submit.disabled = left > 0 || isTooMuch;
    due.classList.toggle('short', submit.disabled);
  };
  const pay = async () => {
    const { payments, change, change_amount } = paymentsOf(total, tenderIn(), rate);
    // A refusal of `transactions.0` belongs to the field that it came from.
    for (const [name, { label }] of Object.entries({ cash, dollars, card })) {
      const index = payments.findIndex(({ from }) => from === name);
      label.querySelector('.problem')?.setAttribute('data-path', `transactions.${index}`);
    }
    const transactions = payments.map(({ payment }) => payment);
    // Time and seller are fixed here, and stay the same however often and by whatever call it is sent.
    const fixed = { key, ...saleTimes(), creator_id: session()?.user_id ?? null };
    const body = { ...saleBody(cart), ...fixed, transactions, ...change_amount };
    const sold = await sell({ key, body, cart, reason: null }, () => root.isConnected);
    await showState(sold !== undefined);
    showDone(root, cart, change, sold);
  };
  const submit = submitButton(t('pay'));
  const give = (note: number) => {
    cash.input.value = money(note);
    cash.input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const larger = NOTES.filter((note) => note > total).slice(0, 3);
  const notes = larger.map((note) => button(money(note), () => give(note)));
  const fields = [cash.label, make('div', { className: 'row' }, ...notes), dollars.label, card.label];
  const back = button(t('back'), () => go('sell'), 'quiet');
  const paying = form(pay, make('h1', {}, money(total)), due, ...fields, submit, back, linesOf(cart));
  paying.oninput = showDue;
  root.append(paying);
  showDue();
  cash.input.focus();
  void attempt(root, () => preview(cart));
}

const CASH = { payment_type: 'cash' } as const;

/** Lists payments in the format of the service: exact amounts, with the tendered cash. */
function paymentsOf(total: number, tender: Tender, rate: number) {
  const { cash, dollars, card } = tender;
  const { left: due } = settle(total, { ...tender, cash: 0 }, rate);
  const { change } = settle(total, tender, rate);
  const tendered = cash > due ? { tendered_amount: cash / 100 } : {};
  const all = [
    { from: 'cash', paid: due, payment: { ...CASH, amount: due / 100, ...tendered } },
    { from: 'dollars', paid: dollars, payment: { ...CASH, amount: dollars / 100, currency: 'usd' } },
    { from: 'card', paid: card, payment: { payment_type: 'card', amount: card / 100 } },
  ] as const;
  // Change for dollars belongs to the sale, change for sums to their payment.
  const change_amount = due === 0 && change > 0 ? { change_amount: change / 100 } : {};
  return { payments: all.filter(({ paid }) => paid > 0), change, change_amount };
}

function saleBody(cart: Cart): SaleBody {
  const products = cart.lines.map(({ product_id, quantity, price, discount, marks }) => {
    const sums = { price: price / 100, discount: discount / 100 };
    return { product_id, sold_quantity: quantity / ONE, ...sums, marks: [...marks] };
  });
  return { ...workplace(), currency: saleCurrency(), hold_id: cart.hold_id, products };
}

/** Asks the service for refusals of the sale; offline there are none. */
async function preview(cart: Cart): Promise<void> {
  await ask(api.POST('/company/trade/sale/preview', { body: saleBody(cart) })).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error;
  });
}

function linesOf(cart: Cart): HTMLElement {
  const rows = cart.lines.map((line, index) =>
    row(line.name, `× ${line.quantity / ONE}`, lineAmount(line), problemPlace(`products.${index}`)),
  );
  return make('ul', {}, ...rows);
}

/** Shows the change to give. Offline this page is the slip. */
function showDone(root: HTMLElement, cart: Cart, change: number, sold?: Schemas['Sale']): void {
  const print = async () => {
    if (!sold) return window.print();
    const params = { path: { model: sold.id }, query: { format: 'html' } } as const;
    await printPage(ask(api.GET('/company/trade/sale/{model}/print', { params, parseAs: 'text' })));
  };
  const title = make('h2', {}, sold ? `${t('sold')} ${sold.code}` : t('keptOffline'));
  const due = make('output', { className: 'due' }, `${t('change')} ${money(change)}`);
  const next = button(t('nextSale'), () => go('sell'), 'main');
  const parts = [title, make('h1', {}, money(totalOf(cart))), due, linesOf(cart)];
  root.replaceChildren(form(print, ...parts, make('button', {}, t('print')), next));
  // Not at once: the second Enter of a hasty cashier would skip the change.
  setTimeout(() => next.focus(), 1000);
}
