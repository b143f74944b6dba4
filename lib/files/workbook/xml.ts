type Attributes = Readonly<Record<string, string>>;

/** A token of an XML text: the start or end of an element, or text. Names are without their prefix. */
export type XmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** Limit of a tag or text; a cell has up to 32 767 characters, each of which may be an entity. */
const MAX_CHARACTERS = 300_000;

/** Limit of nested elements: a workbook has a dozen, and the parser holds all open ones. */
const MAX_LEVELS = 100;

/**
 * Parses XML as a stream, holding no more than one tag or text. Rejects document types, so no entity expands
 * to more than a character. Throws if it is malformed or truncated.
 */
export async function* tokensOf(chunks: AsyncIterable<string>): AsyncGenerator<XmlToken[], undefined> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser();
  let tokens: XmlToken[] = [];
  let unread = 0;
  let level = 0;
  const add = (token: XmlToken) => {
    tokens.push(token);
    unread = 0;
  };
  const addText = (text: string) => add({ kind: 'text', text });
  parser.on('opentag', ({ name, attributes }) => {
    level += 1;
    if (level > MAX_LEVELS) parser.fail('The XML has more elements within each other than it may');
    add({ kind: 'open', name: localName(name), attributes });
  });
  parser.on('closetag', ({ name }) => {
    level -= 1;
    add({ kind: 'close', name: localName(name) });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('doctype', () => parser.fail('The XML has a type of document'));
  for await (const chunk of chunks) {
    unread += chunk.length;
    parser.write(chunk);
    if (unread > MAX_CHARACTERS) throw new Error('The XML has a tag or a text that is too long');
    yield tokens;
    tokens = [];
  }
  parser.close();
  yield tokens;
}

/** Returns the value of an attribute, by its name without a prefix; undefined if it is missing. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? Object.entries(attributes).find(([key]) => localName(key) === name)?.[1];
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}
