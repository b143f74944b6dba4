import type { Deployed } from './cloudformation.ts';

interface Update {
  readonly commit: number;
  readonly isDeployable: boolean;
  readonly deletionPolicy: string;
  readonly rolledBack: string;
}

/**
 * Updates functions as CloudFormation does: new code, a version of it, the alias moved to it. If one fails,
 * the update is rolled back; versions just published stay or go by their policy.
 */
export function updateFunctions(changed: readonly Deployed[], update: Update): 'deployed' | 'failed' {
  const before = changed.map((each) => ({ each, was: { ...each } }));
  const isPublished = changed.every((each) => moveOn(each, update.commit));
  if (isPublished && update.isDeployable) return 'deployed';
  if (update.rolledBack !== 'UPDATE_ROLLBACK_FAILED')
    for (const { each, was } of before) takeBack(each, was, update.deletionPolicy);
  return 'failed';
}

/** Publishes a version and moves the alias to it; false if Lambda reports that the version already exists. */
function moveOn(each: Deployed, commit: number): boolean {
  const code = each.code ?? new Map<number, number>();
  // The template is the same: CloudFormation has nothing to do.
  if (each.published !== undefined && code.get(each.published) === commit) return true;
  const last = each.versions.at(-1) ?? 0;
  // "Lambda doesn't publish a version if … code hasn't changed since the last version."
  if (code.get(last) === commit) return false;
  // A number that was given is never given again, also if its version is gone.
  const next = Math.max(last, ...code.keys()) + 1;
  Object.assign(each, {
    versions: [...each.versions, next],
    code: new Map([...code, [next, commit]]),
    live: next,
    published: next,
  });
  return true;
}

/** Sets the alias to the version in the previous template, though it may have pointed elsewhere. */
function takeBack(each: Deployed, was: Deployed, deletionPolicy: string): void {
  each.published = was.published;
  each.live = was.published;
  if (deletionPolicy !== 'Retain') each.versions = was.versions;
}
