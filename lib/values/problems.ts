import type { MessageKey } from './messages/ru.ts';
import type { Phrase } from './messages/say.ts';
import { invalid, type Refusal } from './refusal.ts';

/** What is wrong at a path. */
export type Problem = MessageKey | Phrase;

/** What is wrong with a body, by path: all of it is told at once, of each path what was found first. */
export class Problems {
  readonly #byPath = new Map<string, Problem>();

  /** Notes what is wrong at a path, unless something is known to be wrong there. */
  add(path: string, problem: Problem): void {
    if (!this.#byPath.has(path)) this.#byPath.set(path, problem);
  }

  /** Whether anything is wrong. */
  get areAny(): boolean {
    return this.#byPath.size > 0;
  }

  /** 422 with everything that is wrong. */
  get refusal(): Refusal {
    return invalid(Object.fromEntries(this.#byPath));
  }
}
