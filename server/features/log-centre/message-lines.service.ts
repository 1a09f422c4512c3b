import type { getMessageLine, MessageLogLine, Sending, searchMessages } from '#shared/contract/message-log.ts'
import type { MessageChannel } from '#shared/contract/message-routes.ts'
import { MESSAGE_TEMPLATES, type TemplateName } from '#shared/rules/message-templates.ts'
import type { Input, Output } from '../../platform/http/mount.ts'
import { toIso } from '../../platform/iso-time.ts'
import { type Context, callerOf } from '../../platform/platform.ts'
import { purposeOf, receiverHashes } from '../messages/index.ts'
import { recordReading } from '../records/index.ts'
import { lineBy, namesIn, withSearch } from './log-lines.service.ts'
import { ALL_PEOPLE, peopleOf, searchLog } from './log-search.service.ts'
import {
  type LoggedPurpose,
  listRoute,
  type MessageRow,
  messageSource,
  type SendingRow,
} from './message-source.store.ts'

const loggedPurposeOf = (template: TemplateName): LoggedPurpose => purposeOf(template) ?? 'other'

const templatesOf = (purpose: LoggedPurpose): TemplateName[] =>
  MESSAGE_TEMPLATES.filter((template) => loggedPurposeOf(template) === purpose)

/** How each channel's failures begin: with a step and a code, or with a code. */
const CODES: Readonly<Record<MessageChannel, RegExp>> = {
  wecom: /^\w+ ([\w.:-]{1,60})$/,
  dingtalk: /^\w+ ([\w.:-]{1,60})$/,
  sms: /^(?:HTTP )?([\w.-]{1,60})(?::| )/,
  mail: /(?:^|: )([245]\d\d)\b/,
  http: /^HTTP (\d{3})\b/,
}

/** What a gateway said may name somebody else, so that only super users read it; its code never does. */
function toSending(
  ctx: Context,
  { id, at, channel, template, to, state, attempts, reason, words, ...row }: SendingRow,
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
    code: CODES[channel].exec(words ?? '')?.[1] ?? null,
    words: callerOf(ctx).isSuperUser ? words : null,
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
  const { userId, channel, receiver, purpose, state, from, to, after, pageSize } = query
  await recordReading(ctx, { what: 'message-log', userId: userId ?? null })
  const source = messageSource({
    userId: userId ?? null,
    channel: channel ?? null,
    state: state ?? null,
    templates: purpose ? templatesOf(purpose) : null,
    receivers: receiver === undefined ? null : receiverHashes(ctx, receiver),
  })
  const { records, ...rest } = await withSearch(async () => {
    const people = await peopleOf(ctx, { ...ALL_PEOPLE, ...query })
    return searchLog<MessageRow>(ctx, { source, people, from, to, after, pageSize, language: ctx.client.language })
  })
  return { records: records.map((row) => toLine(ctx, row)), ...rest, names: await namesIn(ctx, query) }
}

const EVERYTHING = messageSource({ userId: null, channel: null, state: null, templates: null, receivers: null })

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
