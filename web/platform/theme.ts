import { useSyncExternalStore } from 'react'
import { readCookie, STORAGE_KEYS, writeCookie } from './browser-storage.ts'
import { createListeners } from './listeners.ts'

/** `system` follows the device. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const { subscribe, notify } = createListeners()
const deviceScheme = matchMedia('(prefers-color-scheme: dark)')
deviceScheme.addEventListener('change', notify)

export function themeChoice(): ThemeChoice {
  const kept = readCookie(STORAGE_KEYS.theme)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function chooseTheme(choice: ThemeChoice): void {
  writeCookie(STORAGE_KEYS.theme, choice === 'system' ? null : choice)
  applyTheme()
  notify()
}

/** Sets the theme attribute; without it style sheets follow the device. */
export function applyTheme(): void {
  const choice = themeChoice()
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
}

const isDark = (): boolean => (themeChoice() === 'system' ? deviceScheme.matches : themeChoice() === 'dark')

export const useIsDark = (): boolean => useSyncExternalStore(subscribe, isDark)
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, themeChoice)
