/** A part of an XML text: the beginning or the end of an element, or text. Names are without their prefix. */
export type XmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

/** What is skipped: comments, instructions and the declaration. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

const CDATA = '<![CDATA[';

/** The longest tag or text; a cell has up to 32 767 characters, each of which may be an entity. */
const MOST_CHARACTERS = 300_000;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A character by its number, decimal or hexadecimal, or an entity. */
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,10}));/g;

/**
 * Reads XML as it comes, and keeps no more of it than one tag or text. It knows no declarations of types: no
 * entity stands for more than a character, and a text with one is refused. Throws if it is malformed.
 */
export async function* tokensOf(chunks: AsyncIterable<string>): AsyncGenerator<XmlToken[], undefined> {
  let rest = '';
  for await (const chunk of chunks) {
    rest += chunk;
    const tokens: XmlToken[] = [];
    let at = 0;
    for (;;) {
      const next = nextToken(rest, at);
      if (!next) break;
      if (next.token) tokens.push(next.token);
      at = next.end;
    }
    rest = rest.slice(at);
    if (rest.length > MOST_CHARACTERS) throw malformed();
    yield tokens;
  }
}

/** Reads the value of an attribute, by its name without a prefix; undefined if there is none. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (const [, key = '', double, single] of attributes.matchAll(
    /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (localName(key) === name) return unescaped(double ?? single ?? '');
  }
  return undefined;
}

interface Found {
  readonly token?: XmlToken;
  readonly end: number;
}

/** Finds what begins at an offset; undefined if its end has not come yet. */
function nextToken(text: string, at: number): Found | undefined {
  if (at >= text.length) return undefined;
  if (text[at] !== '<') return textToken(text, at);
  for (const [begin, end] of SKIPPED) {
    if (text.startsWith(begin, at)) return skipped(text, at, end);
  }
  if (text.startsWith(CDATA, at)) {
    const end = text.indexOf(']]>', at);
    if (end === -1) return undefined;
    return { token: { kind: 'text', text: text.slice(at + CDATA.length, end) }, end: end + 3 };
  }
  // The beginning of a comment or of CDATA may be cut.
  if (text.startsWith('<!', at)) {
    if (text.length - at < CDATA.length) return undefined;
    throw malformed();
  }
  return tagToken(text, at);
}

function textToken(text: string, at: number): Found | undefined {
  const end = text.indexOf('<', at);
  if (end === -1) return undefined;
  return { token: { kind: 'text', text: unescaped(text.slice(at, end)) }, end };
}

function skipped(text: string, at: number, end: string): Found | undefined {
  const found = text.indexOf(end, at);
  return found === -1 ? undefined : { end: found + end.length };
}

function tagToken(text: string, at: number): Found | undefined {
  const end = endOfTag(text, at);
  if (end === undefined) return undefined;
  const isEmpty = text[end - 1] === '/';
  if (text[at + 1] === '/')
    return { token: { kind: 'close', name: localName(text.slice(at + 2, end).trim()) }, end: end + 1 };
  const inner = text.slice(at + 1, isEmpty ? end - 1 : end);
  const space = inner.search(/\s/);
  const name = localName(space === -1 ? inner : inner.slice(0, space));
  const attributes = space === -1 ? '' : inner.slice(space + 1);
  return { token: { kind: 'open', name, attributes, isEmpty }, end: end + 1 };
}

/** Finds the end of a tag: the first `>` that is in no value of an attribute. */
function endOfTag(text: string, at: number): number | undefined {
  for (let from = at; ; ) {
    const end = text.indexOf('>', from);
    if (end === -1) return undefined;
    const quote = firstQuote(text, from, end);
    if (quote === undefined) return end;
    const closing = text.indexOf(text[quote] ?? '"', quote + 1);
    if (closing === -1) return undefined;
    from = closing + 1;
  }
}

function firstQuote(text: string, from: number, end: number): number | undefined {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return at;
  }
  return undefined;
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1);
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(REFERENCE, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
  });
}

function malformed(): Error {
  return new Error('The XML is malformed');
}
