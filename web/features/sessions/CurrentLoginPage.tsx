import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CurrentLogin, endMyLogins, endMyOtherLogins, listMyLogins } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Waiting } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { LoginCard } from './LoginCard.tsx'
import { useDeviceName } from './use-device-name.ts'
import './current-login.css'

/** Milliseconds between looks for changes made elsewhere. */
const LOOK_EVERY = 20_000
/** More logins than anyone has at once; the rest appears when these are ended. */
const MOST = 100
const KEY = ['my-logins']

/** What the person is about to end. */
type Ending = { kind: 'one'; login: CurrentLogin } | { kind: 'others' }

/** My own current logins: this one first, every other one can be ended. */
export function CurrentLoginPage() {
  const { t } = useTranslation()
  const [ending, setEnding] = useState<Ending | null>(null)
  const list = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      call(
        listMyLogins,
        { query: { pageSize: MOST } },
        { signal, background: queryClient.getQueryData(KEY) !== undefined },
      ),
    refetchInterval: LOOK_EVERY,
  })
  const others = (list.data?.total ?? 1) - 1
  return (
    <div className="page logins">
      <header className="logins-head">
        <div>
          <PageTitle>{t('current-login.title')}</PageTitle>
          <p className="muted">{t('current-login.explain')}</p>
        </div>
        {others > 0 && (
          <button type="button" className="button button-danger" onClick={() => setEnding({ kind: 'others' })}>
            {t('current-login.end-others')}
          </button>
        )}
      </header>
      {list.isError && <FailedBlock error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Waiting lines={4} />}
      {list.data && (
        <ul className="login-list" aria-label={t('current-login.title')}>
          {list.data.records.map((login) => (
            <li key={login.id}>
              <LoginCard login={login} onEnd={() => setEnding({ kind: 'one', login })} />
            </li>
          ))}
        </ul>
      )}
      {list.data && others === 0 && <p className="muted">{t('current-login.only-this')}</p>}
      {ending && <EndDialog ending={ending} others={others} onClose={() => setEnding(null)} />}
    </div>
  )
}

function EndDialog({ ending, others, onClose }: { ending: Ending; others: number; onClose: () => void }) {
  const { t } = useTranslation()
  const deviceName = useDeviceName()
  const end = useMutation({
    mutationFn: () =>
      ending.kind === 'one' ? call(endMyLogins, { body: { ids: [ending.login.id] } }) : call(endMyOtherLogins),
    onSuccess: ({ ended }) => notify('well', t('current-login.ended', { count: ended })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  })
  const isOne = ending.kind === 'one'
  return (
    <ConfirmDialog
      title={
        isOne ? t('current-login.end-one.title', { device: deviceName(ending.login) }) : t('current-login.end-others')
      }
      verb={isOne ? t('current-login.end') : t('current-login.end-others')}
      onConfirm={() => end.mutateAsync()}
      onClose={onClose}
    >
      <p>{isOne ? t('current-login.end-one.text') : t('current-login.end-others.text', { count: others })}</p>
    </ConfirmDialog>
  )
}
