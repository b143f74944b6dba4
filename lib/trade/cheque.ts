import type { Home, Key } from '#lib/table/keys.ts';
import { remove, type Write } from '#lib/table/write.ts';

/** Where a draft of a desk is; those of a company stand together, so that it can be told what is in an active sale. */
export function chequeKey(home: Home, companyId: number, cashboxId: number, number: number): Key {
  return { pk: `cheque#${home}#${companyId}`, sk: `${String(cashboxId).padStart(12, '0')}#${number}` };
}

/** The write that clears a draft, whether there is one or not. Part 2, "Holds"; decisions, section 5. */
export function chequeRemoval(home: Home, companyId: number, cashboxId: number, number: number): Write {
  return remove(chequeKey(home, companyId, cashboxId, number));
}
