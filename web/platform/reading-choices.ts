import { useSyncExternalStore } from 'react'
import {
  formatReading,
  parseReading,
  READING_DEFAULTS,
  type ReadingChoices,
  readingMarks,
} from '#shared/rules/reading-choices.ts'
import { readCookie, STORAGE_KEYS, writeCookie } from './browser-storage.ts'
import { createListeners } from './listeners.ts'

/** The entry to accessible reading, which gets the focus back. */
export const READING_BUTTON_ID = 'reading-entry'

// The light pages are also rendered on the server, which has no document.
const readStoredChoices = () =>
  typeof document === 'undefined' ? null : parseReading(readCookie(STORAGE_KEYS.reading))

let choices = readStoredChoices()
let isJustOpened = false
const { subscribe, notify } = createListeners()

/** Null while nobody wants accessible reading: then nothing of it is loaded. */
export const useReadingChoices = (): ReadingChoices | null =>
  useSyncExternalStore(
    subscribe,
    () => choices,
    () => null,
  )

/** By how much text is enlarged. */
export const readingFactor = (): number => (choices?.size ?? 100) / 100

/** @returns the way to stop. */
export const onReadingChange = subscribe

/** Keeps the choices in this browser and shows them; null removes every trace. */
export function setReadingChoices(next: ReadingChoices | null): void {
  // A closed toolbar without any choice is no choice.
  const isPlain = next !== null && formatReading(next) === formatReading(READING_DEFAULTS)
  choices = isPlain ? null : next
  writeCookie(STORAGE_KEYS.reading, choices && formatReading(choices))
  for (const [name, value] of Object.entries(readingMarks(choices))) {
    if (value === null) document.documentElement.removeAttribute(`data-reading-${name}`)
    else document.documentElement.setAttribute(`data-reading-${name}`, value)
  }
  notify()
}

/** The entry opens the toolbar, which then takes the focus, or closes it. */
export function toggleReading(): void {
  const open = !choices?.open
  isJustOpened = open
  setReadingChoices({ ...(choices ?? READING_DEFAULTS), open })
}

/** True once after the toolbar was opened by hand: one that was left open must not take the focus of every page. */
export function consumeJustOpened(): boolean {
  const was = isJustOpened
  isJustOpened = false
  return was
}

/** What another tab chose meanwhile. */
export function syncReadingChoices(): void {
  const now = readStoredChoices()
  if (JSON.stringify(now) !== JSON.stringify(choices)) setReadingChoices(now)
}
