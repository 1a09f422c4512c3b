import type { Locator, Page } from '@playwright/test'

/**
 * The topmost dialog that is no drawer. A drawer has buttons named like those of the dialogs that it opens, whose code
 * may arrive after the next click.
 */
export const topDialog = (page: Page): Locator => page.locator('dialog.dialog').last()
