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

/** Null without accessible reading: then nothing of it is loaded. */
export const useReadingChoices = (): ReadingChoices | null =>
  useSyncExternalStore(
    subscribe,
    () => choices,
    () => null,
  )

/** The factor by which text is enlarged. */
export const readingFactor = (): number => (choices?.size ?? 100) / 100

/** @returns a function that unsubscribes. */
export const onReadingChange = subscribe

/** Stores the choices in this browser and applies them; null removes them entirely. */
export function setReadingChoices(next: ReadingChoices | null): void {
  // A closed toolbar with defaults counts as no choice.
  const isPlain = next !== null && formatReading(next) === formatReading(READING_DEFAULTS)
  choices = isPlain ? null : next
  writeCookie(STORAGE_KEYS.reading, choices && formatReading(choices))
  for (const [name, value] of Object.entries(readingMarks(choices))) {
    if (value === null) document.documentElement.removeAttribute(`data-reading-${name}`)
    else document.documentElement.setAttribute(`data-reading-${name}`, value)
  }
  notify()
}

/** Opens the toolbar, which then takes the focus, or closes it. */
export function toggleReading(): void {
  const open = !choices?.open
  isJustOpened = open
  setReadingChoices({ ...(choices ?? READING_DEFAULTS), open })
}

/** True once after the toolbar was opened manually: one left open must not take the focus of every page. */
export function consumeJustOpened(): boolean {
  const was = isJustOpened
  isJustOpened = false
  return was
}

/** Takes over choices from another tab. */
export function syncReadingChoices(): void {
  const now = readStoredChoices()
  if (JSON.stringify(now) !== JSON.stringify(choices)) setReadingChoices(now)
}
