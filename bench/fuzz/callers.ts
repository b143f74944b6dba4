import { makeDemoShop } from '#bin/local/demo-data.ts';
import { maker } from '#bin/local/maker.ts';
import { Account } from '#lib/auth/account.ts';
import { isIn } from '#lib/auth/actor.ts';
import { actorFor, userKey } from '#lib/auth/identify.ts';
import { issueToken } from '#lib/auth/tokens.ts';
import { CompanyInput } from '#lib/people/company/company.ts';
import { RoleInput } from '#lib/people/role/input.ts';
import * as roles from '#lib/people/role/role.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';
import { NewCompanyUser, NewPartnerUser } from '#lib/people/user/input.ts';
import * as partnerUsers from '#lib/people/user/partner-user.ts';
import * as externalKeys from '#lib/platform/external-key.ts';
import { setUpCompany, setUpPartner } from '#lib/platform/provisioning.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';

type Caller = 'admin' | 'company' | 'partner' | 'employee';
type People = Readonly<Record<Caller, number>>;
type Tokens = Readonly<Record<Caller, string>>;

/** Callers by the first word of a path, and the headers of an external system for the company. */
export interface Callers {
  readonly people: People;
  readonly tokens: Tokens;
  readonly system: Readonly<Record<string, string>>;
}

const ACCOUNT = {
  phone: '998901112233',
  new_password: 'Fuzz-2026',
  new_password_confirmation: 'Fuzz-2026',
};

/** Creates a family with a shop and users of its own, independent of earlier damage. */
export async function newCallers(run: number, at: Instant): Promise<Callers> {
  const name = `Fuzz ${run}`;
  const partner = await setUpPartner({ name, phone: null }, at);
  const input = CompanyInput.parse({ name, partner_id: partner.id, vat_percent: '12' });
  const company = await setUpCompany(maker, input, at);
  await setUpCompany(maker, { ...input, parent_id: company.id }, at);
  const key = { name: 'Fuzz', kind: 'external', company_ids: [company.id] };
  const { key: secret } = await externalKeys.create(maker, externalKeys.ExternalKeyInput.parse(key), at);
  const people = {
    admin: 1,
    ...(await staffOf(company.id, run, at)),
    partner: await userOf(partner.id, run, at),
  };
  return {
    people,
    tokens: await tokensOf(people, at),
    system: { 'external-system-secret-key': secret, 'company-primary-uuid': company.primary_uuid },
  };
}

/** Creates a director of a company, the director's shop, and an employee with all rights there. */
async function staffOf(company_id: number, run: number, at: Instant) {
  const own = { ...ACCOUNT, company_id, are_all_companies_available: true };
  const make = async (user: object) =>
    (await companyUsers.create(maker, NewCompanyUser.parse({ ...own, ...user }), at)).id;
  const company = await make({ type: 'director', username: `fuzz.director.${run}` });
  const director = await actorFor(await accountOf(company));
  if (!isIn('company', director)) throw new Error('A director is of no company');
  const places = await makeDemoShop(director, at);
  const role = { type: 'employee', name: 'Fuzz', company_id, new_routes: ['company.*'] };
  const { id: role_id } = await roles.create(maker, RoleInput.parse(role), at);
  const cashier = { ...places, role_id, type: 'employee', username: `fuzz.cashier.${run}` };
  return { company, employee: await make(cashier) };
}

async function userOf(partner_id: number, run: number, at: Instant): Promise<number> {
  const user = NewPartnerUser.parse({ ...ACCOUNT, partner_id, username: `fuzz.partner.${run}` });
  return (await partnerUsers.create(maker, user, at)).id;
}

/** Signs all users in again after a request has ended a session. Undefined if a user no longer exists. */
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
