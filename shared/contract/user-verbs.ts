import { z } from 'zod'
import { Done, get, Id, ListQuery, Moment, pageOf, post } from './endpoint.ts'
import { selectionOf } from './selection.ts'
import { CurrentLogin, EndedSessions } from './sessions.ts'
import { FreezeCause, PERSON_NOT_VISIBLE_ERRORS, PersonPath, PersonShape, UserFilters } from './users.ts'

/** A person skipped by an action; `code` is an error code. */
export const RefusedPerson = z.object({
  id: Id,
  account: z.string(),
  name: z.string(),
  code: z.string(),
  message: z.string(),
})

/** The result of an action on many: `changed` counts people who were changed. `refused` lists the first 1,000. */
export const BatchAnswer = z.object({
  changed: z.number().int(),
  unchanged: z.number().int(),
  refusedCount: z.number().int(),
  refused: z.array(RefusedPerson),
  /**
   * For undo: the changed people whom the opposite action brings back to what they were; not those whose former lock, freeze or
   * exemption was replaced. Empty for a background task.
   */
  reversibleIds: z.array(Id),
  /** The background task, for more than 1,000. */
  taskId: Id.nullable(),
})
export type BatchAnswer = z.infer<typeof BatchAnswer>

/** The result of that task. */
export const BatchResult = BatchAnswer.omit({ taskId: true, reversibleIds: true })
export type BatchResult = z.infer<typeof BatchResult>

const Reason = z.string().trim().max(200).optional()
const Selection = selectionOf(UserFilters)
const selectionShape = {
  selection: Selection,
  /** '1': only preview the result. */
  dryRun: z.boolean().default(false),
}
const batchErrors = ['selection.changed'] as const

export const batchUpdateUsers = post(
  '/user_information/batch_update/',
  'administrator:edit',
  z.strictObject({
    ...selectionShape,
    fields: z
      .strictObject({
        organizationId: PersonShape.organizationId,
        categoryId: PersonShape.categoryId,
        personnelTypeId: PersonShape.personnelTypeId,
        gender: PersonShape.gender,
        validFrom: PersonShape.validFrom,
        validUntil: PersonShape.validUntil,
      })
      .partial(),
  }),
  BatchAnswer,
  { summary: 'Set the same fields of many people', errors: [...batchErrors, 'policy.locks-out'] },
)

export const EDIT_VERBS = [
  'disable',
  'enable',
  'lock',
  'freeze',
  'extend',
  'exempt',
  'end_exemption',
  'delete',
  'restore',
] as const
export const LIFT_VERBS = ['unlock', 'thaw', 'wake'] as const
export type PersonVerb =
  | (typeof EDIT_VERBS)[number]
  | (typeof LIFT_VERBS)[number]
  | 'set_administrator'
  | 'cancel_administrator'

export const changeUsers = post(
  '/user_information/batch_change/',
  'administrator:edit',
  z.strictObject({
    ...selectionShape,
    /**
     * `extend` changes only the end of a freeze. `exempt`: exempts from dormancy until a time, or without end. `notify`
     * notifies them now that they are or will be dormant or locked for it.
     */
    verb: z.enum([...EDIT_VERBS, 'notify']),
    reason: Reason,
    /** For a freeze; absent: other. */
    cause: FreezeCause.optional(),
    /** For a freeze: an internal note, never shown to the person. */
    note: Reason,
    from: Moment.optional(),
    until: Moment.optional(),
  }),
  BatchAnswer,
  {
    summary:
      'Disable, enable, lock, freeze, delete or restore many people, change the end of their freeze, exempt them from dormancy or notify them of it',
    errors: [...batchErrors, 'user.dates'],
  },
)
export const liftUsers = post(
  '/user_information/batch_lift/',
  'administrator:unlock',
  z.strictObject({ ...selectionShape, verb: z.enum(LIFT_VERBS), reason: Reason }),
  BatchAnswer,
  { summary: 'Unlock many people, lift their freeze or end their dormancy', errors: [...batchErrors] },
)

export const ROLE_VERBS = ['join', 'leave'] as const

export const changeRoleOfUsers = post(
  '/user_information/batch_role/',
  'superUser',
  z.strictObject({ ...selectionShape, verb: z.enum(ROLE_VERBS), roleId: Id }),
  BatchAnswer,
  {
    summary: 'Add many people to a role, or remove them',
    errors: [...batchErrors, 'role.not-found', 'policy.locks-out'],
  },
)

const ReasonInput = z.strictObject({ reason: Reason })
const verbErrors = [...PERSON_NOT_VISIBLE_ERRORS, 'user.last-super-user', 'user.is-self'] as const
const personVerb = <Access extends 'administrator:edit' | 'administrator:unlock' | 'superUser'>(
  name: string,
  access: Access,
  summary: string,
  errors: readonly string[] = [],
) =>
  post(`/user_information/{id}/${name}/`, access, ReasonInput, Done, {
    query: PersonPath,
    summary,
    errors: [...verbErrors, ...errors],
  })

