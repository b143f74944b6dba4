import { print } from '../cli/main.ts';
import type { Person, Reply } from '../cli/person.ts';
import { withSpaces } from './shop.ts';

const WAYS = ['cash', 'card', 'bank', 'bonus', 'debt', 'exchange', 'deposit'] as const;

/** Longest bar, in characters. */
const LONGEST = 32;

/** Draws the sales of the latest sale's day: payments and profit. */
export async function drawDay(person: Person): Promise<void> {
  const [latest] = (await person.call('GET /company/trade/sale?page-size=1')).rows();
  const day = latest?.text('sold_at').slice(0, 10);
  const period = `filter[date][0]=${day}&filter[date][1]=${day}`;
  const { totals, rows } = await readReport(person, `sales?group=creator&${period}`);
  print(`\nThe report of ${day}.`);
  for (const total of totals) {
    print(`  ${total.text('currency')}`);
    for (const name of ['sold_amount', 'returned_amount', 'revenue', 'cost', 'profit']) {
      print(`  ${name.replace('_amount', '').padEnd(10)} ${amountIn(total, name)}`);
    }
    print('  paid by');
    const max = Math.max(1, ...WAYS.map((way) => total.number(`by_payment_type.${way}`)));
    for (const way of WAYS) {
      const amount = total.number(`by_payment_type.${way}`);
      const bar = '█'.repeat(Math.ceil((amount / max) * LONGEST));
      if (amount > 0) print(`    ${way.padEnd(8)} ${amountIn(total, `by_payment_type.${way}`)} ${bar}`);
    }
  }
  for (const row of rows)
    print(`  ${row.text('label')}: ${row.number('sales_count')} cheques, ${amountIn(row, 'revenue').trim()}`);
}

async function readReport(person: Person, query: string) {
  const report = await person.call(`GET /company/report/${query}`);
  return { rows: report.rows(), totals: report.rows('totals') };
}

function amountIn(row: Reply, path: string): string {
  return withSpaces(row.number(path)).padStart(10);
}
