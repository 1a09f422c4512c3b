import { useSyncExternalStore } from 'react'
import type { Power } from '#shared/contract/powers.ts'
import type { UserInformation } from '#shared/contract/sessions.ts'
import { readStoredJson, STORAGE_KEYS } from './browser-storage.ts'
import { createListeners } from './listeners.ts'
import { clearReplyCache } from './reply-cache.ts'

const { subscribe, notify } = createListeners()
let user = readStoredJson<UserInformation>(localStorage, STORAGE_KEYS.user)

function reloadUser(): void {
  user = readStoredJson<UserInformation>(localStorage, STORAGE_KEYS.user)
  notify()
}

/** The request-binding half of the session; without the HttpOnly cookie it is worth nothing. */
export const sessionToken = (): string | null => localStorage.getItem(STORAGE_KEYS.token)

/** The logged-in person, or null. A user without an id is no user. */
export const sessionUser = (): UserInformation | null => (user?.userId ? user : null)

export const mustChangePassword = (): boolean => localStorage.getItem(STORAGE_KEYS.firstLogin) === '1'

export function storeSession(token: string, information: UserInformation): void {
  clearReplyCache()
  localStorage.setItem(STORAGE_KEYS.user, JSON.stringify(information))
  storeFirstLogin(information.firstLogin === '1')
  // Last: other tabs act on it.
  localStorage.setItem(STORAGE_KEYS.token, token)
  reloadUser()
}

type UpdatableFields = 'nick' | 'picture' | 'secondFactorDue' | 'profileDue' | 'isSuperUser' | 'powers'

/** What the person has changed about themselves, or others about them, shows everywhere at once. */
export function updateUser(changes: Partial<Pick<UserInformation, UpdatableFields>>): void {
  const current = sessionUser()
  if (!current) return
  localStorage.setItem(STORAGE_KEYS.user, JSON.stringify({ ...current, ...changes }))
  reloadUser()
}

/** The same person under another nickname or picture; anybody else arrives with the token. */
function syncUserChanges(key: string): void {
  if (
    key === STORAGE_KEYS.user &&
    readStoredJson<UserInformation>(localStorage, STORAGE_KEYS.user)?.userId === user?.userId
  )
    reloadUser()
}

export function storeFirstLogin(must: boolean): void {
  if (must) localStorage.setItem(STORAGE_KEYS.firstLogin, '1')
  else localStorage.removeItem(STORAGE_KEYS.firstLogin)
}

/** The activation flag: one was begun in this browser and is not over. What it holds is the server's to keep. */
export const hasStartedActivation = (): boolean => localStorage.getItem(STORAGE_KEYS.activation) === '1'

export function storeActivation(isUnderway: boolean): void {
  if (isUnderway) localStorage.setItem(STORAGE_KEYS.activation, '1')
  else localStorage.removeItem(STORAGE_KEYS.activation)
}

/** Forgets the person in this browser; the cookie is the server's to end. */
export function removeSession(): void {
  clearReplyCache()
  for (const name of [STORAGE_KEYS.user, STORAGE_KEYS.firstLogin, STORAGE_KEYS.activation, STORAGE_KEYS.token])
    localStorage.removeItem(name)
  reloadUser()
}

/**
 * Tells what other tabs did: `left` after a logout, `back` after a login where there was none, `changed` when it is somebody else.
 * @returns the way to stop.
 */
export function onOtherTabSession(act: (what: 'left' | 'back' | 'changed') => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== STORAGE_KEYS.token && event.key !== null) return syncUserChanges(event.key)
    const before = user?.userId
    reloadUser()
    if (!sessionToken()) return before && act('left')
    if (before !== user?.userId) act(before ? 'changed' : 'back')
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

export const useUser = (): UserInformation | null => useSyncExternalStore(subscribe, sessionUser)

export const isSuperUser = (user: Pick<UserInformation, 'isSuperUser'> | null): boolean => user?.isSuperUser === '1'
export const useIsSuperUser = (): boolean => isSuperUser(useUser())

/** May the person who is logged in do this somewhere? */
export function useMay(): (power: Power) => boolean {
  const user = useUser()
  return (power) => isSuperUser(user) || (user?.powers?.includes(power) ?? false)
}
