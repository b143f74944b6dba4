/**
 * Tells whether a caller takes gzip and likes nothing packed no better, by its `Accept-Encoding`. RFC 9110,
 * 12.5.3.
 */
export function takesGzip(accepted = ''): boolean {
  const weights = new Map(accepted.toLowerCase().split(',').map(weightOf));
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** Reads a coding and how much it is liked: 1 if nothing is said, 0 is "not at all". */
function weightOf(listed: string): [string, number] {
  const [coding = '', ...parameters] = listed.split(';').map((text) => text.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice('q='.length))];
}
