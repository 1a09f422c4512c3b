import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bindApplications, removeApplications, selectableApplications } from '#shared/contract/application-grants.ts'
import { listMyApplications, type MyApplication } from '#shared/contract/applications.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { type FieldErrors, fieldErrorsOf } from '../../ui/field-errors.ts'
import { useListState } from '../../ui/list-state.ts'
import { AUTHORISED_KEY, refreshGrants, SELECTABLE_KEY } from './grant-queries.ts'

export type AuthorisedApp = MyApplication
export type Dates = { validFrom: string | null; validUntil: string | null }
const NO_DATES: Dates = { validFrom: null, validUntil: null }
const NO_ERRORS: FieldErrors = {}

/** The applications that can still be granted, and the ticked ones. */
function useSelectable(memberId: string) {
  const { i18n } = useTranslation()
  const [search, setSearch] = useState('')
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const query = useQuery({
    queryKey: [SELECTABLE_KEY, memberId, search, i18n.language],
    queryFn: ({ signal }) => call(selectableApplications, { query: { memberId, search } }, { signal }),
    placeholderData: keepPreviousData,
  })
  return { query, search, setSearch, ticked, setTicked }
}

/** A page of the granted applications, and the ticked ones of all pages. */
function useAuthorised(memberId: string) {
  const { i18n } = useTranslation()
  const { state, change } = useListState([], 'memory')
  const [ticked, setTicked] = useState<readonly AuthorisedApp[]>([])
  const { pageIndex, pageSize, search } = state
  const query = useQuery({
    queryKey: [AUTHORISED_KEY, memberId, pageIndex, pageSize, search, i18n.language],
    queryFn: ({ signal }) =>
      call(listMyApplications, { query: { id: memberId, memberId, pageIndex, pageSize, search } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const rows = query.data?.records
  /** Keep ticks of other pages. */
  const setPageTicked = (page: readonly AuthorisedApp[]) =>
    setTicked((before) => [
      ...before.filter(({ appId }) => !rows?.some((row) => row.appId === appId)),
      ...page.filter(({ appId }) => rows?.some((row) => row.appId === appId)),
    ])
  return { query, state, change, ticked, setTicked, tickPage: setPageTicked }
}

type TransferResult = { changed: number; refused: { appId: string; code: string }[] }

/** Both sides of the dialog and its four actions; after each, both sides reload from page 1. */
export function useAuthorisedApps(memberId: string) {
  const { t } = useTranslation()
  const left = useSelectable(memberId)
  const right = useAuthorised(memberId)
  const [dates, setDates] = useState(NO_DATES)
  const [errors, setErrors] = useState(NO_ERRORS)
  const [isBusy, setBusy] = useState(false)
  /** At the date fields it concerns, else in a notice. */
  const showError = (error: unknown) => {
    const fieldErrors = fieldErrorsOf(error)
    setErrors(fieldErrors)
    if (Object.keys(fieldErrors).length > 0) return
    notifyFailure(error)
  }
  const run = async (work: () => Promise<TransferResult>, done: 'authorise.given' | 'authorise.taken') => {
    if (isBusy) return
    setBusy(true)
    setErrors(NO_ERRORS)
    try {
      const { changed, refused } = await work()
      notify('well', t(done, { count: changed }))
      if (refused.length > 0) {
        const names = refused.map(({ appId }) => appId).join(t('list.separator'))
        notify('danger', t('authorise.refused', { count: refused.length, names }))
      }
      left.setTicked(new Set())
      right.setTicked([])
      right.change({ pageIndex: 1 })
    } catch (error) {
      showError(error)
    }
    // After a refusal too: somebody else may have changed them.
    await refreshGrants()
    setBusy(false)
  }
  const { selectable = 0, authorised = 0 } = left.query.data ?? {}
  const some = { confirm: [...left.ticked], cancel: right.ticked.map(({ appId }) => appId) }
  const all = (expected: number) => ({ memberId, all: true as const, expected })
  return {
    left,
    right,
    dates,
    setDates,
    errors,
    isBusy,
    counts: { selectable, authorised, confirm: some.confirm.length, cancel: some.cancel.length },
    confirm: () =>
      run(() => call(bindApplications, { body: { memberId, appIds: some.confirm, ...dates } }), 'authorise.given'),
    cancel: () => run(() => call(removeApplications, { body: { memberId, appIds: some.cancel } }), 'authorise.taken'),
    /** @param expected the number in the question; refused if it has changed. */
    confirmAll: (expected: number) =>
      run(() => call(bindApplications, { body: { ...all(expected), ...dates } }), 'authorise.given'),
    cancelAll: (expected: number) => run(() => call(removeApplications, { body: all(expected) }), 'authorise.taken'),
  }
}

export type AuthorisedApps = ReturnType<typeof useAuthorisedApps>
