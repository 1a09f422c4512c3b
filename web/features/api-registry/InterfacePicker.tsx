import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { grantInterfaces, type Interface, listGrantedInterfaces, listInterfaces } from '#shared/contract/api-manage.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { CallPath } from './InterfaceCells.tsx'
import { GRANTED_KEY } from './query-keys.ts'

type Props = { applicationId: string; onClose: () => void }

/** Chooses from the enabled interfaces; granted ones are ticked and fixed. */
export function InterfacePicker({ applicationId, onClose }: Props) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const { all, granted, error, refetch } = useInterfaces(applicationId)
  const grant = async () => {
    if (chosen.length === 0) return
    const { changed } = await call(grantInterfaces, { query: { id: applicationId }, body: { apiIds: chosen } })
    notify('well', t('application-interface.granted', { count: changed }))
    await queryClient.invalidateQueries({ queryKey: [GRANTED_KEY] })
  }
  const typed = search.normalize('NFKC').trim().toLowerCase()
  const shown = all?.filter((one) => `${one.apiId} ${one.apiComment} ${one.apiPath}`.toLowerCase().includes(typed))
  const toggle = (apiId: string) =>
    setChosen(chosen.includes(apiId) ? chosen.filter((one) => one !== apiId) : [...chosen, apiId])
  return (
    <FormDialog
      title={t('application-interface.pick')}
      verb={t('application-interface.grant-chosen', { count: chosen.length })}
      onSubmit={grant}
      onClose={onClose}
      isDirty={chosen.length > 0}
    >
      <TextField label={t('api-manage.search')} value={search} onChange={setSearch} isFirst />
      {error && !shown && <FailedBlock error={error} onRetry={refetch} />}
      {!error && !shown && <Skeleton lines={5} />}
      {shown && <Choices interfaces={shown} granted={granted} chosen={chosen} onToggle={toggle} />}
    </FormDialog>
  )
}

/** The whole catalogue fits on one page of 100. */
function useInterfaces(applicationId: string) {
  const page = { pageIndex: 1, pageSize: 100 }
  const all = useQuery({
    queryKey: ['interfaces', 'picker'],
    queryFn: ({ signal }) => call(listInterfaces, { query: { ...page, status: '1' } }, { signal }),
  })
  const granted = useQuery({
    queryKey: [GRANTED_KEY, 'picker', applicationId],
    queryFn: ({ signal }) => call(listGrantedInterfaces, { query: { ...page, id: applicationId } }, { signal }),
  })
  return {
    all: granted.data && all.data?.records,
    granted: new Set(granted.data?.records.map(({ apiId }) => apiId)),
    error: all.error ?? granted.error,
    refetch: () => void Promise.all([all.refetch(), granted.refetch()]),
  }
}

type ChoicesProps = {
  interfaces: Interface[]
  granted: Set<string>
  chosen: string[]
  onToggle: (apiId: string) => void
}

function Choices({ interfaces, granted, chosen, onToggle }: ChoicesProps) {
  const { t } = useTranslation()
  if (interfaces.length === 0) return <p className="muted">{t('list.empty-filtered')}</p>
  return (
    <fieldset className="interface-choices">
      <legend className="visually-hidden">{t('application-interface.choices')}</legend>
      {interfaces.map(({ apiId, apiComment, ...one }) => (
        <label key={apiId}>
          <input
            type="checkbox"
            checked={granted.has(apiId) || chosen.includes(apiId)}
            disabled={granted.has(apiId)}
            onChange={() => onToggle(apiId)}
          />
          <span>
            <span>
              {apiComment}
              {granted.has(apiId) && <span className="muted"> · {t('application-interface.already')}</span>}
            </span>
            <CallPath {...one} />
          </span>
        </label>
      ))}
    </fieldset>
  )
}
