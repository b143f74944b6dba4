import { attempt } from '../attempt.ts';
import { ONE, totalOf } from '../cart.ts';
import { button, list, make, row, title } from '../dom.ts';
import { readSales, retry } from '../queue.ts';
import { showState } from '../shell.ts';
import { t } from '../words.ts';

/* Sales to be sent, and refused ones: their goods are gone, so a person decides. */

export async function queueScreen(root: HTMLElement): Promise<void> {
  const rows = (await readSales()).map((sale) => {
    const again = async () => {
      await retry(sale);
      await showState();
      await queueScreen(root);
    };
    const goods = sale.cart.lines.map(({ name, quantity }) => `${name} × ${quantity / ONE}`).join(', ');
    const title = `${sale.reason === null ? t('waiting') : t('refused')}, ${sale.body.sold_at}`;
    const reason = make('p', { className: 'problem' }, sale.reason ?? '');
    const buttons = sale.reason !== null ? [button(t('tryAgain'), () => void attempt(root, again))] : [];
    return row(title, `${goods} · ${sale.key}`, totalOf(sale.cart), ...buttons, reason);
  });
  root.replaceChildren(title(t('queue')), list(rows));
}
