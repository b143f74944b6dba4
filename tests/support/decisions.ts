import { ApiError } from '#lib/values/api-error.ts';

/**
 * Returns the codes with which a decision is refused: by field; of a refusal without fields under its status.
 * Empty if it is valid.
 */
export function codesOfRefusal(decide: () => unknown): Record<string, string> {
  try {
    decide();
    return {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 422) return { [error.status]: error.phrase.key };
    return Object.fromEntries(Object.entries(error.fields).map(([path, { key }]) => [path, key]));
  }
}
