import { useSyncExternalStore } from 'react'
import type { Permission } from '#shared/contract/permissions.ts'
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

/** The token half of the session; useless without the HttpOnly cookie. */
export const sessionToken = (): string | null => localStorage.getItem(STORAGE_KEYS.token)

/** The logged-in person, or null, also for a user without an id. */
export const sessionUser = (): UserInformation | null => (user?.userId ? user : null)

export const mustChangePassword = (): boolean => localStorage.getItem(STORAGE_KEYS.firstLogin) === '1'

export function storeSession(token: string, information: UserInformation): void {
  clearReplyCache()
  localStorage.setItem(STORAGE_KEYS.user, JSON.stringify(information))
  storeFirstLogin(information.firstLogin === '1')
  // Last, because other tabs react to it.
  localStorage.setItem(STORAGE_KEYS.token, token)
  reloadUser()
}

type UpdatableFields = 'nick' | 'picture' | 'secondFactorDue' | 'profileDue' | 'isSuperUser' | 'permissions'

/** Applies changes of the person's data everywhere. */
export function updateUser(changes: Partial<Pick<UserInformation, UpdatableFields>>): void {
  const current = sessionUser()
  if (!current) return
  localStorage.setItem(STORAGE_KEYS.user, JSON.stringify({ ...current, ...changes }))
  reloadUser()
}

/** The same person with another nickname or picture; a different person arrives with the token. */
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

/** An activation was begun in this browser and is not finished. The server keeps its state. */
export const hasStartedActivation = (): boolean => localStorage.getItem(STORAGE_KEYS.activation) === '1'

export function storeActivation(isUnderway: boolean): void {
  if (isUnderway) localStorage.setItem(STORAGE_KEYS.activation, '1')
  else localStorage.removeItem(STORAGE_KEYS.activation)
}

/** Removes the person from this browser; the server ends the cookie. */
export function removeSession(): void {
  clearReplyCache()
  for (const name of [STORAGE_KEYS.user, STORAGE_KEYS.firstLogin, STORAGE_KEYS.activation, STORAGE_KEYS.token])
    localStorage.removeItem(name)
  reloadUser()
}

/**
 * Reports what other tabs did: `left` after a logout, `back` after a login where there was none, `changed` for another
 * person.
 * @returns a function that unsubscribes.
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

/** Has the logged-in person this permission anywhere? */
export function useMay(): (permission: Permission) => boolean {
  const user = useUser()
  return (permission) => isSuperUser(user) || (user?.permissions?.includes(permission) ?? false)
}
