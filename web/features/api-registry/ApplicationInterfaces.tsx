import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type GrantedInterface,
  limitInterface,
  listGrantedInterfaces,
  withdrawInterfaces,
} from '#shared/contract/api-manage.ts'
import { DEFAULT_CALLS_PER_MINUTE } from '#shared/contract/open-api.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ListPage } from '../../ui/ListPage.tsx'
import type { Column } from '../../ui/list-table.types.ts'
import { TextField } from '../../ui/TextField.tsx'
import { ApiCalls } from './ApiCalls.tsx'
import { AppKeys } from './AppKeys.tsx'
import { CallPath, InterfaceName, InterfaceState, Usage } from './InterfaceCells.tsx'
import { InterfacePicker } from './InterfacePicker.tsx'
import { GRANTED_KEY } from './query-keys.ts'
import './api-registry.css'

type Props = { applicationId: string }
type Open = { kind: 'pick' } | { kind: 'withdraw'; rows: GrantedInterface[] } | { kind: 'limit'; row: GrantedInterface }

/** The interfaces of an application, its keys and its calls. */
export function ApplicationInterfaces({ applicationId }: Props) {
  return (
    <div className="application-interfaces">
      <AppKeys applicationId={applicationId} />
      <GrantedInterfaces applicationId={applicationId} />
      <ApiCalls applicationId={applicationId} />
    </div>
  )
}

function GrantedInterfaces({ applicationId }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const add = (
    <button type="button" className="button button-primary" onClick={() => setOpen({ kind: 'pick' })}>
      {t('application-interface.grant')}
    </button>
  )
  return (
    <div>
      <ListPage<GrantedInterface>
        title={t('application-interface.title')}
        actions={add}
        endpoint={listGrantedInterfaces}
        queryKey={GRANTED_KEY}
        fixedQuery={{ id: applicationId }}
        rowKey="apiId"
        rowName={({ apiComment }) => apiComment}
        columns={useColumns()}
        filters={[]}
        searchLabel={t('api-manage.search')}
        place="memory"
        embedded
        empty={t('application-interface.empty')}
        bulkActions={[
          {
            label: t('application-interface.withdraw'),
            onRun: (selection) => 'rows' in selection && setOpen({ kind: 'withdraw', rows: selection.rows }),
          },
        ]}
        rowActions={(row) => (
          <>
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('application-interface.limit-one', { name: row.apiComment })}
              onClick={() => setOpen({ kind: 'limit', row })}
            >
              {t('application-interface.limit')}
            </button>
            <button
              type="button"
              className="button button-quiet"
              aria-label={t('application-interface.withdraw-one', { name: row.apiComment })}
              onClick={() => setOpen({ kind: 'withdraw', rows: [row] })}
            >
              {t('application-interface.withdraw')}
            </button>
          </>
        )}
      >
        {open?.kind === 'pick' && <InterfacePicker applicationId={applicationId} onClose={close} />}
        {open?.kind === 'withdraw' && <WithdrawDialog applicationId={applicationId} rows={open.rows} onClose={close} />}
        {open?.kind === 'limit' && <LimitDialog applicationId={applicationId} row={open.row} onClose={close} />}
      </ListPage>
    </div>
  )
}

function useColumns(): Column<GrantedInterface>[] {
  const { t } = useTranslation()
  return [
    { key: 'apiId', title: t('api-manage.id'), sortable: true, render: (row) => <InterfaceName {...row} /> },
    { key: 'apiPath', title: t('api-manage.path'), sortable: true, render: (row) => <CallPath {...row} /> },
    { key: 'status', title: t('api-manage.status'), render: ({ status }) => <InterfaceState status={status} /> },
    {
      key: 'callsPerMinute',
      title: t('application-interface.per-minute'),
      render: ({ callsPerMinute }) => <span className="tabular">{callsPerMinute ?? DEFAULT_CALLS_PER_MINUTE}</span>,
    },
    { key: 'calls', title: t('api-manage.calls'), isNumber: true, render: (row) => <Usage {...row} /> },
  ]
}

const refresh = () => queryClient.invalidateQueries({ queryKey: [GRANTED_KEY] })

function WithdrawDialog({ applicationId, rows, onClose }: Props & { rows: GrantedInterface[]; onClose: () => void }) {
  const { t } = useTranslation()
  const withdraw = async () => {
    const apiIds = rows.map(({ apiId }) => apiId)
    const { changed } = await call(withdrawInterfaces, { query: { id: applicationId }, body: { apiIds } })
    notify('well', t('application-interface.withdrawn', { count: changed }))
    await refresh()
  }
  return (
    <ConfirmDialog
      title={t('application-interface.withdraw-title', { count: rows.length, name: rows[0]?.apiComment })}
      verb={t('application-interface.withdraw')}
      onConfirm={withdraw}
      onClose={onClose}
    >
      <p>{t('application-interface.withdraw-text')}</p>
    </ConfirmDialog>
  )
}

function LimitDialog({ applicationId, row, onClose }: Props & { row: GrantedInterface; onClose: () => void }) {
  const { t } = useTranslation()
  const before = row.callsPerMinute === null ? '' : String(row.callsPerMinute)
  const [value, setValue] = useState(before)
  const [loaded, setLoaded] = useState(row)
  const save = async () => {
    const { apiId } = row
    const callsPerMinute = value.trim() === '' ? null : Number(value)
    const body = { apiId, callsPerMinute, version: loaded.version }
    await call(limitInterface, { query: { id: applicationId }, body })
    notify('well', t('application-interface.limited'))
    await refresh()
  }
  return (
    <FormDialog<GrantedInterface>
      title={t('application-interface.limit-title', { name: row.apiComment })}
      verb={t('action.save')}
      onSubmit={save}
      onClose={onClose}
      isDirty={value !== before}
      conflict={{
        loaded,
        labels: { callsPerMinute: t('application-interface.per-minute') },
        onTakeTheirs: (current) => {
          setLoaded(current)
          setValue(current.callsPerMinute === null ? '' : String(current.callsPerMinute))
        },
        onKeepMine: setLoaded,
      }}
    >
      <TextField
        label={t('application-interface.per-minute')}
        name="callsPerMinute"
        isOptional
        value={value}
        onChange={setValue}
        inputMode="numeric"
        hint={t('application-interface.per-minute.hint', { count: DEFAULT_CALLS_PER_MINUTE })}
        isFirst
      />
    </FormDialog>
  )
}
