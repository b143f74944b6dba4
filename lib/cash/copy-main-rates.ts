import type { Staff } from '#lib/auth/actor.ts';
import { getRecord } from '#lib/records/record.ts';
import { check } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { companyRates, keyOfRates, ratesFrom, rateWrites } from './company-rates.ts';
import { ratesInReach } from './currency-rate.ts';

/**
 * Copies the main company's rates to all companies open to the caller, all or none; sale currencies stay. A
 * branch keeps its own rate of its sale currency if the main company has none. Contract 8.
 */
export async function copyMainRates(actor: Staff, at: Instant) {
  await retryOnContention(async () => {
    const [main, sets] = await Promise.all([
      getRecord({ type: companyRates, tenant: actor.tenant, id: actor.familyId }),
      ratesInReach(actor),
    ]);
    const rates = ratesFrom(main).rates;
    const branches = sets.filter(({ id }) => id !== main.id);
    const writes = await Promise.all(
      branches.map((set) => {
        const own = set.sale_currency;
        const newRates = rates[own] === 0 ? { ...rates, [own]: set.rates[own].rate } : rates;
        return rateWrites(actor, set, newRates, { at });
      }),
    );
    const unchanged = check(keyOfRates(actor.tenant, main.id), { if: equals('version', main.version) });
    await transact([unchanged, ...writes.flat()]);
  });
}
