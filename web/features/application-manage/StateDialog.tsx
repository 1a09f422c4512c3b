import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  applicationImpact,
  deleteApplications,
  type ManagedApplication,
  setApplicationsEnabled,
  undeleteApplication,
} from '#shared/contract/application-manage.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { NamedByRules } from '../../ui/NamedByRules.tsx'
import { type Selection, selectionBody, selectionCount } from '../../ui/selection.ts'

export type StateVerb = 'close' | 'delete'
type Row = Pick<ManagedApplication, 'id' | 'appId' | 'name'>

export const invalidateApplications = async (): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['applications'] }),
    queryClient.invalidateQueries({ queryKey: ['application-details'] }),
    queryClient.invalidateQueries({ queryKey: ['application-impact'] }),
  ])
}

/** Enables, disables or deletes applications; lists the refused ones with the reason. */
export function useStateChange(verb: StateVerb | 'open') {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (chosen: Selection<Row>) => {
      const selection = selectionBody(chosen, 'id') as { ids: string[] }
      if (verb === 'delete') return call(deleteApplications, { body: { selection } })
      return call(setApplicationsEnabled, { body: { selection, enabled: verb === 'open' } })
    },
    onSuccess: ({ changed, refused }) => {
      if (changed > 0) notify('well', t('application-manage.changed', { count: changed }))
      const [first] = refused
      const names = refused.map(({ name }) => name).join(t('list.separator'))
      if (first) notify('danger', t('application-manage.refused', { names, reason: first.reason }))
    },
    onError: notifyFailure,
    onSettled: invalidateApplications,
  })
}

export function useRestore() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (id: string) => call(undeleteApplication, { query: { id } }),
    onSuccess: () => notify('well', t('application-manage.changed', { count: 1 })),
    onError: notifyFailure,
    onSettled: invalidateApplications,
  })
}

type Props = { verb: StateVerb; selection: Selection<Row>; clear: () => void; onClose: () => void }

/** Asks before an application is disabled or deleted, and says whom it would affect. */
export function StateDialog({ verb, selection, clear, onClose }: Props) {
  const { t } = useTranslation()
  const change = useStateChange(verb)
  const count = selectionCount(selection)
  const one = 'rows' in selection && selection.rows.length === 1 ? selection.rows[0] : undefined
  const named = one
    ? { field: 'applications' as const, values: [one.appId] }
    : { selection: selectionBody(selection, 'id') as { ids: string[] } }
  const name = one?.name ?? t('application-manage.many', { count })
  return (
    <ConfirmDialog
      title={t(`application-manage.${verb}-title`, { name })}
      verb={t(verb === 'close' ? 'application-manage.do-close' : 'application-manage.do-delete')}
      onConfirm={() => change.mutateAsync(selection).then(clear)}
      onClose={onClose}
    >
      <p>{t(`application-manage.${verb}-text`)}</p>
      {one && <ClosingImpact id={one.id} />}
      <NamedByRules {...named} isKept={verb === 'close'} onLeave={onClose} />
    </ConfirmDialog>
  )
}

function ClosingImpact({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, isError } = useQuery({
    queryKey: ['application-impact', id],
    queryFn: ({ signal }) => call(applicationImpact, { query: { id } }, { signal }),
  })
  const text = isError ? t('impact.unknown') : data ? t('application-manage.impact', data) : t('state.loading')
  return <p className="muted">{text}</p>
}
