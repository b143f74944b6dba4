import type { Entry } from 'yauzl';

/** A workbook has a dozen files, and some more for each sheet and picture. */
const MOST_FILES = 5000;

/** Bytes that the files of a zip may be inflated to, all together, whatever its directory says. */
const MOST_INFLATED = 32 * 1024 * 1024;

/** Opens a zip, and answers with a reader of its files, by name. Throws if it is broken. */
export async function unzip(content: Buffer) {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(content);
  if (zip.entryCount > MOST_FILES) throw new Error('The zip has more files than it may');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  let left = MOST_INFLATED;

  /** Inflates a file piece by piece, as UTF-8. Throws if it is broken, encrypted or beyond the budget. */
  return async function* textOf(name: string): AsyncGenerator<string, undefined> {
    const entry = entries.get(name);
    if (!entry) return;
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const bytes of await zip.openReadStreamPromise(entry)) {
      left -= bytes.length;
      if (left < 0) throw new Error('The workbook is larger than it may be');
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  };
}

type Attributes = Readonly<Record<string, string>>;

/** A part of an XML text: the beginning or the end of an element, or text. Names are without their prefix. */
export type XmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** The longest tag or text; a cell has up to 32 767 characters, each of which may be an entity. */
const MOST_CHARACTERS = 300_000;

/**
 * Reads XML as it comes, and keeps no more of it than one tag or text. Types of documents are refused, so no
 * entity stands for more than a character. Throws if it is malformed.
 */
export async function* tokensOf(chunks: AsyncIterable<string>): AsyncGenerator<XmlToken[], undefined> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser();
  let tokens: XmlToken[] = [];
  let unread = 0;
  const add = (token: XmlToken) => {
    tokens.push(token);
    unread = 0;
  };
  const addText = (text: string) => add({ kind: 'text', text });
  parser.on('opentag', ({ name, attributes }) => add({ kind: 'open', name: localName(name), attributes }));
  parser.on('closetag', ({ name }) => add({ kind: 'close', name: localName(name) }));
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('doctype', () => parser.fail('The XML has a type of document'));
  for await (const chunk of chunks) {
    unread += chunk.length;
    parser.write(chunk);
    if (unread > MOST_CHARACTERS) throw new Error('The XML has a tag or a text that is too long');
    yield tokens;
    tokens = [];
  }
}

/** Reads the value of an attribute, by its name without a prefix; undefined if there is none. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? Object.entries(attributes).find(([key]) => localName(key) === name)?.[1];
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}
