/** All figures of a sum before and after a sale, as a new company's invoice shows them. */
export const ALL_FIGURES = { enabled: true, before: true, added: true, written_off: true, after: true };

/** Invoice settings of a new company: an invoice shows everything. Contract 9.61. */
export const FIRST_INVOICE_SETTINGS = {
  header: {
    store_name: true,
    working_hours: true,
    cashier: true,
    contacts: true,
    legal_name: true,
    client_phone: true,
    date: true,
    seller: true,
    client: true,
    tin: true,
    address: true,
  },
  working_hours: null,
  balance: ALL_FIGURES,
  debt: ALL_FIGURES,
};
