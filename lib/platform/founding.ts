import type { Administrator } from '#lib/access/actor.ts';
import { mainDeskOf } from '#lib/cash/cashbox.ts';
import { firstRates } from '#lib/cash/company-rates.ts';
import { firstServiceUnits } from '#lib/catalog/service/unit-template.ts';
import { firstUnits } from '#lib/catalog/unit/template.ts';
import * as companies from '#lib/people/company/company.ts';
import type { CompanyInput } from '#lib/people/company/input.ts';
import type { Instant } from '#lib/values/time.ts';

/** Makes a company or a branch with all that it must have from the start. Decisions, 7, "Company, branch". */
export function foundCompany(actor: Administrator, input: CompanyInput, at: Instant) {
  return companies.create(actor, input, at, async (company) =>
    (
      await Promise.all([
        mainDeskOf(company, actor, at),
        firstRates(company, at),
        ...(company.parent_id === null
          ? [firstUnits(company.id, at), firstServiceUnits(company.id, at)]
          : []),
      ])
    ).flat(),
  );
}
