import * as z from 'zod';
import { type AccountManager, accountsInReach, tenantOfAccounts } from '#lib/auth/account-manager.ts';
import { companyEmbed, keyOfCompany } from '#lib/people/company/known.ts';
import { partnerEmbed } from '#lib/people/company/partner.ts';
import { roleEmbed } from '#lib/people/role/record.ts';
import { references } from '#lib/records/query/embeds.ts';
import { DEFAULT_PAGE_SIZE, exact, exactOrList, type Filters } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import { phone } from '#lib/records/query/phone-filters.ts';
import { type NewBase, recordsOf } from '#lib/records/records-of.ts';
import type { Expression } from '#lib/table/expression.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { Id } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireAuthority } from './authority.ts';
import { type ChangedUser, type NewUser, newUser, passwordChange, personalChanges } from './changes.ts';
import { profileEmbed } from './colleague.ts';
import { type StoredUser, users } from './user.ts';

/** Embeds of a list of users. */
export const userEmbeds = {
  profile: profileEmbed,
  role: roleEmbed,
  company: companyEmbed,
  partner: partnerEmbed,
  companies_responsibility: references('companies_responsibility', ({ responsibility_ids }) =>
    Array.isArray(responsibility_ids) ? responsibility_ids.flatMap((id) => keyOfCompany(id) ?? []) : [],
  ),
};

/** Query string of a single user. */
export const UserEmbeds = embedQuery({ embeds: userEmbeds });

/** Returns the query schema of a list of one kind of users who work for a company or a partner. */
export function workersQuery(filters: Filters, pageSize = DEFAULT_PAGE_SIZE) {
  const named = { username: exact('username', z.string()), phone: phone('phone') };
  return listQuery(
    { id: exactOrList('id', Id), role_id: exact('role_id', Id), ...filters, ...named },
    { sorts: ['id', 'username'], embeds: userEmbeds, pageSize },
  );
}

type User = z.input<typeof StoredUser>;

function recordsWhere<A extends AccountManager>(is: readonly Expression[]) {
  return recordsOf(users, {
    homeOf: (_: A) => PLATFORM,
    listHomeOf: tenantOfAccounts,
    stampOf: () => ({}),
    reach: (actor) => [...is, ...accountsInReach(actor)],
  });
}

/**
 * Users of one kind, selected by `is`, for account managers. Fields that are not personal are validated and
 * decided by the kind.
 */
export class UserKind<A extends AccountManager> {
  readonly #records: ReturnType<typeof recordsWhere<A>>;

  constructor(...is: readonly Expression[]) {
    this.#records = recordsWhere(is);
  }

  get list() {
    return this.#records.list;
  }

  get get() {
    return this.#records.get;
  }

  create(
    actor: A,
    form: NewUser,
    at: Instant,
    decide: () => Promise<Pick<User, 'type'> & Partial<User>>,
  ): Promise<User> {
    const making = async () => {
      const decided = await decide();
      const user = await newUser(form);
      return (base: NewBase) => ({ ...user, ...base, ...decided });
    };
    return this.#records.insert(actor, at, inBackground(making()));
  }

  /** Edits one. A new password, and a move to another family or partner, end all sessions. */
  async edit(
    actor: A,
    { id, form, at }: { readonly id: number; readonly form: ChangedUser; readonly at: Instant },
    decide: (before: User) => Promise<Partial<User>>,
  ): Promise<User> {
    const secret = await passwordChange(form.new_password);
    return this.#records.change(actor, id, at, async (before) => {
      await requireAuthority(actor, before);
      const decided = await decide(before);
      const after = { ...before, username: form.username, ...personalChanges(before, form), ...decided };
      const isMoved = after.family_id !== before.family_id || after.partner_id !== before.partner_id;
      return { ...after, ...(isMoved && { session: before.session + 1 }), ...secret(before.session) };
    });
  }

  /** Deletes one softly and ends the sessions. 400 for oneself and for a super-administrator. */
  readonly remove = async (actor: A, id: number, at: Instant): Promise<void> => {
    await this.dismiss(actor, id, at);
  };

  /** Does the same, and returns the deleted user. */
  dismiss(actor: A, id: number, at: Instant): Promise<User> {
    return this.#records.change(actor, id, at, async (before) => {
      if (before.type === 'super_admin' || id === actor.id) throw badRequest('user.protected');
      await requireAuthority(actor, before);
      return { ...before, is_deleted: true, session: before.session + 1 };
    });
  }

  /** Restores one; the sessions stay ended. */
  readonly restore = async (actor: A, id: number, at: Instant): Promise<void> => {
    await requireAuthority(actor, await this.#records.find(actor, id));
    await this.#records.restore(actor, id, at);
  };
}
