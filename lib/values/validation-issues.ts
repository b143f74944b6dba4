import { type ApiError, invalid } from './api-error.ts';
import type { ErrorCode, MessageDescriptor } from './message.ts';

/** An issue at a path. */
export type ValidationIssue = ErrorCode | MessageDescriptor;

/** Validation issues by field path: all are reported at once, for each path the first one. */
export class ValidationIssues {
  readonly #byPath = new Map<string, ValidationIssue>();

  /** Adds an issue at a path, unless the path has one. */
  add(path: string, issue: ValidationIssue): void {
    if (!this.#byPath.has(path)) this.#byPath.set(path, issue);
  }

  /** True if there is any issue. */
  get areAny(): boolean {
    return this.#byPath.size > 0;
  }

  /** Returns true if any issue matches. */
  some(matches: (path: string, issue: ValidationIssue) => boolean): boolean {
    return [...this.#byPath].some(([path, issue]) => matches(path, issue));
  }

  /**
   * Returns a collector for issues that depend on valid values at these paths: this one, or a discarded one
   * if any of them, or a path below, has an issue.
   */
  unless(...paths: readonly string[]): ValidationIssues {
    const isOnOne = (path: string) => paths.some((each) => path === each || path.startsWith(`${each}.`));
    return [...this.#byPath.keys()].some(isOnOne) ? new ValidationIssues() : this;
  }

  /** Throws a 422 with all issues, if any. */
  throwIfAny(): void {
    if (this.areAny) throw this.refusal;
  }

  /** The 422 with all issues. */
  get refusal(): ApiError {
    return invalid(Object.fromEntries(this.#byPath));
  }
}