export const disableUser = personVerb(
  'disable_user',
  'administrator:edit',
  'Disable a person, whose sessions end at once',
)
export const enableUser = personVerb('enable_user', 'administrator:edit', 'Enable a person')
export const lockUser = post(
  '/user_information/{id}/lock/',
  'administrator:edit',
  z.strictObject({ reason: Reason, until: Moment.nullable().optional() }),
  Done,
  {
    query: PersonPath,
    summary: 'Lock a person until unlocked, or until a time',
    errors: [...verbErrors, 'user.dates'],
  },
)
export const unlockUser = personVerb(
  'unlock',
  'administrator:unlock',
  'Unlock a person; failures that were counted against them are forgotten',
)
export const freezeUser = post(
  '/user_information/{id}/freeze/',
  'administrator:edit',
  z.strictObject({
    reason: Reason,
    /** Internal note; the person sees only the reason. */
    note: Reason,
    cause: FreezeCause.optional(),
    from: Moment.nullable().optional(),
    until: Moment.nullable().optional(),
  }),
  Done,
  {
    query: PersonPath,
    summary: 'Freeze a person, now or from a time, until another time or until lifted',
    errors: [...verbErrors, 'user.dates'],
  },
)
export const thawUser = personVerb('thaw', 'administrator:unlock', 'Lift a freeze')
export const setAdministrator = personVerb('set_administrator', 'superUser', 'Make a person a super user')
export const cancelAdministrator = personVerb('cancel_administrator', 'superUser', 'Take that from a super user')
export const deleteUser = personVerb(
  'delete',
  'administrator:edit',
  'Delete a person: login names become free, sessions end, the records stay',
)
export const restoreUser = personVerb('restore', 'administrator:edit', 'Bring a deleted person back', [
  'user.names-taken',
  'user.value-taken',
  'user.gains',
])

const LinkChannel = z.enum(['mail', 'sms'])

export const resetMethods = get(
  '/user_information/{id}/reset_methods/',
  'administrator:reset',
  PersonPath,
  z.object({
    records: z.array(
      z.object({
        channel: LinkChannel,
        /** The contact on file, masked. */
        to: z.string(),
        /** False: it was changed too recently to receive an activation link. */
        isSettled: z.boolean(),
      }),
    ),
  }),
  { summary: 'The contacts that the activation link of a reset can be sent to', errors: PERSON_NOT_VISIBLE_ERRORS },
)

export const resetUser = post(
  '/user_information/{id}/reset/',
  'administrator:reset',
  ReasonInput.extend({
    /** Sends to the contact on file; absent: the answer contains the code, to be handed over. */
    send: LinkChannel.optional(),
  }),
  z.object({
    /** Shown once: whoever activates with it sets the password. Null: it was sent, and nobody else has it. */
    code: z.string().nullable(),
    expiresAt: z.iso.datetime(),
    /** Where the link was sent, masked. */
    sentTo: z.string().nullable(),
  }),
  {
    query: PersonPath,
    summary: 'Reset an account: sessions end, the password is deleted, and a one-time code starts the activation',
    errors: [
      ...verbErrors,
      'user.no-such-contact',
      'user.contact-changed',
      'message.channel-unavailable',
      'message.too-many',
    ],
  },
)

const Session = CurrentLogin.omit({ remembered: true })
export type PersonSession = z.infer<typeof Session>

export const listUserSessions = get(
  '/user_information/{id}/sessions/',
  'administrator',
  ListQuery.extend({ id: Id }),
  pageOf(Session),
  {
    summary: 'The current logins of a person, most recently used first; `search`: part of a browser, device or address',
    errors: [...PERSON_NOT_VISIBLE_ERRORS, 'list.too-deep'],
  },
)
export const endUserSessions = post(
  '/user_information/{id}/end_sessions/',
  'administrator:edit',
  z.strictObject({ ids: z.array(Id).max(1000).optional() }),
  EndedSessions,
  {
    query: PersonPath,
    summary: 'End some current logins of a person, or all',
    errors: [...PERSON_NOT_VISIBLE_ERRORS, 'user.is-self'],
  },
)

const PersonRecord = z.object({
  id: Id,
  at: z.iso.datetime(),
  kind: z.enum(['login', 'change']),
  /** `login`: the method; `change`: the action. */
  what: z.string(),
  succeeded: z.boolean(),
  /** Why a login was refused, with the message `login-reason.<name>`; null after a success, and for a change. */
  refusal: z.string().nullable(),
  /** Who did it; null: the person, or unknown. */
  by: z.string().nullable(),
  ip: z.string().nullable(),
  detail: z.string(),
})
export type PersonRecord = z.infer<typeof PersonRecord>

export const listUserRecords = get(
  '/user_information/{id}/records/',
  'administrator',
  ListQuery.omit({ search: true }).extend({ id: Id, kind: z.enum(['login', 'change']).default('login') }),
  pageOf(PersonRecord),
  {
    summary: 'The logins of a person, or the changes of the account, newest first',
    errors: [...PERSON_NOT_VISIBLE_ERRORS, 'list.too-deep'],
  },
)
