import { attributeOf, tokensOf, type XmlToken } from './xml.ts';
import { unzip } from './zip.ts';

/*
 * A workbook is a package of parts that refer to each other by relationships (ECMA-376, part 2): only these
 * define the location and type of a part. The only fixed name is that of the first relationships.
 */

/** Namespaces of relationships, in transitional and strict files. */
const NAMESPACES = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/',
  'http://purl.oclc.org/ooxml/officeDocument/relationships/',
];

/** Limit of scanned elements: a million empty rows have as many; an imported row has up to fifty. */
const MAX_ELEMENTS = 1_200_000;

/** Limit of parts that a part refers to, as many as a package may have. */
const MAX_NAMED = 5000;

/**
 * A part that another refers to: its type without the namespace, e.g. `worksheet`, or a full type of another
 * namespace, and its own name.
 */
export interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly part: string;
}

/** Reads the tokens of a part until `take` returns true. Throws if the package has no such part. */
export type ReadPart = (name: string, take: (token: XmlToken) => boolean | undefined) => Promise<void>;

/** Opens a file as a package. Throws if it is no package, or corrupt. */
export async function openPackage(content: Buffer): Promise<ReadPart> {
  const textOf = await unzip(content);
  let elements = 0;
  return async (name, take) => {
    for await (const tokens of tokensOf(textOf(name))) {
      for (const token of tokens) if (take(token)) return;
      elements += tokens.filter(({ kind }) => kind === 'open').length;
      if (elements > MAX_ELEMENTS) throw new Error('The workbook has more in it than it may');
    }
  };
}

/** Returns the relationships of a part; those of the package itself for the name `''`. */
export async function relationshipsOf(readPart: ReadPart, name: string): Promise<Relationship[]> {
  const list: Relationship[] = [];
  const [, folder = '', file = ''] = /^(.*\/)?([^/]*)$/.exec(name) ?? [];
  await readPart(`${folder}_rels/${file}.rels`, (token) => {
    if (token.kind !== 'open' || token.name !== 'Relationship') return false;
    const [id, type, target, mode] = ['Id', 'Type', 'Target', 'TargetMode'].map((attribute) =>
      attributeOf(token.attributes, attribute),
    );
    const namespace = NAMESPACES.find((each) => type?.startsWith(each)) ?? '';
    const part = target && URL.parse(target, `http://package/${name}`)?.pathname;
    if (id !== undefined && type && part && mode !== 'External')
      list.push({ id, type: type.slice(namespace.length), part });
    requireFew(list);
    return false;
  });
  return list;
}

/** Requires that a part refers to no more parts than allowed. */
export function requireFew(named: readonly unknown[]): void {
  if (named.length > MAX_NAMED) throw new Error('The workbook names more parts than it may');
}
