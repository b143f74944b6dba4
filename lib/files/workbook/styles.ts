import { attributeOf, type XmlToken } from './xml.ts';

/** Built-in formats that show dates: of 14 to 22, without times of day. */
const BUILT_IN_DAYS: ReadonlySet<number> = new Set([14, 15, 16, 17, 22]);

/** The number format of a style: a date, or leading zeros by a mask, e.g. `000-000`. */
export interface Style {
  readonly isDay: boolean;
  readonly mask: string | undefined;
}

const PLAIN: Style = { isDay: false, mask: undefined };
const DAY: Style = { isDay: true, mask: undefined };

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
    if (code === undefined) return BUILT_IN_DAYS.has(format) ? DAY : PLAIN;
    // Quoted, escaped and bracketed characters (a colour, a locale) are not part of a date.
    const isDay = /[dy]/i.test(code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, ''));
    const mask = code.replaceAll(/"(-+)"|\\(-)/g, '$1$2');
    return { isDay, mask: /^-*0[0-]+$/.test(mask) ? mask : undefined };
  }
}

/** Formats the digits of a number by a mask: `012-345` for 12345 by `000-000`. */
export function byMask(digits: string, mask: string): string {
  const places = mask.replaceAll('-', '').length;
  const padded = digits.padStart(places, '0');
  const last = [...padded.slice(padded.length - places)];
  return padded.slice(0, padded.length - places) + mask.replaceAll('0', () => last.shift() ?? '');
}
