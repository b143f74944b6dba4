import * as z from 'zod';
import { UserType } from '#lib/auth/account.ts';
import { userKey } from '#lib/auth/identify.ts';
import { type Embed, hiddenField, reference } from '#lib/records/query/embeds.ts';
import { parseStored } from '#lib/records/stored.ts';
import { requestContext } from '#lib/table/request-context.ts';

/*
 * Fields of a user shown in other records. Separate from users themselves, whom most functions never read: an
 * import creates all schemas of a module.
 */

const Text = z.string().nullable();

/** The personal part of a user. Part 1, "User". */
export const Profile = z.object({
  first_name: Text,
  last_name: Text,
  position: Text,
  birth_date: Text,
  gender: Text,
  full_name: z.string(),
});

const Personal = z.codec(Text, Text, {
  decode: (held) => (requestContext().mayReadUsers ? held : null),
  encode: (shown) => shown,
});

/**
 * User, or API key, as shown to colleagues in records. Without the right to read users, birth date and gender
 * are omitted. Contract 9.80.
 */
export const Colleague = z.object({
  id: z.int(),
  type: UserType,
  phone: Text,
  profile: Profile.extend({ birth_date: Personal, gender: Personal }).optional(),
});

/** `with[]=profile`: the personal part of a user. */
export const profileEmbed: Embed = hiddenField('profile', 'person');

/** Embeds the user that a record's `<field>_id` names: `with[]=<field>.profile`. */
export function personEmbed(field: string): Embed {
  return reference(
    field,
    (row) => {
      const id = row[`${field}_id`];
      return typeof id === 'number' ? userKey(id) : undefined;
    },
    profileEmbed,
  );
}

/** `with[]=creator.profile`: the user who made a record. */
export const creatorEmbed: Embed = personEmbed('creator');

/** `with[]=updater.profile`: the user who changed a document last. */
export const updaterEmbed: Embed = personEmbed('updater');

const Named = z.object({ person: Profile, username: z.string() });

/** Returns a user's display name: the full name, or the username if there is none. */
export function nameOfUser({ person, username }: z.input<typeof Named>) {
  return person.full_name || username;
}

/** Gives the same of a user's item, as sheets read it. */
export function nameOfUserItem(item: unknown): string {
  return nameOfUser(parseStored(Named, item));
}
