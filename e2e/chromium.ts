import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const PLACES = [
  // Without the windows of a browser it takes a quarter less time.
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
 * The browser of the journeys: the one that CHROMIUM_PATH names, one that Playwright installed, or the system's.
 * @returns a path, with or without a file there, or undefined. The configuration that asks for it is also read by tools
 * that run no browser, on machines that have none: `requireChromium` is what insists.
 */
export function chromiumPath(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  if (named) return named
  return [chromium.executablePath(), ...PLACES].find((place) => place && existsSync(place))
}

/** @throws Error when there is no browser: a journey that is skipped proves nothing. */
export function requireChromium(): void {
  const path = chromiumPath()
  if (!path) throw new Error('No Chromium found for the browser tests: install one, or name it in CHROMIUM_PATH.')
  if (!existsSync(path)) throw new Error(`CHROMIUM_PATH names ${path}, where there is no file`)
}
