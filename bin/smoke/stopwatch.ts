import { sentenceFor } from '../program/sentence.ts';

/** Does a step, and tells its name with the milliseconds that it took. */
export type Timed = <T>(step: string, work: () => Promise<T>) => Promise<T>;

/** Makes a teller of steps; a step that fails is named in its error. */
export function newStopwatch(say: (line: string) => void): Timed {
  return async (step, work) => {
    const began = performance.now();
    try {
      const result = await work();
      say(`${step.padEnd(40)} ${Math.round(performance.now() - began)} ms`);
      return result;
    } catch (error) {
      throw new Error(`${step}: ${sentenceFor(error)}`, { cause: error });
    }
  };
}
