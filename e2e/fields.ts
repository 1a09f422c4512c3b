import { expect, type Locator } from '@playwright/test'

/** Chooses an option of a select by its text. */
export async function choose(select: Locator, option: string | RegExp): Promise<void> {
  await select.click()
  await select.page().getByRole('option', { name: option, exact: true }).click()
  await expect(select).toContainText(option)
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute'] as const

/** Types a date such as `2026-05-01`, or with a time `2026-05-01T08:00`, part by part; an empty text clears it. */
export async function typeDate(field: Locator, text: string): Promise<void> {
  const values = text.split(/[-T:]/)
  // The picker is loaded on demand.
  await field.locator('[data-type]').first().waitFor()
  for (const [at, part] of PARTS.entries()) {
    const segment = field.locator(`[data-type=${part}]`)
    if ((await segment.count()) === 0) continue
    await segment.focus()
    if (text === '') while ((await segment.getAttribute('data-placeholder')) === null) await segment.press('Backspace')
    else await segment.pressSequentially(values[at] ?? '00')
  }
}
