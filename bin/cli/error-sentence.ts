/** Sayings of AWS and Node, with the names of their errors, and the sentence that is told in their place. */
const TOLD: readonly (readonly [saying: RegExp, sentence: string])[] = [
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

/** Tells in a sentence what kept a program from its work. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const beneath: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  // `fetch`, and a connection to a name with two addresses, keep to themselves what went wrong.
  if (beneath && /^(fetch failed)?$/.test(error.message)) return errorSentence(beneath);
  const said = `${error.name}: ${error.message}`;
  const [saying, sentence] = TOLD.find(([each]) => each.test(said)) ?? [];
  return saying && sentence ? said.replace(saying, sentence) : error.message;
}
