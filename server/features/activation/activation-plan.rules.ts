import type { AccountFieldRules } from '#shared/contract/account-fields.ts'
import type { Activation, ActivationRules, ActivationStep } from '#shared/contract/activation.ts'
import { isAskedAtActivation } from '#shared/contract/field-rules.ts'
import { maskMailbox, maskPhone } from '#shared/rules/mask-contact.ts'
import { mayOwnerEdit } from '../account-fields/index.ts'
import type { ActivationUser } from './activation-users.store.ts'
import type { Flow } from './flows.store.ts'
import { hasAny, isFilledIn, type RequiredFields } from './profile-step.rules.ts'

export type PlannedStep = Activation['steps'][number]
type Channels = { sms: boolean; mail: boolean }
export type ContactTarget = { channel: 'sms' | 'mail'; target: string }

type ContactInfo = Pick<ActivationUser, 'phone' | 'mailbox' | 'phoneOpens' | 'mailboxOpens'>

/** Where a code can verify this person: contacts on file whose channel is configured. */
export const contactTargets = (
  { phone, mailbox, phoneOpens, mailboxOpens }: ContactInfo,
  channels: Channels,
): ContactTarget[] => [
  ...(phone !== null && phoneOpens && channels.sms ? [{ channel: 'sms' as const, target: phone }] : []),
  ...(mailbox !== null && mailboxOpens && channels.mail ? [{ channel: 'mail' as const, target: mailbox }] : []),
]

export const maskTarget = ({ channel, target }: ContactTarget): string =>
  channel === 'sms' ? maskPhone(target) : maskMailbox(target)

const CONTACT_STEPS = ['phone', 'mailbox'] as const
const isContactStep = (step: ActivationStep): step is (typeof CONTACT_STEPS)[number] =>
  CONTACT_STEPS.some((one) => one === step)

/** Drops a contact that people may not change, and makes a required one mandatory. */
export function withFieldRules(steps: ActivationRules['steps'], fields: AccountFieldRules): ActivationRules['steps'] {
  const kept = steps.filter(({ step }) => !isContactStep(step) || mayOwnerEdit(fields, step))
  const needed = CONTACT_STEPS.filter(
    (step) => mayOwnerEdit(fields, step) && isAskedAtActivation(fields[step].required),
  )
  const isNeeded = (step: ActivationStep) => needed.some((one) => one === step)
  const added = needed.filter((step) => !kept.some((one) => one.step === step))
  return [
    ...kept.map((one) => (isNeeded(one.step) ? { ...one, need: 'required' as const } : one)),
    ...added.map((step) => ({ step, need: 'required' as const })),
  ]
}

type PlanOptions = {
  rules: ActivationRules
  channels: Channels
  /** Required of everybody, whoever it is. */
  required: RequiredFields
  missing: RequiredFields
  /** Fields of this person that are owned by a source. */
  owned: ReadonlySet<string>
}

type Demanded = { order: ActivationStep[]; needs: Map<ActivationStep, PlannedStep['need']> }

/** Beyond the rules: whoever proved no secret must verify their identity, and whoever has no password must set one. */
function demandedSteps({ rules, channels }: PlanOptions, person: ActivationUser, flow: Flow): Demanded {
  const needs: Demanded['needs'] = new Map(rules.steps.map(({ step, need }) => [step, need]))
  const order: ActivationStep[] = rules.steps.map(({ step }) => step)
  if (!flow.knowsSecret) {
    needs.set('identity', 'required')
    if (!order.includes('identity')) order.unshift('identity')
  } else if (contactTargets(person, channels).length === 0) needs.delete('identity')
  if (!person.hasPassword) {
    needs.set('password', 'required')
    if (!order.includes('password')) order.splice(order[0] === 'identity' ? 1 : 0, 0, 'password')
  }
  return { order, needs }
}

/**
 * The steps of an activation with their states, by the current rules; an impossible step is left out unless it is required. Until the
 * identity is verified, the profile step lists the fields required of everybody: which of them this person lacks is private.
 */
export function planSteps(options: PlanOptions, person: ActivationUser, flow: Flow): PlannedStep[] {
  const { channels, required, missing, owned } = options
  const { order, needs } = demandedSteps(options, person, flow)
  const isProven = !needs.has('identity') || flow.steps.identity !== undefined
  if (isProven) for (const step of ownedContacts(person, owned)) needs.delete(step)
  if (wasFilledIn(flow) || hasAny(isProven ? missing : required)) {
    needs.set('profile', 'required')
    order.push('profile')
  }
  return order.flatMap((step) => {
    const need = needs.get(step)
    return need && (need === 'required' || isStepPossible(step, channels))
      ? [{ step, need, ...stepState(step, { person, flow, missing }) }]
      : []
  })
}

/** A completed activation lacks nothing any more and has forgotten what was typed, but still lists the step. */
const wasFilledIn = ({ completedAt, steps }: Flow): boolean => completedAt !== null && steps.profile === 'done'

/** Contacts owned by a source: nobody else fills them in. */
const ownedContacts = (person: ActivationUser, owned: ReadonlySet<string>) =>
  CONTACT_STEPS.filter((step) => person[step] === null && owned.has(step))

const isStepPossible = (step: ActivationStep, { sms, mail }: Channels): boolean =>
  step === 'phone' ? sms : step === 'mailbox' ? mail : true

function stepState(
  step: ActivationStep,
  { person, flow, missing }: { person: ActivationUser; flow: Flow; missing: RequiredFields },
): Pick<PlannedStep, 'state' | 'about' | 'mayChange'> {
  // A contact on file is bound already; asking again would only lose people.
  if (step === 'phone' && person.phone !== null) return { ...ON_FILE_STATE, about: maskPhone(person.phone) }
  if (step === 'mailbox' && person.mailbox !== null) return { ...ON_FILE_STATE, about: maskMailbox(person.mailbox) }
  const isLacking = step === 'profile' && !isFilledIn(missing, flow) && !wasFilledIn(flow)
  const state = isLacking ? 'open' : (flow.steps[step] ?? 'open')
  return { state, about: stepDetail(step, flow), mayChange: state !== 'open' && step !== 'identity' }
}

const ON_FILE_STATE = { state: 'done' as const, mayChange: false }

function stepDetail(step: ActivationStep, { phone, mailbox }: Flow): string | null {
  if (step === 'phone' && phone !== null) return maskPhone(phone)
  return step === 'mailbox' && mailbox !== null ? maskMailbox(mailbox) : null
}

/** A step can be taken once every step before it is done or skipped; a finished one can be repeated if it may change. */
export function canTakeStep(steps: readonly PlannedStep[], step: ActivationStep): boolean {
  const at = steps.findIndex((planned) => planned.step === step)
  const planned = steps[at]
  if (!planned || (planned.state !== 'open' && !planned.mayChange)) return false
  return steps.slice(0, at).every(({ state }) => state !== 'open')
}
