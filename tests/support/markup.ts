/** Replaces the entities of HTML by their signs. */
export function plainText(text: string): string {
  const signs = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return Object.entries(signs).reduce((plain, [entity, sign]) => plain.replaceAll(entity, sign), text);
}

/** Returns the code of an example on a page of the reference, as copied by a reader. */
export function codeOn(page: string, id: string): string {
  const [, code] = new RegExp(`<pre id="${id}">\\n?(.*?)</pre>`, 's').exec(page) ?? [];
  if (code === undefined) throw new Error(`The page has no example ${id}`);
  return plainText(code);
}
