import { type ApiError, invalid } from './api-error.ts';
import type { ErrorCode, MessageDescriptor } from './message.ts';

/** A problem at a path. */
export type ValidationIssue = ErrorCode | MessageDescriptor;

/** The problems of a body, by path: all are told at once, for each path the one found first. */
export class ValidationIssues {
  readonly #byPath = new Map<string, ValidationIssue>();

  /** Notes a problem at a path, unless one is known there. */
  add(path: string, issue: ValidationIssue): void {
    if (!this.#byPath.has(path)) this.#byPath.set(path, issue);
  }

  /** Tells whether there is any problem. */
  get areAny(): boolean {
    return this.#byPath.size > 0;
  }

  /** Tells whether there is a problem of some kind. */
  some(isWanted: (path: string, issue: ValidationIssue) => boolean): boolean {
    return [...this.#byPath].some(([path, issue]) => isWanted(path, issue));
  }

  /**
   * Gives the collector for problems that count only if there is none at these paths or below: this one, or
   * one without readers. Nothing is judged by a field that is wrong itself.
   */
  unless(...paths: readonly string[]): ValidationIssues {
    const isOnOne = (path: string) => paths.some((each) => path === each || path.startsWith(`${each}.`));
    return [...this.#byPath.keys()].some(isOnOne) ? new ValidationIssues() : this;
  }

  /** Throws if there is any problem: 422 with all of them. */
  throwIfAny(): void {
    if (this.areAny) throw this.refusal;
  }

  /** Makes the 422 with all problems. */
  get refusal(): ApiError {
    return invalid(Object.fromEntries(this.#byPath));
  }
}
