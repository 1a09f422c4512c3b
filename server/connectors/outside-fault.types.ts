/** What Node adds to its message is for whoever starts it, not for whoever reads this one. */
const ADVICE_OF_NODE = /; if the root CA is installed locally, try running Node\.js with .*$/

/** Another system could not be used; `words` is its message, or the local system's. */
export class OutsideFault<Problem extends string> extends Error {
  readonly problem: Problem
  readonly words: string
  constructor(problem: Problem, words = '') {
    const shown = words.replace(ADVICE_OF_NODE, '')
    super(`${problem} ${shown}`)
    this.problem = problem
    this.words = shown
  }
}
