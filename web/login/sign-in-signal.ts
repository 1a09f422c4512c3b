import { KEPT } from '../platform/kept.ts'

/** Changes at every login through this page; the portal's own token changes at a login into the portal. */
const SIGNED_IN = 'gatehouse.signed-in'

/** Tells the other tabs that this browser is logged in. */
export function announceSignIn(): void {
  try {
    localStorage.setItem(SIGNED_IN, String(Date.now()))
  } catch {
    // A browser that keeps nothing has no other tab to tell.
  }
}

/** Calls `act` when a login happens in another tab. @returns how to stop. */
export function onSignInElsewhere(act: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (newValue !== null && (key === SIGNED_IN || key === KEPT.token)) act()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
