import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Permission } from '#shared/contract/permissions.ts'
import { roleOptions } from '#shared/contract/roles.ts'
import { type BatchAnswer, changeRoleOfUsers, changeUsers, LIFT_VERBS, liftUsers } from '#shared/contract/user-verbs.ts'
import type { FreezeCause, UserFilters, UserRow } from '#shared/contract/users.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { serverNow } from '../../platform/server-clock.ts'
import { useMay } from '../../platform/session.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Picker, type PickerOption } from '../../ui/Picker.tsx'
import { type Selection, selectionBody, selectionCount } from '../../ui/selection.ts'
import { Preview, ResultDialog } from './BatchResult.tsx'
import { refreshPeople } from './people-queries.ts'
import { EMPTY_VERB_DRAFT, type UserVerb, type VerbDraft, VerbFields } from './VerbFields.tsx'

export type ChosenUsers = Selection<Pick<UserRow, 'id' | 'account' | 'name'>>

type BatchSelection = { ids: string[] } | { all: UserFilters; expected: number }
export const batchSelection = (chosen: ChosenUsers) => selectionBody(chosen, 'id') as BatchSelection

type VerbInput = {
  reason?: string
  note?: string
  cause?: FreezeCause
  from?: string
  until?: string
  roleId?: string
  dryRun?: boolean
}

const isLift = (verb: UserVerb): verb is (typeof LIFT_VERBS)[number] => LIFT_VERBS.some((one) => one === verb)

function callVerb(verb: UserVerb, selection: BatchSelection, more: VerbInput): Promise<BatchAnswer> {
  const { roleId = '', dryRun = false, ...rest } = more
  if (verb === 'join' || verb === 'leave') return call(changeRoleOfUsers, { body: { selection, verb, roleId, dryRun } })
  if (!isLift(verb)) return call(changeUsers, { body: { selection, verb, dryRun, ...rest } })
  return call(liftUsers, { body: { selection, verb, dryRun, ...(rest.reason && { reason: rest.reason }) } })
}

/** The action that undoes an action. */
const REVERSE_VERBS: Partial<Record<UserVerb, UserVerb>> = {
  disable: 'enable',
  enable: 'disable',
  lock: 'unlock',
  freeze: 'thaw',
  exempt: 'end_exemption',
  delete: 'restore',
  restore: 'delete',
  join: 'leave',
  leave: 'join',
}

/** The action that undoes this one, if the administrator may take it. */
function reverseOf(verb: UserVerb, may: (permission: Permission) => boolean): UserVerb | undefined {
  const reverse = REVERSE_VERBS[verb]
  return reverse && may(isLift(reverse) ? 'unlock' : 'edit') ? reverse : undefined
}

const DANGEROUS_VERBS: readonly UserVerb[] = ['disable', 'lock', 'freeze', 'delete', 'leave']
/** The four actions that shut people out each explain when to use them. */
const CHOICE_VERBS: readonly UserVerb[] = ['disable', 'lock', 'freeze', 'delete']
type ChoiceVerb = 'disable' | 'lock' | 'freeze' | 'delete'
/** The form asks for the role. */
const ROLE_VERBS: readonly UserVerb[] = ['join', 'leave']

type Props = {
  verb: UserVerb
  chosen: ChosenUsers
  /** The end to begin with, for an action that changes it. */
  until?: string | null
  onClose: () => void
  /** Called when done. */
  onDone?: () => void
  /** Shows the progress of a background task. */
  onTask?: (taskId: string) => void
}

