import { invalid, type Refusal } from './refusal.ts';
import type { Phrase, RefusalCode } from './say.ts';

/** A problem at a path. */
export type Problem = RefusalCode | Phrase;

/** The problems of a body, by path: all are told at once, for each path the one found first. */
export class Problems {
  readonly #byPath = new Map<string, Problem>();

  /** Notes a problem at a path, unless one is known there. */
  add(path: string, problem: Problem): void {
    if (!this.#byPath.has(path)) this.#byPath.set(path, problem);
  }

  /** Tells whether there is any problem. */
  get areAny(): boolean {
    return this.#byPath.size > 0;
  }

  /** Tells whether there is a problem of some kind. */
  some(isWanted: (path: string, problem: Problem) => boolean): boolean {
    return [...this.#byPath].some(([path, problem]) => isWanted(path, problem));
  }

  /**
   * Gives the collector for problems that count only if there is none at these paths or below: this one, or
   * one without readers. Nothing is judged by a field that is wrong itself.
   */
  unless(...paths: readonly string[]): Problems {
    const isOnOne = (path: string) => paths.some((each) => path === each || path.startsWith(`${each}.`));
    return [...this.#byPath.keys()].some(isOnOne) ? new Problems() : this;
  }

  /** Throws if there is any problem: 422 with all of them. */
  throwIfAny(): void {
    if (this.areAny) throw this.refusal;
  }

  /** Makes the 422 with all problems. */
  get refusal(): Refusal {
    return invalid(Object.fromEntries(this.#byPath));
  }
}
