/** Reasons that administrators enter for these state changes are meant for whoever manages the account next. */
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
 * May a scoped administrator read the reason of such a change? Elsewhere it may be a file name, or mention something outside their scope.
 */
export const isReasonVisible = (action: string): boolean => VISIBLE_REASON_ACTIONS.has(action)
