import { textOf } from './files.ts';

/**
 * The one grammar of a pointer from a comment into docs/contract: a heading (what it has in parentheses may
 * be left out) or the number of a section; then, if need be, the number of a rule, of a decision, or the
 * beginning of a row: `Part 1, "Errors"`, `Part 1, "Shared conventions", 5`, `Decisions, 4`, `Decisions, 7,
 * "Warehouse"`, `Decisions, 9 (34)`, `Part 4, 4.1, 3`.
 */
const POINTER =
  /^(?<page>Part [1-4]|Decisions), (?:"(?<heading>[^"]+)"|(?<section>\d(?:\.\d)?))(?:, (?<rule>\d+)| \((?<decision>\d+)\)|, "(?<row>[^"]+)")?/;

/** A passage of a comment that is meant as a pointer, rightly written or not. */
const MEANT = /(?=(\b(?:parts? \d|decisions), .*))/gi;

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
  const { page, heading, section, rule, decision, row } = POINTER.exec(text)?.groups ?? {};
  if (page === undefined) return 'is no pointer by the grammar';
  const lines = linesUnder(page, heading ?? section ?? '');
  if (!lines) return 'leads to no heading';
  if (rule !== undefined) return some(lines, (line) => line.startsWith(`${rule}. `), 'leads to no rule');
  if (decision !== undefined)
    return some(lines, (line) => line.includes(`(${decision}) `), 'leads to no decision');
  if (row !== undefined) return rowFault(lines, row);
  return section !== undefined && LONG.has(section) ? 'names neither row nor decision' : undefined;
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
  if (/^\d\.\d$/.test(heading)) return title.startsWith(`${heading} `);
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
