/** What administrators type when they change the state of an account is meant for whoever looks after it next. */
const VISIBLE_REASON_ACTIONS: ReadonlySet<string> = new Set([
  'account.disable',
  'account.enable',
  'account.lock',
  'account.unlock',
  'account.freeze',
  'account.thaw',
  'account.delete',
  'account.restore',
  'account.reset',
])

/**
 * May an administrator of some organisations read the reason of such a change? Elsewhere it may be the name of a file, or speak of
 * what lies outside their organisations.
 */
export const isReasonVisible = (action: string): boolean => VISIBLE_REASON_ACTIONS.has(action)
