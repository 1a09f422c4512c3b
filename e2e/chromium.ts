import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * The browser of the journeys: the one that CHROMIUM_PATH names, one that Playwright installed, or the system's.
 * @throws Error when there is none: a journey that is skipped proves nothing.
 */
export function chromiumPath(): string {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH names ${named}, where there is no file`)
  }
  const found = [chromium.executablePath(), ...PLACES].find((place) => place && existsSync(place))
  if (found) return found
  throw new Error('No Chromium found for the browser tests: install one, or name it in CHROMIUM_PATH.')
}
