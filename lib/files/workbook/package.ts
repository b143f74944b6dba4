import { attributeOf, tokensOf, type XmlToken } from './xml.ts';
import { unzip } from './zip.ts';

/*
 * A workbook is a package of parts that name each other by relationships (ECMA-376, part 2): only these say
 * where a part lies and what it is. No name of a part is fixed but that of the first relationships.
 */

/** Relationships are of these namespaces, in files of the transitional and of the strict kind. */
const NAMESPACES = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/',
  'http://purl.oclc.org/ooxml/officeDocument/relationships/',
];

/** Elements that are looked at: a million empty rows are as many; a row that is wanted has up to fifty. */
const MAX_ELEMENTS = 1_200_000;

/** Parts that a part names at most, as many as a package may have. */
const MAX_NAMED = 5000;

/**
 * A part that another names: its type without the namespace, such as `worksheet`, or a whole type of another
 * namespace, and its own name.
 */
export interface Relationship {
  readonly id: string;
  readonly type: string;
  readonly part: string;
}

/** Reads the tokens of a part until `take` returns true. Throws if the package has no such part. */
export type ReadPart = (name: string, take: (token: XmlToken) => boolean | undefined) => Promise<void>;

/** Opens the package that a file is. Throws if it is none, or broken. */
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

/** Lists the relationships of a part; those of the package itself for the name `''`. */
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

/** Requires that a part names no more parts than it may. */
export function requireFew(named: readonly unknown[]): void {
  if (named.length > MAX_NAMED) throw new Error('The workbook names more parts than it may');
}
