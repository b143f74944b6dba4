/**
 * Lists the breaking changes without an entry under "Unreleased". An entry begins with the change, and may go
 * on after a colon.
 */
export function changesToName(changelog: string, changes: readonly string[]): readonly string[] {
  const unreleased = changelog.split(/^## /m).find((section) => section.startsWith('Unreleased\n')) ?? '';
  const entries = unreleased.split(/^- /m).map((entry) => entry.replaceAll(/\s+/g, ' ').trim());
  return changes.filter(
    (change) => !entries.some((entry) => entry === change || entry.startsWith(`${change}:`)),
  );
}

/** Finds the newest released version in a changelog; undefined before the first. */
export function lastRelease(changelog: string): string | undefined {
  return /^## (\d+\.\d+\.\d+)\b/m.exec(changelog)?.[1];
}
