import { z } from 'zod'
import { Empty, get, Id, post } from './endpoint.ts'

/** Minutes until a change that locks somebody out is reverted. */
export const CONFIRM_WITHIN_MINUTES = 10

/** Refusals that the caller may override with `force`: then the change has to be confirmed from a new login. */
export const LOCK_OUT_ERRORS = ['login-config.locks-out', 'policy.locks-out'] as const

export const UnconfirmedChange = z.object({
  id: Id,
  /** As in the change history. */
  targetKind: z.string(),
  targetId: z.string(),
  /** The target's current name; null: unnamed, such as a settings document. */
  targetName: z.string().nullable(),
  /** The fields that lock out. */
  fields: z.array(z.string()),
  madeAt: z.iso.datetime(),
  madeBy: z.object({ id: Id, name: z.string() }).nullable(),
  /** Whole seconds until it is reverted; 0 if settled. */
  secondsLeft: z.number().int(),
  /** Did the caller log in after the save, so that they may confirm it? */
  isConfirmable: z.boolean(),
  /** `went-back`: not confirmed in time; null: waiting. */
  outcome: z.enum(['taken-back', 'went-back']).nullable(),
  settledAt: z.iso.datetime().nullable(),
  /** Fields not reverted, because they were changed again or the bootstrap file sets them. */
  leftFields: z.array(z.string()),
})
export type UnconfirmedChange = z.infer<typeof UnconfirmedChange>

export const listUnconfirmedChanges = get(
  '/unconfirmed_change/query/',
  'superUser',
  Empty,
  z.object({
    records: z.array(UnconfirmedChange),
    /** No access rule applies: they were suspended on the command line. */
    arePoliciesOff: z.boolean(),
  }),
  {
    summary:
      'Changes waiting for confirmation from a new login, those reverted within the last hour, and whether the access rules are suspended',
  },
)

const one = { query: z.strictObject({ id: Id }) }

export const confirmChange = post('/unconfirmed_change/{id}/confirm/', 'superUser', Empty, z.null(), {
  summary: 'Confirm a change that locks somebody out; only from a login opened after the save',
  errors: ['unconfirmed-change.not-found', 'unconfirmed-change.old-login'],
  ...one,
})

export const takeBackChange = post(
  '/unconfirmed_change/{id}/take_back/',
  'superUser',
  Empty,
  z.object({ leftFields: z.array(z.string()) }),
  {
    summary: 'Undo a change that is waiting for confirmation, except what was changed again since',
    errors: ['unconfirmed-change.not-found'],
    ...one,
  },
)
