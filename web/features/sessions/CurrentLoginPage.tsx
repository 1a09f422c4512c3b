import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CurrentLogin, endMyLogins, endMyOtherLogins, listMyLogins } from '#shared/contract/sessions.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ListFilters } from '../../ui/ListFilters.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Pager } from '../../ui/Pager.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { FailedBlock, StateBlock } from '../../ui/StateBlock.tsx'
import { useClampedPage } from '../../ui/use-clamped-page.ts'
import { LoginCard } from './LoginCard.tsx'
import { useDeviceName } from './use-device-name.ts'
import '../../ui/list-page.css'
import './current-login.css'

/** Milliseconds between polls for changes made elsewhere. */
const POLL_INTERVAL_MS = 20_000
const KEY = ['my-logins']

/** The logins about to be ended. */
type EndRequest = { kind: 'one'; login: CurrentLogin } | { kind: 'others' }

/** My current logins: this one first; any other can be ended. */
export function CurrentLoginPage() {
  const { t } = useTranslation()
  const [ending, setEnding] = useState<EndRequest | null>(null)
  const { list, others, state, change } = useMyLogins()
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
      <div className="logins-search">
        <ListFilters filters={[]} searchLabel={t('current-login.search')} state={state} onChange={change} />
      </div>
      {list.isError && <FailedBlock error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={4} />}
      {list.data && (
        <>
          <ul className="login-list" aria-label={t('current-login.title')}>
            {list.data.records.map((login) => (
              <li key={login.id}>
                <LoginCard login={login} onEnd={() => setEnding({ kind: 'one', login })} />
              </li>
            ))}
          </ul>
          {list.data.total === 0 && <StateBlock title={t('list.empty-filtered')} />}
          {others === 0 && state.search === '' && <p className="muted">{t('current-login.only-this')}</p>}
          <Pager {...state} sizes="log" total={list.data.total} isLowerBound={false} onChange={change} />
        </>
      )}
      {ending && <EndDialog ending={ending} others={others} onClose={() => setEnding(null)} />}
    </div>
  )
}

/** A page of my logins, and the number of others regardless of the search. */
function useMyLogins() {
  const { state, change } = useListState([], 'address', 'log')
  const { pageIndex, pageSize, search } = state
  const load = (query: { pageIndex: number; pageSize: number; search: string }) => ({
    queryKey: [...KEY, query],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(listMyLogins, { query }, { signal, background: queryClient.getQueryData([...KEY, query]) !== undefined }),
    refetchInterval: POLL_INTERVAL_MS,
  })
  const list = useQuery({ ...load({ pageIndex, pageSize, search }), placeholderData: keepPreviousData })
  const everything = useQuery({ ...load({ pageIndex: 1, pageSize: 1, search: '' }), enabled: search !== '' })
  useClampedPage(list.data, state, change)
  const total = search === '' ? list.data?.total : everything.data?.total
  return { list, others: (total ?? 1) - 1, state, change }
}

function EndDialog({ ending, others, onClose }: { ending: EndRequest; others: number; onClose: () => void }) {
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
