import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const PLACES = [
  // The headless shell takes a quarter less time.
  '/usr/bin/chromium-headless-shell',
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
 * The browser of the journeys: CHROMIUM_PATH, one installed by Playwright, or the system's.
 * @returns a path, whether or not the file exists, or undefined. The configuration is also read by tools that run no
 * browser, so only `requireChromium` insists.
 */
export function chromiumPath(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  if (named) return named
  return [chromium.executablePath(), ...PLACES].find((place) => place && existsSync(place))
}

/** @throws Error without a browser: a skipped journey proves nothing. */
export function requireChromium(): void {
  const path = chromiumPath()
  if (!path) throw new Error('No Chromium found for the browser tests: install one, or name it in CHROMIUM_PATH.')
  if (!existsSync(path)) throw new Error(`CHROMIUM_PATH names ${path}, where there is no file`)
}
