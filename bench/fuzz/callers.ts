import { makeDemoShop } from '#bin/local/demo-shop.ts';
import { maker } from '#bin/local/maker.ts';
import { Account } from '#lib/access/account.ts';
import { isIn } from '#lib/access/actor.ts';
import { actorFor, userKey } from '#lib/access/identify.ts';
import { issueToken } from '#lib/access/tokens.ts';
import { CompanyInput } from '#lib/people/company/input.ts';
import { RoleInput } from '#lib/people/role/input.ts';
import * as roles from '#lib/people/role/role.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';
import { NewCompanyUser, NewPartnerUser } from '#lib/people/user/input.ts';
import * as partnerUsers from '#lib/people/user/partner-user.ts';
import * as externalKeys from '#lib/platform/external-key.ts';
import { setUpCompany, setUpPartner } from '#lib/platform/founding.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';

type Caller = 'admin' | 'company' | 'partner' | 'employee';
type People = Readonly<Record<Caller, number>>;
type Tokens = Readonly<Record<Caller, string>>;

/** Who calls, by the first word of a path, and the headers of a system that calls for the company. */
export interface Callers {
  readonly people: People;
  readonly tokens: Tokens;
  readonly system: Readonly<Record<string, string>>;
}

const SECRET = { new_password: 'Fuzz-2026', new_password_confirmation: 'Fuzz-2026' };

/** Makes a family with a shop and people of its own: what was broken or blocked before is left behind. */
export async function newCallers(run: number, at: Instant): Promise<Callers> {
  const partner = await setUpPartner({ name: `Fuzz ${run}`, phone: null }, at);
  const input = CompanyInput.parse({ name: `Fuzz ${run}`, partner_id: partner.id, vat_percent: '12' });
  const company = await setUpCompany(maker, input, at);
  await setUpCompany(maker, { ...input, parent_id: company.id }, at);
  const person = {
    phone: '998901112233',
    are_all_companies_available: true,
    company_id: company.id,
    ...SECRET,
  };
  const { id: directorId } = await companyUsers.create(
    maker,
    NewCompanyUser.parse({ ...person, type: 'director', username: `fuzz.director.${run}` }),
    at,
  );
  const director = await actorFor(await accountOf(directorId));
  if (!isIn('company', director)) throw new Error('A director is of no company');
  const places = await makeDemoShop(director, at);
  const role = { type: 'employee', name: 'Fuzz', company_id: company.id, new_routes: ['company.*'] };
  const { id: role_id } = await roles.create(maker, RoleInput.parse(role), at);
  const { id: employeeId } = await companyUsers.create(
    maker,
    NewCompanyUser.parse({
      ...person,
      ...places,
      role_id,
      type: 'employee',
      username: `fuzz.cashier.${run}`,
    }),
    at,
  );
  const { id: partnerId } = await partnerUsers.create(
    maker,
    NewPartnerUser.parse({
      ...SECRET,
      phone: person.phone,
      partner_id: partner.id,
      username: `fuzz.partner.${run}`,
    }),
    at,
  );
  const key = await externalKeys.create(
    maker,
    externalKeys.ExternalKeyInput.parse({ name: 'Fuzz', kind: 'external', company_ids: [company.id] }),
    at,
  );
  const people = { admin: 1, company: directorId, employee: employeeId, partner: partnerId };
  return {
    people,
    tokens: await tokensOf(people, at),
    system: { 'external-system-secret-key': key.key, 'company-primary-uuid': company.primary_uuid },
  };
}

/** Signs everybody in again: a call has ended somebody's session. Undefined if somebody is no more. */
export async function renewTokens(scene: Callers, at: Instant): Promise<Callers | undefined> {
  const users = await Promise.all(Object.values(scene.people).map(accountOf));
  if (users.some(({ is_deleted }) => is_deleted)) return undefined;
  return { ...scene, tokens: await tokensOf(scene.people, at) };
}

async function tokensOf({ admin, company, employee, partner }: People, at: Instant): Promise<Tokens> {
  const token = async (id: number) => issueToken(await accountOf(id), at);
  return {
    admin: await token(admin),
    company: await token(company),
    employee: await token(employee),
    partner: await token(partner),
  };
}

async function accountOf(userId: number): Promise<Account> {
  return Account.parse(await getItem(userKey(userId)));
}
