/** A call with normalized values. */
export interface Candidate {
  readonly sent: unknown;
  readonly got: unknown;
}

/** Size of an example that is too large for a page of the reference. */
const LARGE = 4000;

/** Length of a text that only tests of limits write. */
const LONG_TEXT = 120;

/**
 * Chooses the most informative call: the one with most non-empty fields among those that are not large. The
 * order of calls does not matter.
 */
export function chooseExample(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates
    .map((candidate) => ({ candidate, text: JSON.stringify(candidate) }))
    .sort((a, b) => rankOf(b) - rankOf(a) || a.text.length - b.text.length || (a.text < b.text ? -1 : 1))
    .at(0)?.candidate;
}

/** Chooses the simplest error of an operation. */
export function chooseErrorExample(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates
    .map((candidate) => ({ candidate, text: JSON.stringify(candidate.got) }))
    .sort(
      (a, b) =>
        Number(isForeign(a.text)) - Number(isForeign(b.text)) ||
        a.text.length - b.text.length ||
        (a.text < b.text ? -1 : 1),
    )
    .at(0)?.candidate;
}

/**
 * Returns whether an error is in another language than the rest, or about a parameter that only tests send.
 */
function isForeign(text: string): boolean {
  return !/[а-я]/.test(text) || /unheard/.test(text);
}

function rankOf({ candidate, text }: { readonly candidate: Candidate; readonly text: string }): number {
  if (text.length > LARGE || isOdd(candidate)) return -text.length;
  return new Set([...fieldsOf(candidate.sent, 'sent'), ...fieldsOf(candidate.got, 'got')]).size;
}

/** Lists the paths of non-empty fields, a list's rows counted as one. */
function fieldsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, each]) => fieldsOf(each, `${path}.${name}`));
  }
  return value === null || value === '' ? [] : [path];
}

function isOdd(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONG_TEXT && !value.startsWith('https://');
  return typeof value === 'object' && value !== null && Object.values(value).some(isOdd);
}
