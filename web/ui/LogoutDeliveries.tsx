import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LogoutDelivery, listLogoutDeliveries, MAX_SESSION_IDS } from '#shared/contract/logout-deliveries.ts'
import { kickOutDeliveries } from '#shared/contract/sessions.ts'
import { call } from '../platform/api.ts'
import { notify } from '../platform/notices.ts'
import { isSuperUser, sessionUser } from '../platform/session.ts'
import { Dialog } from './Dialog.tsx'
import { recoverLostFocus } from './restore-focus.ts'
import { StateWord, type Tone } from './StateWord.tsx'
import './logout-deliveries.css'

/** Milliseconds between polls while messages are being delivered. */
const LOOK_EVERY = 1_000

/** The deliveries of any number of sessions, summed by application. */
async function load(ids: readonly string[], signal: AbortSignal): Promise<LogoutDelivery[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / MAX_SESSION_IDS) }, (_, at) =>
    ids.slice(at * MAX_SESSION_IDS, (at + 1) * MAX_SESSION_IDS),
  )
  const answers = await Promise.all(
    parts.map((some) => call(listLogoutDeliveries, { query: { ids: some.join(',') } }, { signal, background: true })),
  )
  const byApplication = Map.groupBy(answers.flat(), ({ applicationId }) => applicationId)
  return [...byApplication.values()].map((rows) => rows.reduce(sum))
}

const sum = (a: LogoutDelivery, b: LogoutDelivery): LogoutDelivery => ({
  ...a,
  delivered: a.delivered + b.delivered,
  pending: a.pending + b.pending,
  inBrowser: a.inBrowser + b.inBrowser,
  failed: a.failed + b.failed,
  error: a.error ?? b.error,
  notTold: a.notTold + b.notTold,
})

/** Notifies how many logins an administrator has ended, and shows the logout deliveries by application. */
export function useEndedLogins() {
  const { t } = useTranslation()
  const [ids, setIds] = useState<readonly string[]>([])
  const close = () => {
    setIds([])
    recoverLostFocus()
  }
  const dialog = ids.length > 0 && <LogoutDeliveriesDialog ids={ids} onClose={close} />
  const onEnded = (ended: { ended: number; ids: readonly string[] }) => {
    notify('well', t('current-login.ended', { count: ended.ended }))
    // Only super users see which applications were entered.
    if (isSuperUser(sessionUser())) setIds(ended.ids)
  }
  return { dialog, onEnded }
}

const LogoutDeliveriesDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => (
  <DeliveriesDialog what={ids} load={(signal) => load(ids, signal)} onClose={onClose} />
)

/** For logins ended by a task. */
export const TaskDeliveriesDialog = ({ taskId, onClose }: { taskId: string; onClose: () => void }) => (
  <DeliveriesDialog
    what={[taskId]}
    load={(signal) => call(kickOutDeliveries, { query: { taskId } }, { signal, background: true })}
    onClose={onClose}
  />
)

type DialogProps = {
  what: readonly string[]
  load: (signal: AbortSignal) => Promise<LogoutDelivery[]>
  onClose: () => void
}

/** Renders nothing if no application was entered. */
function DeliveriesDialog({ what, load: loadDeliveries, onClose }: DialogProps) {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ['logout-deliveries', what],
    queryFn: ({ signal }) => loadDeliveries(signal),
    refetchInterval: ({ state }) => (state.data?.some(({ pending }) => pending > 0) ? LOOK_EVERY : false),
  })
  if (!data || data.length === 0) return null
  return (
    <Dialog
      title={t('logout-deliveries.title')}
      onClose={onClose}
      actions={
        <button type="button" className="button" data-first-focus onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      <p className="muted">{t('logout-deliveries.explain')}</p>
      <DeliveryList deliveries={data} />
    </Dialog>
  )
}

export function DeliveryList({ deliveries }: { deliveries: readonly LogoutDelivery[] }) {
  const { t } = useTranslation()
  return (
    <ul className="logout-deliveries" aria-label={t('logout-deliveries.title')} aria-live="polite">
      {deliveries.map((delivery) => (
        <li key={delivery.applicationId}>
          <span>{delivery.application}</span>
          <DeliveryStates delivery={delivery} />
        </li>
      ))}
    </ul>
  )
}

const STATES = [
  ['failed', 'danger'],
  ['pending', 'primary'],
  ['delivered', 'well'],
  ['inBrowser', 'quiet'],
  ['notTold', 'caution'],
] as const satisfies readonly (readonly [keyof LogoutDelivery, Tone])[]

function DeliveryStates({ delivery }: { delivery: LogoutDelivery }) {
  const { t } = useTranslation()
  return (
    <span className="logout-delivery-states">
      {STATES.filter(([state]) => delivery[state] > 0).map(([state, tone]) => (
        <StateWord key={state} tone={tone}>
          {delivery[state] === 1
            ? t(`logout-deliveries.${state}`)
            : t(`logout-deliveries.several.${state}`, { count: delivery[state] })}
          {state === 'failed' && delivery.error && <span className="muted"> ({delivery.error})</span>}
        </StateWord>
      ))}
    </span>
  )
}
