import type { Page } from '@playwright/test'

/** Milliseconds before each further check of a page with findings: patience costs nothing where nothing is found. */
const SETTLING_MS = [250, 250, 500, 1000, 2000, 4000]

/** The findings of a check. A page still changing is checked again, so that no intermediate state counts. */
export async function untilNothingFound(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  let found = await look()
  for (const wait of SETTLING_MS) {
    if (found.length === 0) break
    await page.waitForTimeout(wait)
    found = await look()
  }
  return found
}
