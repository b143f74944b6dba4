/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Value in a template: texts are escaped, `null` and `false` leave nothing. */
type Part = Html | string | number | null | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds HTML from a template. Its values are escaped unless they are HTML. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = '', ...rest] = template;
  return new Html(rest.reduce((text, next, index) => text + textOf(parts[index] ?? null) + next, first));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === null || part === false) return '';
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
  if (typeof part === 'number') return String(part);
  return part.map(textOf).join('');
}