/** Asks for confirmation of an action on people, previews whom it changes, and afterwards lists the skipped ones. */
export function VerbDialog(props: Props) {
  const { verb, chosen, until = null, onClose } = props
  const { t } = useTranslation()
  const [more, setMore] = useState<VerbDraft>({ ...EMPTY_VERB_DRAFT, until })
  const { submit, answer, close } = useSubmitVerb(props, more)
  const [one] = 'rows' in chosen && chosen.rows.length === 1 ? chosen.rows : []
  const isSaid = (more.roleId !== '' || !ROLE_VERBS.includes(verb)) && hasValidDates(more)
  const { cause, from, until: end, roleId } = more
  const preview = useQuery({
    queryKey: ['person-verb', verb, chosen, cause, from, end, roleId],
    // Whether somebody already is as asked depends on the dates; the reason changes nothing.
    queryFn: () =>
      callVerb(verb, batchSelection(chosen), { ...withoutEmpty({ ...more, reason: '', note: '' }), dryRun: true }),
    // The figures of another role would be taken for those of this one.
    placeholderData: (former, query) => (query?.queryKey.at(-1) === roleId ? former : undefined),
    enabled: isSaid,
    gcTime: 0,
    retry: false,
  })
  if (answer) return <ResultDialog verb={verb} answer={answer} onClose={onClose} />
  return (
    <FormDialog
      title={
        one
          ? t(`person.ask.${verb}`, { name: t('person.named', one) })
          : t(`person.ask-many.${verb}`, { count: selectionCount(chosen) })
      }
      verb={t(`person.verb.${verb}`)}
      onSubmit={submit}
      onClose={close}
      isDirty={JSON.stringify(more) !== JSON.stringify({ ...EMPTY_VERB_DRAFT, until })}
      isDanger={DANGEROUS_VERBS.includes(verb)}
    >
      <p>{t(`person.effect.${verb}`)}</p>
      {CHOICE_VERBS.includes(verb) && <p className="muted">{t(`person.when.${verb as ChoiceVerb}`)}</p>}
      {ROLE_VERBS.includes(verb) ? (
        <RoleField onChange={(roleId) => setMore({ ...more, roleId })} />
      ) : (
        <VerbFields verb={verb} more={more} onChange={setMore} />
      )}
      {isSaid && <Preview verb={verb} query={preview} />}
    </FormDialog>
  )
}

/** While a date is being typed it may lie in the past, which the server refuses. */
const hasValidDates = ({ from, until }: VerbDraft): boolean =>
  until === null || Date.parse(until) > Math.max(serverNow(), from ? Date.parse(from) : 0)

const withoutEmpty = (given: VerbDraft): Omit<VerbInput, 'dryRun'> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))

function useSubmitVerb({ verb, chosen, onClose, onDone, onTask }: Props, given: VerbDraft) {
  const { t } = useTranslation()
  const may = useMay()
  const [answer, setAnswer] = useState<BatchAnswer | null>(null)
  const refused = useRef(false)
  const submit = async () => {
    const done = await callVerb(verb, batchSelection(chosen), withoutEmpty(given))
    refused.current = done.refusedCount > 0
    if (refused.current) setAnswer(done)
    onDone?.()
    await refreshPeople()
    if (done.taskId) return reportTask(done.taskId)
    const reverse = done.reversibleIds.length > 0 && reverseOf(verb, may)
    const back = reverse ? { label: t('action.undo'), run: () => void undo(reverse, done.reversibleIds) } : undefined
    if (done.changed > 0) notify('well', t(`person.done.${verb}`, { count: done.changed }), back)
  }
  const reportTask = (id: string) => (onTask ? onTask(id) : notify('plain', t('person.in-background')))
  const undo = async (reverse: UserVerb, ids: string[]) => {
    try {
      const undone = await callVerb(reverse, { ids }, { roleId: given.roleId })
      notify('well', t(`person.done.${reverse}`, { count: undone.changed }))
    } catch (error) {
      notifyFailure(error)
    }
    await refreshPeople()
  }
  // The form closes on submit; skipped people still have to be listed.
  const close = () => {
    if (!refused.current) onClose()
  }
  return { submit, answer, close }
}

function RoleField({ onChange }: { onChange: (roleId: string) => void }) {
  const { t } = useTranslation()
  const [role, setRole] = useState<PickerOption[]>([])
  return (
    <Picker
      label={t('person.role')}
      name="roleId"
      endpoint={roleOptions}
      toOption={({ id, name, code }: { id: string; name: string; code: string }) => ({ id, label: name, hint: code })}
      value={role}
      onChange={(picked) => {
        setRole(picked)
        onChange(picked[0]?.id ?? '')
      }}
    />
  )
}
