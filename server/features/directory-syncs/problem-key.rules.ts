const OWN_PROBLEMS = ['empty', 'interrupted', 'superseded', 'no-mapped-column', 'sync-changed']

/** The message key of why a run failed. */
export const problemKey = (problem: string): string =>
  OWN_PROBLEMS.includes(problem) ? `directory-sync-failure.${problem}` : `data-source-problem.${problem}`
