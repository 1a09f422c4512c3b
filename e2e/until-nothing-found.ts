import type { Page } from '@playwright/test'

/** How often a page is looked at before it is said to be at fault, and how many milliseconds lie between. */
const LOOKS = 5
const SETTLING_MS = 250

/** What a look at the page finds. One that is still changing is looked at again, so that nothing is judged halfway. */
export async function untilNothingFound(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  let found = await look()
  for (let looks = 1; looks < LOOKS && found.length > 0; looks += 1) {
    await page.waitForTimeout(SETTLING_MS)
    found = await look()
  }
  return found
}
