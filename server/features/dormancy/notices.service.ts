import { DAY_MS } from '#shared/rules/durations.ts'
import { type Context, transaction } from '../../platform/platform.ts'
import { mayManage } from '../access/index.ts'
import { type MassNotice, notifyPeople } from '../messages/index.ts'
import { recordAudits } from '../records/index.ts'
import { type DuePerson, lockTermsOf, type Notice, saveNotices, type TermOfPerson } from './dormancy.store.ts'
import { loadTerms, loadWording, type NoticeWording } from './terms.service.ts'

/** A notice that could not be sent by then is useless. */
export const NOTICE_DAYS = 3

type NoticeRecipient = Pick<DuePerson, 'id' | 'account' | 'dormantSince' | 'daysBefore'> & {
  /** The end of the term; for dormant people who are never locked, when they became dormant. */
  due: Date
  template: MassNotice['template']
  expiresAt: Date
}

/** Whoever is left out, because messages have used up their hourly limit, is notified the next night. @returns how many were reached */
export async function tellDue(
  ctx: Context,
  due: readonly DuePerson[],
  { notBefore, ...wording }: NoticeWording,
): Promise<number> {
  const latest = notBefore.getTime() + NOTICE_DAYS * DAY_MS
  const people = due
    .filter(({ daysBefore }) => daysBefore !== null)
    .map((one) => ({
      ...one,
      template: one.dormantSince ? ('notice.dormant-lock-soon' as const) : ('notice.dormant-soon' as const),
      expiresAt: new Date(Math.min(one.due.getTime(), latest)),
    }))
  const sent = await sendNotices(ctx, people, { ...wording, notBefore })
  return [...sent.values()].filter((messages) => messages > 0).length
}

/** @returns the number of messages sent to each; whoever is missing was left out */
async function sendNotices(
  ctx: Context,
  people: readonly NoticeRecipient[],
  { language, notBefore, toDay }: NoticeWording,
) {
  const at = ctx.now()
  const notices = people.map(
    ({ id, due, template, expiresAt }): MassNotice => ({
      userId: id,
      template,
      params: { date: toDay(due > at ? due : at) },
      expiresAt,
    }),
  )
  const sent = await notifyPeople(ctx, notices, { language, notBefore })
  const recipients = people.filter(({ id }) => sent.has(id))
  if (recipients.length === 0) return sent
  const rows = recipients.map(
    ({ id, dormantSince, due, daysBefore }): Notice => ({
      userId: id,
      term: dormantSince ? 'lock' : 'dormant',
      dueAt: due,
      daysBefore: daysBefore ?? 0,
      messages: sent.get(id) ?? 0,
    }),
  )
  await saveNotices(ctx.db, rows, at)
  const reached = recipients.filter(({ id }) => (sent.get(id) ?? 0) > 0)
  await recordAudits(
    ctx,
    reached.map(({ id, account, due }) => ({
      action: 'account.dormancy-notice',
      targetKind: 'user',
      targetId: id,
      after: { account, due },
    })),
  )
  return sent
}

/** The result for one person; `code` is the error code if it failed. */
export type NoticeOutcome = {
  id: string
  account: string
  name: string
  status: 'changed' | 'unchanged' | 'refused'
  code: string | null
}

/** Nobody gets the same notice twice within this time, even if a task is interrupted and starts again. */
const REPEATED_AFTER_MS = DAY_MS

/**
 * Sends people now what a run would send them: when they become dormant, when they are locked for it, or, if nobody is, that they are
 * dormant. Each is judged separately; people out of scope count as not found.
 */
export async function notifyOfDormancy(
  ctx: Context,
  ids: readonly string[],
  dryRun: boolean,
): Promise<NoticeOutcome[]> {
  return await transaction(ctx, async (inner) => {
    const at = inner.now()
    const found = await lockTermsOf(inner.db, await loadTerms(inner, at), ids, mayManage(inner, 'edit'))
    const outcomes = new Map(found.map((person) => [person.id, toOutcome(person, at)]))
    const telling = found.filter(({ id }) => outcomes.get(id)?.status === 'changed')
    if (!dryRun && telling.length > 0) {
      for (const outcome of await tellNow(inner, telling, at)) outcomes.set(outcome.id, outcome)
    }
    return ids.map((id) => outcomes.get(id) ?? refused({ id, account: '', name: '' }, 'user.not-found'))
  })
}

/** @returns the people to whom no message was sent */
async function tellNow(ctx: Context, people: readonly TermOfPerson[], at: Date): Promise<NoticeOutcome[]> {
  const wording = { ...(await loadWording(ctx, at)), notBefore: at }
  const recipients = people.map((person) => toRecipient(person, at))
  const sent = await sendNotices(ctx, recipients, wording)
  return people
    .filter(({ id }) => !sent.get(id))
    .map((person) => refused(person, sent.has(person.id) ? 'user.no-contact' : 'message.too-many'))
}

const refused = (
  { id, account, name }: Pick<NoticeOutcome, 'id' | 'account' | 'name'>,
  code: string,
): NoticeOutcome => ({ id, account, name, status: 'refused', code })

function toOutcome(person: TermOfPerson, now: Date): NoticeOutcome {
  const { id, account, name, canLogIn, dormantSince, due, toldAt } = person
  if (!canLogIn || !(dormantSince || due)) return refused(person, 'user.not-becoming-dormant')
  const isTold = toldAt !== null && toldAt.getTime() > now.getTime() - REPEATED_AFTER_MS
  return { id, account, name, status: isTold ? 'unchanged' : 'changed', code: null }
}

function toRecipient({ id, account, dormantSince, due }: TermOfPerson, now: Date): NoticeRecipient {
  const latest = now.getTime() + NOTICE_DAYS * DAY_MS
  const end = due ?? dormantSince ?? now
  const isAhead = end > now
  return {
    id,
    account,
    dormantSince,
    due: end,
    daysBefore: isAhead ? Math.ceil((end.getTime() - now.getTime()) / DAY_MS) : 0,
    template: due ? (dormantSince ? 'notice.dormant-lock-soon' : 'notice.dormant-soon') : 'notice.dormant',
    expiresAt: new Date(isAhead ? Math.min(end.getTime(), latest) : latest),
  }
}
