import { textOf } from './files.ts';

/**
 * The one grammar of a pointer from a comment into docs/contract: a heading (what it has in parentheses may
 * be left out) or the number of a section; then, if need be, the number of a rule, of an entry, or the
 * beginning of a row: `Part 1, "Errors"`, `Part 1, "Shared conventions", 5`, `Part 4, 4.1, 3`,
 * `Part 5, 5A.12, 1`, and for the contract's decisions `Contract 4`, `Contract 7, "Warehouse"`,
 * `Contract 9.34`.
 */
const POINTER =
  /^(?:(?<page>Part [1-5]), (?:"(?<heading>[^"]+)"|(?<part>\d[AB]?(?:\.\d+)?))(?:, (?<rule>\d+)|, "(?<cell>[^"]+)")?|Contract (?<section>\d)(?:\.(?<entry>\d+)|, "(?<row>[^"]+)")?)/;

/** A passage of a comment that is meant as a pointer, rightly written or not. */
const MEANT = /(?=(\b(?:parts? \d, |decisions, |contract \d).*))/gi;

/** Sections that are too long to be pointed at as a whole. */
const LONG = new Set(['1', '2', '7', '9']);

/** Finds the pointers in the comments of a source, each with the words that follow it. */
export function pointersIn(source: string): string[] {
  const blocks = source.matchAll(/\/\*[\s\S]*?\*\/|(?:^[^\S\n]*\/\/.*\n?)+|\/\/ .*/gm);
  return [...blocks].flatMap(([comment]) => {
    const text = comment.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');
    return [...text.matchAll(MEANT)].map(([, pointer = '']) => pointer);
  });
}

/** Tells what is wrong with a pointer; undefined if it leads somewhere. */
export function faultOf(text: string): string | undefined {
  const { page, heading, part, rule, cell, section, entry, row } = POINTER.exec(text)?.groups ?? {};
  const title = heading ?? part ?? section;
  if (title === undefined) return 'is no pointer by the grammar';
  const lines = linesUnder(page ?? 'Decisions', title);
  if (!lines) return 'leads to no heading';
  if (rule !== undefined) return some(lines, (line) => line.startsWith(`${rule}. `), 'leads to no rule');
  if (entry !== undefined) return some(lines, (line) => line.includes(`(${entry}) `), 'leads to no entry');
  const named = cell ?? row;
  if (named !== undefined) return rowFault(lines, named);
  return section !== undefined && LONG.has(section) ? 'names neither row nor entry' : undefined;
}

/** Finds the lines under every heading of that text or number; undefined if there is none. */
function linesUnder(page: string, heading: string): string[] | undefined {
  const file = `docs/contract/${page.toLowerCase().replace(' ', '-')}.md`;
  const parts = textOf(file)
    .split(/^#+ /m)
    .slice(1)
    .map((part) => part.split('\n'))
    .filter(([title = '']) => isNamed(title, heading));
  return parts.length === 0 ? undefined : parts.flatMap(([, ...lines]) => lines);
}

function isNamed(title: string, heading: string): boolean {
  if (/^\d[AB]?\.\d+$/.test(heading)) return title.startsWith(`${heading} `);
  return title === heading || title.replace(/ \(.*\)$/, '') === heading || title.startsWith(`${heading}. `);
}

function rowFault(lines: readonly string[], row: string): string | undefined {
  const cells = lines.map((line) => /^\| (.+?) \|/.exec(line)?.[1]?.replaceAll('`', '') ?? '');
  if (cells.includes(row)) return undefined;
  const named = cells.filter((cell) => cell.startsWith(row)).length;
  if (named === 1) return undefined;
  return named === 0 ? 'leads to no row' : 'leads to more than one row';
}

function some(lines: readonly string[], isIt: (line: string) => boolean, fault: string): string | undefined {
  return lines.some(isIt) ? undefined : fault;
}
