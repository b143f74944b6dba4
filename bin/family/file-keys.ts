/**
 * Lists the public files that records or items refer to, each once, by its key in the bucket: a string that
 * is the key, or an address with this text before it.
 */
export function fileKeysIn(records: readonly object[], before = ''): string[] {
  const texts = JSON.stringify(records).split(`"${before}public/`).slice(1);
  return [...new Set(texts.map((text) => `public/${text.slice(0, text.indexOf('"'))}`))];
}
