import { type ReadPart, type Relationship, relationshipsOf, requireFew } from './package.ts';
import { attributeOf } from './xml.ts';

/** Names of the parts of a sheet, and whether its dates count from 1904. */
export interface Book {
  readonly sheet: string;
  readonly sharedTexts: string | undefined;
  readonly styles: string | undefined;
  readonly isFrom1904: boolean;
}

/** Finds the first visible worksheet, and the parts that it refers to. Throws if the workbook has none. */
export async function findBook(readPart: ReadPart): Promise<Book> {
  const workbook = (await relationshipsOf(readPart, '')).find(({ type }) => type === 'officeDocument')?.part;
  if (workbook === undefined) throw new Error('The package is no workbook');
  const { tabs, isFrom1904 } = await tabsOf(readPart, workbook);
  const relationships = await relationshipsOf(readPart, workbook.slice(1));
  // Tabs may also be charts or legacy dialogs.
  const sheet = tabs.map((tab) => relationshipOf(tab, relationships)).find(isWorksheet);
  if (!sheet) throw new Error('The workbook has no sheet');
  const partOfType = (expected: string) => relationships.find(({ type }) => type === expected)?.part;
  return {
    sheet: sheet.part,
    sharedTexts: partOfType('sharedStrings'),
    styles: partOfType('styles'),
    isFrom1904,
  };
}

function isWorksheet({ type }: Relationship): boolean {
  return type === 'worksheet';
}

function relationshipOf(tab: string, relationships: readonly Relationship[]): Relationship {
  const found = relationships.find(({ id }) => id === tab);
  if (!found) throw new Error('The workbook lacks the part of a tab');
  return found;
}

/** Returns the relationship ids of the visible tabs of a workbook, in order. */
async function tabsOf(readPart: ReadPart, workbook: string) {
  const tabs: string[] = [];
  let isFrom1904 = false;
  await readPart(workbook, (token) => {
    if (token.kind !== 'open') return false;
    const { name, attributes } = token;
    if (name === 'workbookPr') isFrom1904 = /^(1|true)$/.test(attributeOf(attributes, 'date1904') ?? '');
    const isVisible = (attributeOf(attributes, 'state') ?? 'visible') === 'visible';
    if (name === 'sheet' && isVisible) tabs.push(attributeOf(attributes, 'id') ?? '');
    requireFew(tabs);
    return false;
  });
  return { tabs, isFrom1904 };
}
