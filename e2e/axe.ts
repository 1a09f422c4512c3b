import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { untilNothingFound } from './until-nothing-found.ts'

type RunOptions = Parameters<AxeBuilder['options']>[0]
type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules that other colours can break. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds on a settled page, one line each.
 * @param only what has changed since a full check: colours, or the layout, as on a phone. Contrast takes most
 *   of the time, and does not depend on the layout.
 */
export async function violations(page: Page, only?: 'colours' | 'layout'): Promise<string[]> {
  const options: RunOptions = {
    // Including passes would return a megabyte per page.
    resultTypes: ['violations'],
    runOnly: only === 'colours' ? { type: 'rule', values: COLOURS } : { type: 'tag', values: TAGS },
    rules: only === 'layout' ? Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])) : {},
  }
  return await untilNothingFound(page, async () => linesOf(await analyze(page, options)))
}

type Axe = { run(options: RunOptions): Promise<AxeResults> }

/** Injecting axe costs more than running it, so a page keeps it. */
async function analyze(page: Page, options: RunOptions): Promise<AxeResults> {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (isThere) return await page.evaluate((asked) => (window as unknown as { axe: Axe }).axe.run(asked), options)
  return await new AxeBuilder({ page }).setLegacyMode().options(options).analyze()
}

const linesOf = ({ violations: found }: AxeResults): string[] =>
  found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`))
