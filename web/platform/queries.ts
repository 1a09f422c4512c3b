import { QueryClient, queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import { myAdministration } from '#shared/contract/administrators.ts'
import type { PortalSurroundings } from '#shared/contract/appearance.ts'
import { loginPropertyPageConfig, querySchoolGateway } from '#shared/contract/appearance.ts'
import { listLanguages } from '#shared/contract/languages.ts'
import { call } from './api.ts'
import { Refusal } from './refusal.ts'
import { updateUser } from './session.ts'

/** Milliseconds during which rarely changing data is not refetched. */
const STALE_AFTER_MS = 5 * 60_000

const isRetryable = (error: unknown): boolean =>
  error instanceof Refusal && (error.state === 0 || error.state === 503) && error.code !== 'network.timed-out'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isRetryable(error),
      // Focusing a window is no activity, and refetching would keep the session alive.
      refetchOnWindowFocus: false,
      staleTime: 10_000,
      // Report unreachable servers as failures instead of showing old data; on an intranet the browser's online state
      // says nothing about the server.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

/** The institution; needed before each navigation, usually cached. */
export const gatewayQuery = () =>
  queryOptions({
    queryKey: ['gateway', i18next.language],
    queryFn: ({ signal }) => call(querySchoolGateway, {}, { signal }),
    staleTime: STALE_AFTER_MS,
  })

const MAX_RETRY_DELAY_MS = 30_000

/** The settings that a browser needs: idle logout, password rules. Retried until loaded. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call(loginPropertyPageConfig, {}, { signal }),
    retry: true,
    retryDelay: (failures) => Math.min(1000 * 2 ** failures, MAX_RETRY_DELAY_MS),
    staleTime: STALE_AFTER_MS,
  })

/** The person's permissions in the back office, which may have changed since the login. */
export const administrationQuery = () =>
  queryOptions({
    queryKey: ['administration', i18next.language],
    queryFn: async ({ signal }) => {
      const mine = await call(myAdministration, {}, { signal, background: true })
      updateUser({ isSuperUser: mine.isSuperUser, permissions: mine.permissions })
      return mine
    },
  })

export const languagesQuery = () =>
  queryOptions({
    queryKey: ['languages'],
    queryFn: ({ signal }) => call(listLanguages, {}, { signal, cache: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The data that the server wrote into the page; null if there is none. */
export function readSurroundings(): PortalSurroundings | null {
  const text = document.getElementById('surroundings')?.textContent
  return text ? (JSON.parse(text) as PortalSurroundings) : null
}

/** Seeds the cache with the page's own data. Call it once the language is known, because some keys contain it. */
export function seedQueries({ gateway, settings, languages }: PortalSurroundings): void {
  queryClient.setQueryData(gatewayQuery().queryKey, gateway)
  queryClient.setQueryData(settingsQuery().queryKey, settings)
  queryClient.setQueryData(languagesQuery().queryKey, languages)
}
