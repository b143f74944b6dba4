import { readBooks } from '#bin/verify/family.ts';

/**
 * Tells what does not add up in the books of a shop's family, beside what `newGoods` has put on shelves
 * without the receipt that it names.
 */
export async function faultsOf({ companyId }: { readonly companyId: number }): Promise<string[]> {
  const { violations } = await readBooks(companyId);
  const own = violations.filter(({ subject }) => !subject.startsWith('purchase 1,'));
  return own.map(({ book, subject, what }) => `${book}: ${subject} ${what}`);
}
