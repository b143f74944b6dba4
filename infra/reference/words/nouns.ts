/** The rules of each noun, beside what its operations say: what a caller must know before the first call. */
const RULES: Readonly<Record<string, string>> = {
  'admin billing tariff':
    'What a company pays: a price for the main company and for each branch, monthly or yearly, which is twelve months. The balance is charged on `next_payment_at`; a company below zero for longer than its grace days is blocked until the balance covers `due_now`. A deposit may be negative, to correct.',
  'admin company company':
    'Companies and their branches. A company with its branches is a family: ids of its records count from 1, and nobody sees those of another family. Making one copies the templates of units, sets the rates of four currencies and makes its main cash desk.',
  'admin company user':
    'Directors and employees of companies, made by administrators. A director without a role has the role `Director`; `cashbox_ids` and `stock_ids` are exactly what is open to an employee.',
  'admin partner partner': 'Partners, who look after companies. One that has companies is not deleted.',
  'admin partner user': 'Users of partners. One without a role has the role `Partner` of the partner.',
  'admin product service-unit':
    'Templates of service units. A new company gets a copy of each; editing a template changes no copy.',
  'admin product unit':
    'Templates of units. Making one copies it to all companies at once; editing it changes no copy. One with products of it is not deleted.',
  'admin region district': 'Districts of regions. One that has neighbourhoods or companies is not deleted.',
  'admin region mfy': 'Neighbourhoods. A name is unique within its district.',
  'admin region region': 'Regions. One that has districts is not deleted.',
  'admin system external-key':
    'Keys of other systems, bound to companies or to a partner. A key is shown once, when it is made, and held as a hash. A wrong key is 404 everywhere.',
  'admin system language': 'The languages of the service. Only name and image can be changed.',
  'admin system version': 'What changed in which version. A version is unique within its project.',
  'admin user notification':
    'Broadcasts. The notifications are made by a worker; `user_query` selects their readers as the list of users would.',
  'admin user role':
    'Roles. A right is the path with dots and the operation; `company.*` stands for all. Nobody gives a right that they lack, nor changes a role with one. A role that users have is not deleted.',
  'admin user user':
    'Administrators. Who changes an account, or acts as it, holds every right and company that it has. A new password ends all sessions of the user.',
  'common auth':
    'Signing in. A token is good for 30 days, and ends with a logout, a new password or the account. Five wrong passwords for a name from one address in a minute are 429. A till signs in at a desk, and a second sign-in there ends the first.',
  'common public':
    'Files that forms send beside their records. Images may be uploaded here, or sent past the API by a form that `upload-form` gives.',
  'common public create-record':
    'A record made while another form is filled in: three a minute for one user.',
  'common public file': 'Files of the public catalogue.',
  'common public records': 'What drop-downs show: id and name. Which types there are depends on the caller.',
  'common user': 'The caller: profile, role, company, partner. A new password ends all earlier sessions.',
  'common user notification': 'Notifications of the caller. Reading one marks it as seen.',
  'company cashbox cashbox':
    'Cash desks, `main` or `sale`; a company has one main desk. A desk holds money by kind of payment and currency, and never less than nothing. One that has money is neither deleted nor given to another company.',
  'company cashbox currency-rate':
    'How many sums a unit of each currency is worth, by company. The rate of the sum is always 1. A price in a currency without a rate can not be sold.',
  'company cashbox operation':
    'Money that comes and goes by hand: income, expense, conversion, moves between desks. Every movement is one transfer with the balances after it. One is taken back by `return`, or by `cancel` on the same day.',
  'company cashbox operation collection':
    'Money on its way from a desk to the main one: `on_hold` until the main desk confirms it.',
  'company cashbox reason': 'Items of income and expense, in a tree. One with items below is not deleted.',
  'company client bonus-tariff': 'What percentage of a paid cheque a client earns as bonuses.',
  'company client client':
    'Clients, known by their main phone. What they owe and their bonuses are sums that cheques, returns and payments move. One who owes is not deleted.',
  'company client debt':
    'What a client owes for one cheque: `not_repaid`, `partially_repaid`, `repaid`. Debts are paid in the order of `due_date`, then as they were made.',
  'company client debt-payment':
    'Payments of debts. One payment may close several debts, the earliest due first. It can be refunded on the last day of payments.',
  'company company': 'What the company of the caller has set for its shifts and invoices.',
  'company product brand':
    'Brands, shared by a company and its branches. They can be imported from Excel, 500 rows at once.',
  'company product bundle':
    'Products that are sold together at one price. The price is shared over the products to the last hundredth.',
  'company product category':
    'Categories of products, in a tree. One with categories below or products is not deleted.',
  'company product option': 'The values of a specification: `red` of colour.',
  'company product product':
    'Cards of products. A main card has a brand; a variant has a card above it. A new price leaves a batch of repricing behind. The barcode is unique in the family.',
  'company product service': 'Services, sold by a unit of their own.',
  'company product service-unit':
    'Units of services: copies of the templates and own ones. One that services have is not deleted.',
  'company product specification': 'Properties of products. One that has options is not deleted.',
  'company product unit':
    'Units of products: copies of the templates and own ones. One that products have is not deleted.',
  'company stock product':
    'What stands in which warehouse: the free quantity, and the batches that it consists of. Only documents change it; each change is a movement.',
  'company stock stock':
    'Warehouses. One that has goods is neither deleted nor given to another company; one that is being counted is closed to every movement.',
  'company stock supplier':
    'Suppliers, and what is owed to them: the sum of operations, which receipts, payments and write-offs make.',
  'company tariff':
    'The subscription of the company: what it pays, what it owes, and paying it by card or QR code. A payment is `pending`, `paid`, `canceled` or `failed`; the gateway tells its end.',
  'company tariff pay-card':
    'Paying the tariff by card: the gateway sends a code to the phone of the card, and `confirm` takes it. Nothing of the card is kept.',
  'company tariff payment-status':
    'Where a payment of the tariff is: `pending` until the gateway tells its end.',
  'company trade cashbox cheque':
    'Drafts of cheques, three a desk. A product in a draft is in an active sale: it is neither written off nor repriced.',
  'company trade cashbox-shift':
    'Shifts of a desk: one open at a time, and one for a user. While shifts are on, whatever moves the money of a sale desk needs one. Closing counts the money, and a difference becomes a transfer.',
  'company trade cashbox-shift expense-reasons':
    'Items of expense that a shift may spend on: those without items below.',
  'company trade hold':
    'Goods put aside for a customer: they leave the free stock at once and keep their price. A sale with its id as `hold_id` closes it (`completed`); otherwise it is `canceled`, for nothing expires by itself.',
  'company trade inventory':
    'Counts of a warehouse, full or partial. The warehouse is closed meanwhile. At the end the surplus is a receipt and the shortage a write-off.',
  'company trade purchase':
    'Receipts of goods: `draft` until it is `completed`, which makes batches and owes the supplier; `canceled` while all its batches are whole.',
  'company trade recalculation-batch':
    'Repricing: many products at once, or one whose card was edited. Rows that can not be repriced are skipped, each with its reason.',
  'company trade sale':
    'Cheques. Goods leave the oldest batches first; payments add up to the total exactly. A debt needs a client and a `due_date`. Goods come back by `return`, or by `exchange` for others: never more than was sold, and never more money than came in.',
  'company trade transfer':
    'Goods on their way between two warehouses: `in_transit`, then `completed` or `canceled`.',
  'company trade writeoff':
    'Goods that leave unsold: `waiting_for_confirmation`, then `completed` or `canceled`. A completed one can be canceled on the same day.',
  'company user role': 'Roles of the employees of the family.',
  'company user user': 'Directors and employees of the family, made by its directors.',
  'external billing':
    'What the payment gateway tells, signed with HMAC-SHA256 over the raw body in `X-Signature`. It is queued, and credited once however often it comes.',
  'external credit trade-sale':
    'Sales on credit by other systems, on behalf of a company that a header names. The same `external_id` again gives the same sale. It works for a deactivated company too.',
  'partner company': 'The companies of the partner.',
};

/** Tells the rules of a noun; empty if nobody has written them, which a test finds. */
export function rulesOf(noun: string): string {
  return RULES[noun] ?? '';
}
