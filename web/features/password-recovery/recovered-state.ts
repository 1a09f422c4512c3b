/** The result of a recovery for its success page, kept in the history entry: an address alone proves nothing. */
export type RecoveredState = {
  /** How many logins were ended. */
  ended: number
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    recovered?: RecoveredState
  }
}
