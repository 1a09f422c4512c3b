/** What a finished recovery hands to the page that tells of it, in the history entry: an address alone proves nothing. */
export type RecoveredState = {
  /** How many logins it ended. */
  ended: number
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    recovered?: RecoveredState
  }
}
