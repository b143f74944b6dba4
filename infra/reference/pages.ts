import { type ErrorCode, errorCodes, paramsOfCode, translate } from '#lib/values/message.ts';
import { LOCALES } from '#lib/values/text.ts';
import { exampleOf } from './examples.ts';
import { type OperationObject, rulesOf } from './operations.ts';

/** Builds a page per noun with its rules and operations, and an index page, by address. */
export function nounPages(
  operations: readonly OperationObject[],
  frame: string,
): ReadonlyMap<string, string> {
  const byNoun = Map.groupBy(operations, ({ noun }) => noun.join(' '));
  const pages = [...byNoun].map(
    ([noun, its]) => [addressOf(noun), page(frame, noun, contentOf(noun, its))] as const,
  );
  const links = [...byNoun.keys()].map((noun) => `<li><a href="${addressOf(noun)}">${noun}</a></li>`);
  return new Map([...pages, ['/docs/nouns', page(frame, 'Resources', `<ul>${links.join('')}</ul>`)]]);
}

function addressOf(noun: string): string {
  return `/docs/${noun.replaceAll(' ', '-')}`;
}

function page(frame: string, title: string, content: string): string {
  return frame.replaceAll('{title}', title).replace('{content}', content);
}

function contentOf(noun: string, operations: readonly OperationObject[]): string {
  const rows = operations.map((operation) => {
    const { method, path, metadata } = operation;
    const note = metadata.note === undefined ? '' : paragraphs(metadata.note);
    return `<section><h2><code>${method} ${escapeHtml(path)}</code></h2>${note}${errorCodesOf(operation)}</section>`;
  });
  return `${paragraphs(rulesOf(noun, operations))}${rows.join('')}`;
}

/** Lists the error codes recorded for the operation. */
function errorCodesOf({ name }: OperationObject): string {
  const codes = Object.entries(exampleOf(name).refused ?? {}).map(([status, body]) => {
    const { code } = Object(body);
    return `<a href="/docs/codes#${code}">${status} <code>${code}</code></a>`;
  });
  return codes.length === 0 ? '' : `<p>Error codes, for example: ${codes.join(', ')}.</p>`;
}

/** Converts a text with code in backticks to HTML paragraphs. */
function paragraphs(text: string): string {
  const coded = escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
  return coded
    .split('\n\n')
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('');
}

/** Builds the page that lists all error codes with their params and their message in each language. */
export function codesPage(frame: string): string {
  return frame.replace('{codes}', errorCodes().map(rowOf).join('\n'));
}

function rowOf(key: ErrorCode): string {
  const params = paramsOfCode(key).map((name) => `<code>${name}</code>`);
  const texts = LOCALES.map((locale) => escapeHtml(translate(locale, { key })));
  const cells = [`<a href="#${key}"><code>${key}</code></a>`, params.join(', '), ...texts];
  return `<tr id="${key}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

/** Returns a table row for each operation with a rate limit. */
export function limitRows(operations: readonly OperationObject[]): string {
  return operations
    .flatMap(({ method, path, metadata: { limit } }) =>
      limit
        ? [`<tr><td><code>${method} ${path}</code></td><td>${limit.max} in ${limit.seconds} s</td></tr>`]
        : [],
    )
    .join('\n');
}

/** Returns the versions of the changelog, the newest first: headings and lists of its Markdown. */
export function changelog(markdown: string): string {
  const [, ...versions] = markdown.split(/^## /m);
  return versions
    .map((version) => {
      const [heading = '', ...lines] = version.trim().split('\n');
      const blocks = lines
        .join('\n')
        .trim()
        .split(/\n(?=- )|\n\n/);
      const items = blocks.map((block) => block.replace(/^- /, '').replaceAll(/\s*\n\s*/g, ' '));
      const list = items.map((item) => paragraphs(item.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')));
      return `<h2>${escapeHtml(heading)}</h2>${list.join('')}`;
    })
    .join('\n');
}

/** Escapes a text for HTML. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
