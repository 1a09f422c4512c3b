import { STORAGE_KEYS } from '../platform/browser-storage.ts'

/** Changes at every login through this page; the portal's own token changes only at a login into the portal. */
const LOGIN_SIGNAL_KEY = 'gatehouse.signed-in'

/** Tells the other tabs that this browser is logged in. */
export function announceLogin(): void {
  try {
    localStorage.setItem(LOGIN_SIGNAL_KEY, String(Date.now()))
  } catch {
    // Without storage there is no other tab to tell.
  }
}

/** Calls `act` when a login happens in another tab. @returns a function that stops it. */
export function onLoginInOtherTab(act: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (newValue !== null && (key === LOGIN_SIGNAL_KEY || key === STORAGE_KEYS.token)) act()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
