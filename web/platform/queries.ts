import { QueryClient, queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import { myAdministration } from '#shared/contract/administrators.ts'
import type { PortalSurroundings } from '#shared/contract/appearance.ts'
import { loginPropertyPageConfig, querySchoolGateway } from '#shared/contract/appearance.ts'
import { listLanguages } from '#shared/contract/languages.ts'
import { call } from './api.ts'
import { Refusal } from './refusal.ts'
import { updateUser } from './session.ts'

/** Milliseconds during which what rarely changes is not asked for again. */
const STALE_AFTER_MS = 5 * 60_000

const isRetryable = (error: unknown): boolean =>
  error instanceof Refusal && (error.state === 0 || error.state === 503) && error.code !== 'network.timed-out'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isRetryable(error),
      // A window that gets the focus again is no activity of the person, and would keep a session alive.
      refetchOnWindowFocus: false,
      staleTime: 10_000,
      // What can't be asked is told as failed, not kept waiting under what was asked before; and on an intranet the browser's own
      // idea of being online says nothing about the server.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

/** The institution; asked before each navigation, answered from memory most of the time. */
export const gatewayQuery = () =>
  queryOptions({
    queryKey: ['gateway', i18next.language],
    queryFn: ({ signal }) => call(querySchoolGateway, {}, { signal }),
    staleTime: STALE_AFTER_MS,
  })

const MAX_RETRY_DELAY_MS = 30_000

/** The settings that a browser must know: idle logout, password rules. Asked until they are here, whatever is in the way. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call(loginPropertyPageConfig, {}, { signal }),
    retry: true,
    retryDelay: (failures) => Math.min(1000 * 2 ** failures, MAX_RETRY_DELAY_MS),
    staleTime: STALE_AFTER_MS,
  })

/** What the person may do in the back office: what they learned at the login may be another thing by now. */
export const administrationQuery = () =>
  queryOptions({
    queryKey: ['administration', i18next.language],
    queryFn: async ({ signal }) => {
      const mine = await call(myAdministration, {}, { signal, background: true })
      updateUser({ isSuperUser: mine.isSuperUser, powers: mine.powers })
      return mine
    },
  })

export const languagesQuery = () =>
  queryOptions({
    queryKey: ['languages'],
    queryFn: ({ signal }) => call(listLanguages, {}, { signal, cache: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What the server wrote into the page beforehand; null in a page that it didn't. */
export function readSurroundings(): PortalSurroundings | null {
  const text = document.getElementById('surroundings')?.textContent
  return text ? (JSON.parse(text) as PortalSurroundings) : null
}

/** What the page brought along needs no calls. Once the language is known, which some are kept by. */
export function seedQueries({ gateway, settings, languages }: PortalSurroundings): void {
  queryClient.setQueryData(gatewayQuery().queryKey, gateway)
  queryClient.setQueryData(settingsQuery().queryKey, settings)
  queryClient.setQueryData(languagesQuery().queryKey, languages)
}
