import type { getMessageLine, MessageLogLine, Sending, searchMessages } from '#shared/contract/message-log.ts'
import { MESSAGE_TEMPLATES, type TemplateName } from '#shared/rules/message-templates.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import type { Context } from '../../platform/platform.ts'
import { forSuperUsers } from '../access/index.ts'
import { purposeOf, receiverHashes } from '../messages/index.ts'
import { recordReading } from '../records/index.ts'
import type { Excluded } from './log-filter.types.ts'
import { lineBy, namesIn } from './log-lines.service.ts'
import { ALL_PEOPLE, peopleOf, searchLog } from './log-search.service.ts'
import {
  type LoggedPurpose,
  listRoute,
  type MessageRow,
  messageSource,
  type SendingRow,
} from './message-source.store.ts'
import { withSearch } from './search-slots.service.ts'

const loggedPurposeOf = (template: TemplateName): LoggedPurpose => purposeOf(template) ?? 'other'

const templatesOf = (purpose: string): TemplateName[] =>
  MESSAGE_TEMPLATES.filter((template) => loggedPurposeOf(template) === purpose)

/** A purpose is in no column: it follows from the template. */
const isPurpose = ({ name }: Excluded) => name === 'purpose'

/** What a gateway said may name somebody else, so that only super users read it; its code never does. */
function toSending(
  ctx: Context,
  { id, at, channel, template, to, state, attempts, reason, code, words, ...row }: SendingRow,
) {
  return {
    id,
    at: at.toISOString(),
    channel,
    template,
    purpose: loggedPurposeOf(template),
    to,
    state,
    attempts,
    reason,
    code,
    words: forSuperUsers(ctx, words),
    finishedAt: toIso(row.finishedAt),
  } satisfies Sending
}

function toLine(ctx: Context, row: MessageRow): MessageLogLine {
  const { key, userId, person, personAccount, organizationId, organization, categoryId, category, next } = row
  const about = { userId, person, personAccount, organizationId, organization, categoryId, category }
  return { ...toSending(ctx, row), key, ...about, next }
}

/** Messages, newest first. @throws Refusal `service.busy`. */
export async function findMessages(
  ctx: Context,
  query: Input<typeof searchMessages>['query'],
): Promise<Output<typeof searchMessages>> {
  const { userId, channel, receiver, purpose, state, from, to, after, pageSize, without = [] } = query
  await recordReading(ctx, { what: 'message-log', userId: userId ?? null })
  const source = messageSource({
    userId: userId ?? null,
    channel: channel ?? null,
    state: state ?? null,
    templates: purpose ? templatesOf(purpose) : null,
    receivers: receiver === undefined ? null : receiverHashes(ctx, receiver),
    without: without.filter((one) => !isPurpose(one)),
    withoutTemplates: without.filter(isPurpose).flatMap(({ value }) => templatesOf(value)),
  })
  const { records, ...rest } = await withSearch(async () => {
    const people = await peopleOf(ctx, { ...ALL_PEOPLE, ...query })
    return searchLog<MessageRow>(ctx, { source, people, from, to, after, pageSize, language: ctx.client.language })
  })
  return { records: records.map((row) => toLine(ctx, row)), ...rest, names: await namesIn(ctx, query) }
}

const EVERYTHING = messageSource({
  userId: null,
  channel: null,
  state: null,
  templates: null,
  receivers: null,
  without: [],
  withoutTemplates: [],
})

/** @throws Refusal `record.not-found`, also for a message to somebody whom the caller does not administer. */
export async function getMessage(ctx: Context, key: string): Promise<Output<typeof getMessageLine>> {
  const row = await lineBy<MessageRow>(ctx, key, EVERYTHING)
  await recordReading(ctx, { what: 'message-log', userId: row.userId })
  const { state, expiresAt, nextAttemptAt, gateway, gatewayId } = row
  const route = await listRoute(ctx.db, row.routeId ?? row.id)
  return {
    ...toLine(ctx, row),
    expiresAt: expiresAt.toISOString(),
    nextAttemptAt: state === 'pending' ? nextAttemptAt.toISOString() : null,
    gateway,
    gatewayId,
    route: route.map((one) => toSending(ctx, one)),
  }
}
