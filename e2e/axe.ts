import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { untilNothingFound } from './until-nothing-found.ts'

type RunOptions = Parameters<AxeBuilder['options']>[0]
type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What the same page in other colours can break. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds on the page once that has settled, as one readable line for each.
 * @param only what has changed since the page was looked at in full: its colours, or its layout, as on a phone. Contrast takes most
 *   of the time, and is the same in every layout.
 */
export async function violations(page: Page, only?: 'colours' | 'layout'): Promise<string[]> {
  const options: RunOptions = {
    // Of what holds it would tell a megabyte a page.
    resultTypes: ['violations'],
    runOnly: only === 'colours' ? { type: 'rule', values: COLOURS } : { type: 'tag', values: TAGS },
    rules: only === 'layout' ? Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])) : {},
  }
  return await untilNothingFound(page, async () => linesOf(await analyze(page, options)))
}

type Axe = { run(options: RunOptions): Promise<AxeResults> }

/** Bringing axe to a page costs more than all that it does there: a page that has it from before is only asked again. */
async function analyze(page: Page, options: RunOptions): Promise<AxeResults> {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (isThere) return await page.evaluate((asked) => (window as unknown as { axe: Axe }).axe.run(asked), options)
  return await new AxeBuilder({ page }).setLegacyMode().options(options).analyze()
}

const linesOf = ({ violations: found }: AxeResults): string[] =>
  found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`))
