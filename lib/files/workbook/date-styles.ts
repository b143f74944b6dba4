import { attributeOf, type XmlToken } from './package.ts';

/** Formats that every workbook has without saying, and that show days: of 14 to 22, times of day without. */
const BUILT_IN: ReadonlySet<number> = new Set([14, 15, 16, 17, 22]);

/** Finds which styles of cells show their number as a day. */
export class DateStyleReader {
  readonly #formats = new Map<number, string>();
  readonly #styles: boolean[] = [];
  #isOfCells = false;

  take(token: XmlToken): void {
    if (token.kind === 'text') return;
    if (token.name === 'cellXfs') this.#isOfCells = token.kind === 'open';
    if (token.kind !== 'open') return;
    const id = Number(attributeOf(token.attributes, 'numFmtId'));
    if (token.name === 'numFmt') this.#formats.set(id, attributeOf(token.attributes, 'formatCode') ?? '');
    else if (token.name === 'xf' && this.#isOfCells) this.#styles.push(this.#isDay(id));
  }

  /** Tells whether a style shows days. */
  isDay(style: number): boolean {
    return this.#styles[style] === true;
  }

  #isDay(format: number): boolean {
    // What is quoted, escaped, or in brackets (a colour, a locale) is no part of a day.
    const code = this.#formats.get(format)?.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, '');
    return code === undefined ? BUILT_IN.has(format) : /[dy]/i.test(code);
  }
}

/** Writes the day of a workbook's number for time, `2026-11-21`; empty if there is none. */
export function dayOfSerial(serial: number): string {
  const isDay = serial >= 0 && serial < 2_958_466;
  return isDay ? new Date(Math.floor(serial - 25_569) * 86_400_000).toISOString().slice(0, 10) : '';
}
