import { attributeOf, type XmlToken } from './xml.ts';

/** Kind of display of a number. */
type Shown = 'number' | 'day' | 'time' | 'percent';

/** Built-in formats that show no number. */
const BUILT_IN: ReadonlyMap<number, Shown> = new Map([
  ...[9, 10].map((format) => [format, 'percent'] as const),
  ...[14, 15, 16, 17, 22].map((format) => [format, 'day'] as const),
  ...[18, 19, 20, 21, 45, 46, 47].map((format) => [format, 'time'] as const),
]);

/** The number format of a style: its kind of display, or leading zeros by a mask, e.g. `000-000`. */
export interface Style {
  readonly shows: Shown;
  readonly mask: string | undefined;
}

const PLAIN: Style = { shows: 'number', mask: undefined };

/** Limits of styles and formats of a workbook, and of characters in a format: Excel's are lower. */
const MAX_STYLES = 100_000;
const LONGEST_FORMAT = 255;

/** Reads the number formats of cell styles. */
export class StyleReader {
  readonly #formats = new Map<number, string>();
  readonly #styles: Style[] = [];
  #isOfCells = false;

  take(token: XmlToken): void {
    if (token.kind === 'text') return;
    if (token.name === 'cellXfs') this.#isOfCells = token.kind === 'open';
    if (token.kind !== 'open') return;
    const id = Number(attributeOf(token.attributes, 'numFmtId'));
    if (token.name === 'numFmt')
      this.#formats.set(id, (attributeOf(token.attributes, 'formatCode') ?? '').slice(0, LONGEST_FORMAT));
    else if (token.name === 'xf' && this.#isOfCells) this.#styles.push(this.#styleOf(id));
    if (this.#formats.size + this.#styles.length > MAX_STYLES)
      throw new Error('The workbook has more styles than it may');
  }

  /** Returns a style by its index. */
  get(style: number): Style {
    return this.#styles[style] ?? PLAIN;
  }

  #styleOf(format: number): Style {
    const code = this.#formats.get(format);
    if (code === undefined) return { shows: BUILT_IN.get(format) ?? 'number', mask: undefined };
    const mask = code.replaceAll(/"(-+)"|\\(-)/g, '$1$2');
    return { shows: kindByFormat(code), mask: /^-*0[0-]+$/.test(mask) ? mask : undefined };
  }
}

function kindByFormat(code: string): Shown {
  // Quoted, escaped and bracketed characters (a colour, a locale) and padding show nothing of the number; but
  // `[h]` does: hours above 24.
  const signs = code.replaceAll(/"[^"]*"|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '');
  if (/[dy]|mmm/i.test(signs)) return 'day';
  if (/[hs]/i.test(signs)) return 'time';
  return signs.includes('%') ? 'percent' : 'number';
}

/** Formats the digits of a number by a mask: `012-345` for 12345 by `000-000`. */
export function byMask(digits: string, mask: string): string {
  const places = mask.replaceAll('-', '').length;
  const padded = digits.padStart(places, '0');
  const last = [...padded.slice(padded.length - places)];
  return padded.slice(0, padded.length - places) + mask.replaceAll('0', () => last.shift() ?? '');
}
