import { expect, type Page } from '@playwright/test'
import type { School } from './fixtures.ts'

/** A page or state that everyone must be able to use. `as` null: nobody is logged in. */
export type PageState = {
  name: string
  as: 'lilei' | 'root' | null
  /** Something here stays in the language in which it was asked for: for another one the place is opened again. */
  isSaid?: true
  go(page: Page, school: School): Promise<void>
}

/** A page that is there once `ready` is seen. */
export const visit = (name: string, as: PageState['as'], path: string, ready: string): PageState => ({
  name,
  as,
  async go(page) {
    await page.goto(path)
    // Rows of a table lie hidden beside their cards on a phone.
    await expect(page.locator(ready).filter({ visible: true }).first()).toBeVisible()
  },
})
