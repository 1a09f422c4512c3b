import type { Page } from '@playwright/test'

/** Number of checks before a page counts as faulty, and the milliseconds between them. */
const LOOKS = 5
const SETTLING_MS = 250

/** The findings of a check. A page still changing is checked again, so that no intermediate state counts. */
export async function untilNothingFound(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  let found = await look()
  for (let looks = 1; looks < LOOKS && found.length > 0; looks += 1) {
    await page.waitForTimeout(SETTLING_MS)
    found = await look()
  }
  return found
}
