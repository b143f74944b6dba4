type Attributes = Readonly<Record<string, string>>;

/** A part of an XML text: the beginning or the end of an element, or text. Names are without their prefix. */
export type XmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** The longest tag or text; a cell has up to 32 767 characters, each of which may be an entity. */
const MAX_CHARACTERS = 300_000;

/** Elements within each other at most: a workbook has a dozen, and the parser remembers all that are open. */
const MAX_LEVELS = 100;

/**
 * Reads XML as it comes, and keeps no more of it than one tag or text. Types of documents are refused, so no
 * entity stands for more than a character. Throws if it is malformed or breaks off.
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

/** Reads the value of an attribute, by its name without a prefix; undefined if there is none. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? Object.entries(attributes).find(([key]) => localName(key) === name)?.[1];
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}
