/**
 * The names of everything that the portal stores in this browser. The login page listens for `token` to notice a login
 * in another tab.
 */
export const STORAGE_KEYS = {
  token: 'gatehouse.token',
  user: 'gatehouse.user',
  firstLogin: 'gatehouse.first-login',
  activation: 'gatehouse.activation',
  language: 'gatehouse_language',
  theme: 'gatehouse_theme',
  reading: 'gatehouse_reading',
  /** The last successful login method; the login page starts with it. */
  loginType: 'gatehouse_login_type',
  activity: 'gatehouse.activity',
  menu: 'gatehouse.menu-closed',
  menuGroups: 'gatehouse.menu-groups-closed',
} as const

/** Days that a choice (language, theme) is kept in a cookie. */
const COOKIE_MAX_AGE_DAYS = 30

export function readCookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

/** Stores a choice where the server reads it too, so that the next page is right from its first byte. */
export function writeCookie(name: string, value: string | null): void {
  const age = value === null ? 0 : COOKIE_MAX_AGE_DAYS * 24 * 60 * 60
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in Firefox before 140.
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`
}

/** A stored JSON value, or null if absent or invalid. */
export function readStoredJson<T>(storage: Storage, name: string): T | null {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null') as T | null
  } catch {
    return null
  }
}
