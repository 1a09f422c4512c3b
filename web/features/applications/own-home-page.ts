import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  markAnnouncementsRead,
  type OwnHomePage,
  placeFavourite,
  queryOwnHomePage,
  removeFavourite,
} from '#shared/contract/home-page.ts'
import { call } from '../../platform/api.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { queryClient } from '../../platform/queries.ts'
import { findLastReply, keepLastReply } from '../../platform/reply-cache.ts'
import { sessionToken } from '../../platform/session.ts'

const KEY = 'own-home-page'
const STALE_AFTER_MS = 60_000

/** Present in a preview frame's address. */
const previewToken = (): string | undefined => /\/preview\/([^/]+)\//.exec(location.pathname)?.[1]

/** The person's own part of the home page; undefined until loaded. */
export function useOwnHomePage(): OwnHomePage | undefined {
  const { i18n } = useTranslation()
  const token = sessionToken()
  const name = `home-page ${i18n.language}`
  return useQuery({
    queryKey: [KEY, i18n.language],
    queryFn: async ({ signal }) => {
      const preview = previewToken()
      const page = await call(
        queryOwnHomePage,
        { query: { ...(preview && { preview }) } },
        { signal, background: true },
      )
      if (!preview) keepLastReply(token, name, page)
      return page
    },
    placeholderData: () => findLastReply(token, name) as OwnHomePage | undefined,
    staleTime: STALE_AFTER_MS,
  }).data
}

const change = (act: (page: OwnHomePage) => Partial<OwnHomePage>) =>
  queryClient.setQueriesData<OwnHomePage>({ queryKey: [KEY] }, (page) => page && { ...page, ...act(page) })

/** Shows a change immediately; if the server refuses it, restores the stored state and says why. */
async function save(shown: (page: OwnHomePage) => Partial<OwnHomePage>, ask: () => Promise<unknown>): Promise<void> {
  change(shown)
  try {
    await ask()
  } catch (error) {
    notifyFailure(error)
    await queryClient.invalidateQueries({ queryKey: [KEY] })
  }
}

/** Moves an application before another one, or to the end; pins it first if needed. */
export const pinApp = (appId: string, before: string | null = null): Promise<void> =>
  save(
    ({ favourites }) => {
      const others = favourites.filter((one) => one !== appId)
      const at = before === null ? -1 : others.indexOf(before)
      return { favourites: others.toSpliced(at < 0 ? others.length : at, 0, appId) }
    },
    () => call(placeFavourite, { body: { appId, before } }),
  )

export const unpinApp = (appId: string): Promise<void> =>
  save(
    ({ favourites }) => ({ favourites: favourites.filter((one) => one !== appId) }),
    () => call(removeFavourite, { body: { appId } }),
  )

export const readAnnouncements = (ids: string[]): Promise<void> =>
  save(
    ({ announcements }) => ({
      announcements: announcements.map((one) => (ids.includes(one.id) ? { ...one, isRead: true } : one)),
    }),
    () => call(markAnnouncementsRead, { body: { ids } }),
  )
