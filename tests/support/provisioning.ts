import { maker } from '#bin/local/maker.ts';
import { firstRates } from '#lib/cash/company-rates.ts';
import { mainDeskOf } from '#lib/cash/desk/main.ts';
import { CompanyInput, companyFrom } from '#lib/people/company/company.ts';
import { companies } from '#lib/people/company/record.ts';
import { defaultRoleWrites } from '#lib/people/role/default-role.ts';
import { roles } from '#lib/people/role/record.ts';
import { users } from '#lib/people/user/user.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { newRecord } from '#lib/records/records-of.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { mergeWrites } from '#lib/table/change/writes.ts';
import { PLATFORM, sequencesKey, type Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { asCall } from './as-call.ts';
import { tokenOf, userFrom } from './users.ts';

/*
 * Families of tests. The usual initial records are written in one transaction: created one by one over the
 * API, a family alone took thirteen requests. `tests/support/founding.test.ts` compares such a family with
 * one provisioned by the platform.
 */

/** A company family of one test's own, so that tests run side by side in one table. */
export interface Family {
  readonly companyId: number;
  /** The token of the main company's director. */
  readonly director: string;
  readonly directorId: number;
}

/** Initial records of a family, and the writes that create them. */
export interface InitialRecords<T> {
  readonly made: T;
  readonly writes: readonly Write[];
}

/** Family and its director, still without a token. */
export type FamilyWithDirector = Omit<Family, 'director'>;

/** Builds the input of a test's company, or of a branch of one. */
export function companyInput(parent_id: number | null = null): CompanyInput {
  return CompanyInput.parse({ name: 'Savdo', parent_id, vat_percent: '12' });
}

/** Builds the fields that each record of a new family has. */
export function stampOf({ companyId, directorId }: FamilyWithDirector, id: number, at: Instant) {
  return newRecord({ id: directorId, companyId }, id, at);
}

/** Builds the writes that allocate ids of types in a family which has none of them yet. */
export function sequenceWrites(tenant: Tenant, types: readonly string[], last = 1): Write[] {
  return [update(sequencesKey(tenant), { add: Object.fromEntries(types.map((type) => [type, last])) })];
}

/** Creates a family: a main company with a director, and the records of its outfit. */
export function makeFamily<T extends object>(
  at: Instant,
  outfit: (founders: FamilyWithDirector) => InitialRecords<T> | Promise<InitialRecords<T>>,
): Promise<Family & T> {
  return asCall(() => setUp(at, outfit));
}

async function setUp<T extends object>(
  at: Instant,
  outfit: (founders: FamilyWithDirector) => InitialRecords<T> | Promise<InitialRecords<T>>,
): Promise<Family & T> {
  const [companyId, directorId, roleId] = await Promise.all([
    nextId(companies.type, PLATFORM),
    nextId(users.type, PLATFORM),
    nextId(roles.type, PLATFORM),
  ]);
  const company = companyFrom(companyId, companyInput(), at);
  const place = { company_id: companyId, family_id: companyId };
  const director = userFrom(directorId, { type: 'director', ...place }, at);
  const [desk, rates, token] = await Promise.all([
    mainDeskOf(company, maker, at),
    firstRates(company, at),
    tokenOf(director, at),
  ]);
  const { made, writes } = await outfit({ companyId, directorId });
  const role = defaultRoleWrites({ type: 'director', familyId: companyId }, roleId, at);
  await transact([
    ...insertion(companies, PLATFORM, company),
    ...insertion(users, PLATFORM, director),
    ...[desk, rates, role, mergeWrites(writes)].flat(),
  ]);
  return { companyId, directorId, director: token, ...made };
}
