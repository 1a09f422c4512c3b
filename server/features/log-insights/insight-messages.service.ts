import type { Language } from '#shared/contract/endpoint.ts'
import { DAY_MS } from '#shared/rules/durations.ts'
import { languageTag } from '#shared/rules/format-message.ts'
import { insightWords } from '#shared/rules/insight-words.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { type MassNotice, notifyPeople } from '../messages/index.ts'
import { loadSettings } from './insight-search.service.ts'
import { type InsightRow, listSuperUserIds, listUntold, lockNotifying, setTold } from './log-insights.store.ts'

/** Listed in one message; if there are more, it says how many. */
const MAX_SAID = 10
const MAX_TOLD = 1000
const PAGE = '/auth_web/manage/log-insights'

/**
 * Notifies super users of what is new in one message: about the same thing at most once an hour, and again only if it continues. Message
 * and mark are one transaction. If half of a channel's hourly limit is used up, a later run notifies them.
 */
export async function tellAdministrators(ctx: Context): Promise<void> {
  const { insightMessages } = await loadSettings(ctx)
  const language = ctx.wording.offered()[0] ?? 'zh_CN'
  await transaction(ctx, async (inner) => {
    // A run that lost its node continues beside the next one for a while.
    await lockNotifying(inner.db)
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
  const sentences = found.slice(0, MAX_SAID).map((one) => sentence(ctx, one, language, number))
  const more = found.length - sentences.length
  if (more > 0) sentences.push(ctx.translate(language, 'log-insight.said.more', { total: number(more) }))
  return {
    said: sentences.join('\n'),
    first: sentences[0] ?? '',
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
