import * as z from 'zod';

/*
 * Which branches of a main company are deleted, as flags in the main company's own item: every call of its
 * people reads that anyway, so a sale asks for them at no cost. They are no part of the record and leave its
 * version alone.
 */

const FLAG = 'deleted_branch_';

const Flags = z.looseObject({});

/** Names the flag of a branch. */
export function branchFlag(id: number): string {
  return `${FLAG}${id}`;
}

/** Lists the deleted branches by the item of their main company. */
export function idsOfDeletedBranches(main: unknown): number[] {
  return Object.entries(Flags.safeParse(main).data ?? {}).flatMap(([name, isDeleted]) =>
    name.startsWith(FLAG) && isDeleted === true ? [Number(name.slice(FLAG.length))] : [],
  );
}
