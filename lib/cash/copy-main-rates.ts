import type { Staff } from '#lib/auth/actor.ts';
import { getRecord } from '#lib/records/record.ts';
import { check } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { companyRates, keyOfRates, ratesFrom, rateWrites } from './company-rates.ts';
import { ratesInReach } from './currency-rate.ts';

/**
 * Gives all companies open to the caller the rates of the main company, all or none; sale currencies stay. If
 * the main company has no rate of a branch's sale currency, the branch keeps its own. Contract 8.
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
        const wanted = rates[own] === 0 ? { ...rates, [own]: set.rates[own].rate } : rates;
        return rateWrites(actor, set, wanted, { at });
      }),
    );
    const unchanged = check(keyOfRates(actor.tenant, main.id), { if: equals('version', main.version) });
    await transact([unchanged, ...writes.flat()]);
  });
}
