import type { Language } from '#shared/contract/endpoint.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { insightWords } from '#shared/rules/insight-words.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { type MassNotice, notifyPeople } from '../messages/index.ts'
import { loadSettings } from './insight-search.service.ts'
import { type InsightRow, listSuperUserIds, listUntold, setTold } from './log-insights.store.ts'

/** Said in one message; of more it says how many. */
const MAX_SAID = 10
const MAX_TOLD = 1000
const PAGE = '/auth_web/manage/log-insights'

/**
 * Tells super users what is new, all of it in one message: of one thing at most once an hour, and again only while it goes on. Message
 * and mark are one transaction. Where half of what a channel takes in an hour is used up, it is told in a later run.
 */
export async function tellAdministrators(ctx: Context): Promise<void> {
  const { insightMessages } = await loadSettings(ctx)
  const language = ctx.wording.offered()[0] ?? 'zh_CN'
  await transaction(ctx, async (inner) => {
    const now = inner.now()
    const found = await listUntold(inner.db, insightMessages, now, language, MAX_TOLD)
    if (found.length === 0) return
    const people = await listSuperUserIds(inner.db)
    const params = messageParams(inner, found, language)
    const expiresAt = new Date(now.getTime() + DAY_MS)
    const notices = people.map(
      ({ id }): MassNotice => ({ userId: id, template: 'notice.log-insight', params, expiresAt }),
    )
    const sent = await notifyPeople(inner, notices, { language, notBefore: now })
    if (sent.size === 0 && people.length > 0) return
    await setTold(
      inner.db,
      found.map(({ id }) => id),
      now,
    )
  })
}

function messageParams(ctx: Context, found: readonly InsightRow[], language: Language) {
  const format = new Intl.NumberFormat(languageTag(language))
  const number = (count: number) => format.format(count)
  const said = found.slice(0, MAX_SAID).map((one) => sentence(ctx, one, language, number))
  const more = found.length - said.length
  if (more > 0) said.push(ctx.translate(language, 'log-insight.said.more', { total: number(more) }))
  return {
    said: said.join('\n'),
    first: said[0] ?? '',
    total: number(found.length),
    url: `${ctx.config.publicUrl}${PAGE}`,
  }
}

const sentence = (ctx: Context, { facts, ...one }: InsightRow, language: Language, number: (count: number) => string) =>
  ctx.translate(
    language,
    `log-insight.said.${one.kind}`,
    insightWords({ ...one, ...facts }, (key) => ctx.translate(language, key), number),
  )
