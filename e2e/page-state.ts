import { expect, type Page } from '@playwright/test'
import type { School } from './fixtures.ts'

/** A page or state that everyone must be able to use. `as` null: not logged in. */
export type PageState = {
  name: string
  as: 'lilei' | 'root' | null
  /** Some content keeps its language: reopen the state for another one. */
  isSaid?: true
  go(page: Page, school: School): Promise<void>
}

/** A page that is ready when `ready` is visible. */
export const visit = (name: string, as: PageState['as'], path: string, ready: string): PageState => ({
  name,
  as,
  async go(page) {
    await page.goto(path)
    // On a phone the table's rows are hidden behind their cards.
    await expect(page.locator(ready).filter({ visible: true }).first()).toBeVisible()
  },
})
