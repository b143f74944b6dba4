import { Desk, desks } from '#lib/cash/desk/desk.ts';
import { Client, clients } from '#lib/clients/client.ts';
import { ClientBalances, clientBalancesKey, debtIn, depositIn } from '#lib/clients/client-balances.ts';
import { debts, StoredDebt } from '#lib/clients/debt/record.ts';
import { invoiceSettingsOf } from '#lib/people/company/invoice-settings.ts';
import { keyOfCompany } from '#lib/people/company/known.ts';
import { companies } from '#lib/people/company/record.ts';
import { creatorEmbed, nameOfUser } from '#lib/people/user/colleague.ts';
import { StoredUser } from '#lib/people/user/user.ts';
import { embed } from '#lib/records/query/embeds.ts';
import { parseRecord, parseStored } from '#lib/records/stored.ts';
import { keyIfAny, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { type Sale, systemOf } from '#lib/trade/sale/record.ts';

/**
 * Reads the parties of a sale's documents: the company with its settings, the client, the seller, the desk;
 * also the debt of the sale, and the client's present debt and deposit. One or two round trips.
 */
export async function readInvoiceParties(tenant: Tenant, sale: Sale) {
  const { company_id, client_id, creator_id, cashbox_id, transactions } = sale;
  const debtId = transactions.find(({ debt_id }) => debt_id !== null)?.debt_id ?? null;
  const [[company, client, debt, sums, desk], [made]] = await Promise.all([
    getItems([
      keyOfCompany(company_id),
      keyIfAny(client_id, (id) => recordKey(clients.type, tenant, id)),
      keyIfAny(debtId, (id) => recordKey(debts.type, tenant, id)),
      keyIfAny(client_id, (id) => clientBalancesKey(tenant, id)),
      recordKey(desks.type, tenant, cashbox_id),
    ]),
    embed([{ creator_id }], [creatorEmbed]),
  ]);
  const { name, company_name, inn, address, phone, ...rest } = parseRecord(companies.schema, company);
  const buyer = client ? parseStored(Client, client) : null;
  const cashier = sellerOf(sale, made?.['creator']);
  return {
    settings: invoiceSettingsOf(rest),
    company: { name, legal_name: company_name, tin: inn, address, phone },
    client: buyer && { id: buyer.id, full_name: buyer.full_name, phone: buyer.main_phone },
    cashier,
    creator: { full_name: cashier.full_name },
    debt: debt ? parseStored(StoredDebt, debt) : undefined,
    desk: parseStored(Desk, desk).name,
    owed: sums ? ClientBalances.parse(sums)[debtIn(sale.currency)] : 0,
    deposit: sums ? ClientBalances.parse(sums)[depositIn(sale.currency)] : 0,
  };
}

/** Returns the seller: the user, or the credit system. */
function sellerOf(sale: Sale, creator: unknown) {
  if (sale.source_type === 'credit') return { full_name: systemOf(sale), is_director: false };
  const user = parseStored(StoredUser, creator);
  return { full_name: nameOfUser(user), is_director: user.type === 'director' };
}
