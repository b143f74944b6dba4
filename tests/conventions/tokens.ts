/** Comments; after them the texts, templates and patterns of code. */
const TOKENS =
  /(\/\*[\s\S]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/\w*/g;

/** Finds the comments of a source, each as one line. */
export function commentsIn(source: string): string[] {
  const comments = [...source.matchAll(TOKENS)].flatMap(([, comment]) => comment ?? []);
  return comments.map((comment) => comment.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' '));
}

/** Takes the texts, templates and patterns out of a source; its comments and lines stay. */
export function withoutTexts(source: string): string {
  return source.replaceAll(TOKENS, (token, comment) => comment ?? token.replaceAll(/[^\n]/g, ''));
}

/** Takes all out of a source but its code. */
export function codeOf(source: string): string {
  return source.replaceAll(TOKENS, '');
}
