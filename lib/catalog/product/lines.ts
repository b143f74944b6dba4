const LINE_END = /\r\n?/g;

/** Returns a text of lines as a cell of a workbook has it: with line feeds alone. */
export function linesInCell(text: string | null): string | null {
  return text?.replaceAll(LINE_END, '\n') ?? null;
}
