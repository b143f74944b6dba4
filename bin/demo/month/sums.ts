import type { Person, Reply } from '../../cli/person.ts';
import { balance, sum } from '../books.ts';
import { dayIn, type MonthScene } from './month.ts';

/* Sums at the end of a month: each is that of the documents, or an error. */

/**
 * Lists VAT by rate. Throws unless it is that of the sales less that of the returns, within the revenue of
 * the report of sales.
 */
export async function reconcileVat(person: Person, scene: MonthScene): Promise<object[]> {
  const period = `filter[date][0]=${scene.start}&filter[date][1]=${dayIn(scene, 31)}`;
  const { totals } = await report(person, `vat?group=month&${period}`);
  const { totals: sales } = await report(person, `sales?group=month&${period}`);
  const [sold, returned] = await Promise.all([
    person.call('GET /company/trade/sale?totals=true&page-size=1'),
    person.call('GET /company/trade/sale/return?totals=true&page-size=1'),
  ]);
  const ofDocuments = (field: string) =>
    sum([sumIn(sold, 'meta.totals', field), -sumIn(returned, 'meta.totals', field)]);
  const rows = totals.map((row) => ({
    'VAT rate': Object(row.body).vat_percent ?? 'none',
    sold: row.number('sold_amount'),
    'given back': row.number('returned_amount'),
    amount: row.number('amount'),
    VAT: row.number('vat_amount'),
  }));
  const sumOf = (column: 'amount' | 'VAT') => sum(rows.map((row) => row[column]));
  const revenue = sum(sales.map((row) => row.number('revenue')));
  const all = balance(revenue, { 'VAT rate': 'all', sold: '', 'given back': '', amount: sumOf('amount') });
  return [...rows, balance(ofDocuments('vat_amount'), { ...all, VAT: sumOf('VAT') })];
}

/** Lists the operations behind the debt to the supplier. Throws unless the report has their sum. */
export async function reconcilePayables(person: Person, { supplierId }: MonthScene): Promise<object[]> {
  const operations = (await person.call(`GET /company/stock/supplier/${supplierId}/operations`)).rows();
  const of = (...types: string[]) =>
    sum(operations.filter((each) => types.includes(each.text('type'))).map((each) => each.number('amount')));
  const parts = {
    'from before': of('opening'),
    'goods and their corrections': of('receipt', 'writeoff', 'cost_correction'),
    'paid, and reversed': of('payment', 'reversal'),
    corrected: of('correction'),
  };
  const { totals } = await report(person, 'payables');
  const owed = sum(totals.flatMap((row) => [row.number('total'), -row.number('prepaid')]));
  return [balance(sum(Object.values(parts)), { ...parts, owed })];
}

/** Lists the entries of the deposits. Throws unless they add up to the sum in the report. */
export async function reconcileDeposits(person: Person): Promise<object[]> {
  const entries = (await person.call('GET /company/client/deposit?page-size=200')).rows();
  const of = (type: string) =>
    sum(entries.filter((each) => each.text('type') === type).map((each) => each.number('amount')));
  const parts = {
    'taken in': of('income'),
    spent: of('sale'),
    'given back': of('return'),
    'paid out': of('outcome'),
  };
  const { totals } = await report(person, 'deposits');
  const kept = sum(totals.map((row) => row.number('amount')));
  return [balance(sum(Object.values(parts)), { ...parts, kept })];
}

/** Lists the debts by their ends. Throws unless the report has the sum of the rest. */
export async function reconcileDebts(person: Person): Promise<object[]> {
  const debts = (await person.call('GET /company/client/debt')).rows();
  const of = (field: string) => sum(debts.map((debt) => debt.number(field)));
  const parts = {
    owed: of('amount'),
    paid: 0 - of('repaid_amount'),
    returned: 0 - of('returned_amount'),
    'written off': 0 - of('written_off_amount'),
  };
  const { totals } = await report(person, 'debts');
  const left = sum(totals.map((row) => row.number('total')));
  return [balance(sum(Object.values(parts)), { ...parts, left })];
}

async function report(person: Person, query: string) {
  const reply = await person.call(`GET /company/report/${query}`);
  return { rows: reply.rows(), totals: reply.rows('totals') };
}

function sumIn(reply: Reply, path: string, field: string): number {
  return sum(reply.rows(path).map((row) => row.number(field)));
}
