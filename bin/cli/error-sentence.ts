/** Error messages of AWS and Node, prefixed with the error's name, and their replacements. */
const REPLACEMENTS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /^CredentialsProviderError: .*$/s,
    'There are no credentials of AWS: sign in, or name a profile by AWS_PROFILE.',
  ],
  [/^\w+: Region is missing$/, 'Which region? Give AWS_REGION, or the profile a region.'],
  [
    /^\w+: (?:Requested resource not found|Cannot do operations on a non-existent table).*$/s,
    'There is no such table in this account and region.',
  ],
  [/^\w+: (Unknown option '.+?'|Unexpected argument '.+?')(?:\..*)?$/s, '$1.'],
];

/** Returns the error of a program as a sentence. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  // `fetch`, and a connection to a name with two addresses, hide their cause.
  if (cause && /^(fetch failed)?$/.test(error.message)) return errorSentence(cause);
  const message = `${error.name}: ${error.message}`;
  const [pattern, sentence] = REPLACEMENTS.find(([each]) => each.test(message)) ?? [];
  return pattern && sentence ? message.replace(pattern, sentence) : error.message;
}
