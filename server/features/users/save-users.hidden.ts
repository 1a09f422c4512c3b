import type { Context } from '../../platform/platform.ts'
import type { Judged, Planned } from './save-users.plan.ts'
import type { ValueField } from './save-users.types.ts'

/** What whoever may change a person does not thereby read: the number of their document, and without `edit` what lists mask. */
const HIDDEN: readonly ValueField[] = ['idNumber']
const MASKED: readonly ValueField[] = ['phone', 'mailbox']

/**
 * A rehearsal tells nobody that they guessed what they may not read: thousands of guesses fit into a file, and none of them would be
 * written. Such a value counts as a change, whether it is one or not.
 */
export function hideGuesses({ caller }: Context, planned: readonly Planned[], judged: readonly Judged[]): void {
  if (!caller || caller.isSuperUser) return
  for (const [at, row] of planned.entries()) {
    const fields = judged[at]?.fields
    if (!row.existing || !fields) continue
    const hidden = row.existing.isOpen ? HIDDEN : [...HIDDEN, ...MASKED]
    row.changed.push(...hidden.filter((field) => fields[field] && !row.changed.includes(field)))
  }
}
