/** Another system could not be used; `words` is its message, or the local system's. */
export class OutsideFault<Problem extends string> extends Error {
  readonly problem: Problem
  readonly words: string
  constructor(problem: Problem, words = '') {
    super(`${problem} ${words}`)
    this.problem = problem
    this.words = words
  }
}
