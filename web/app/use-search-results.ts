import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { searchEverywhere } from '#shared/contract/global-search.ts'
import { type CallOutput, call } from '../platform/api.ts'
import { useIsSuperUser, useMay } from '../platform/session.ts'
import type { IconName } from '../ui/Icon.tsx'
import { useDebouncedText } from '../ui/use-option-search.ts'
import { COMMANDS } from './commands.ts'
import { useMenuPages } from './menu.ts'
import { isMeant, isPageMeant } from './page-words.ts'

/** A search result with its destination. */
export type SearchResult = {
  key: string
  icon: IconName
  label: string
  hint: string
  to: string
  search?: Record<string, string>
}

export type SearchResults = {
  groups: { title: string; goals: SearchResult[]; isCut: boolean }[]
  state: 'busy' | 'found' | 'failed'
  /** The text that was searched for. */
  search: string
}

/**
 * Grouped results for the text: pages immediately, the rest after a pause in typing and never during IME composition.
 */
export function useSearchResults(text: string, isComposing: boolean): SearchResults {
  const { t, i18n } = useTranslation()
  const pages = usePageResults(text)
  const commands = useCommandResults(text)
  const searchText = useDebouncedText(isComposing ? '' : text)
  const { data, isFetching, isError } = useQuery({
    queryKey: ['global-search', searchText, i18n.language],
    queryFn: ({ signal }) => call(searchEverywhere, { query: { search: searchText } }, { signal }),
    enabled: searchText !== '',
    placeholderData: keepPreviousData,
  })
  const found = text.trim() === '' || !data ? null : data
  const isCut = { people: false, organizations: false, applications: false, ...found?.more }
  const [people = [], organizations = [], applications = []] = found ? toResults(found) : []
  const all = (title: string, to: string): SearchResult => {
    const label = t('global-search.all', { list: title })
    return { key: `all ${to}`, icon: 'search', label, hint: '', to, search: { search: searchText } }
  }
  const groups = [
    {
      title: t('global-search.people'),
      goals: isCut.people ? [...people, all(t('global-search.people'), '/manage/organization')] : people,
      isCut: isCut.people,
    },
    // Organisations have no list page that could show the results.
    { title: t('global-search.organizations'), goals: organizations, isCut: isCut.organizations },
    {
      title: t('global-search.applications'),
      goals: isCut.applications
        ? [...applications, all(t('global-search.applications'), '/manage/application-manage')]
        : applications,
      isCut: isCut.applications,
    },
    { title: t('login-help.title'), goals: useLoginHelp(found, text), isCut: false },
    { title: t('global-search.commands'), goals: commands, isCut: false },
    { title: t('global-search.pages'), goals: pages, isCut: false },
  ]
  const isBusy = isFetching || searchText !== text.normalize('NFKC').trim()
  return {
    groups: groups.filter(({ goals }) => goals.length > 0),
    state: isBusy ? 'busy' : isError ? 'failed' : 'found',
    search: searchText,
  }
}

type Found = CallOutput<typeof searchEverywhere>

/** The login help is queried for at most this many people: a longer list means that the name is incomplete. */
const MAX_ASKED = 2
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]{0,4}(:[\da-f]{0,4}){2,7})$/i
/** What a code is sent to; the rules of phone numbers are too large for every page. */
const RECEIVER = /^(\S+@\S+\.\S+|\+\d[\d -]{6,}|1[3-9]\d{9})$/

/**
 * "Why can't they log in?": for a person the page that answers it, for a phone number or mailbox the messages sent to it,
 * for an address its test.
 */
function useLoginHelp(found: Found | null, text: string): SearchResult[] {
  const { t } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const address = text.normalize('NFKC').trim()
  const ofPeople = (found?.people ?? []).slice(0, MAX_ASKED).map(({ id, account, name }) => ({
    key: `why ${id}`,
    icon: 'warning' as const,
    label: t('login-help.person', { name }),
    hint: account,
    to: '/manage/organization',
    search: { open: id },
  }))
  const ofApplications = (found?.applications ?? []).slice(0, MAX_ASKED).map(({ id, appId, name }) => ({
    key: `why ${id}`,
    icon: 'warning' as const,
    label: t('login-help.application', { name }),
    hint: appId,
    to: `/manage/application-manage/detail-set/${id}`,
    search: { tab: 'access', do: 'why' },
  }))
  if (RECEIVER.test(address)) {
    const label = t('login-help.code', { receiver: address })
    const search = { search: address }
    return [...ofPeople, { key: 'why code', icon: 'warning', label, hint: '', to: '/manage/message-log', search }]
  }
  if (!isSuperUser || !ADDRESS.test(address)) return [...ofPeople, ...ofApplications]
  const label = t('login-help.address', { address })
  const search = { tab: 'test', ip: address }
  return [...ofPeople, { key: 'why address', icon: 'warning', label, hint: '', to: '/manage/net-strategy', search }]
}

/** Menu pages matched by title, group and further words; all of them while nothing is typed. */
function usePageResults(text: string): SearchResult[] {
  const { t } = useTranslation()
  const pages = useMenuPages('manage').map((page) => ({
    key: page.to,
    keys: [page.title, page.parentName ?? ''],
    icon: page.icon,
    label: t(page.title),
    hint: page.parentName ? t(page.parentName) : '',
    to: page.to,
  }))
  return pages.filter(({ keys, label, hint }) => isPageMeant(text, keys, [label, hint]))
}

/** Actions that match the search text. */
function useCommandResults(text: string): SearchResult[] {
  const { t } = useTranslation()
  const isSuperUser = useIsSuperUser()
  const may = useMay()
  if (text.trim() === '') return []
  return COMMANDS.filter(({ permission }) => (permission ? may(permission) : isSuperUser))
    .filter(({ title, words }) => isMeant(text, words, [t(title)]))
    .map(({ title, icon, to, search }) => ({
      key: title,
      icon,
      label: t(title),
      hint: '',
      to,
      ...(search && { search }),
    }))
}

function toResults({ people, organizations, applications }: Found): SearchResult[][] {
  return [
    people.map(({ id, account, name, organization }) => ({
      key: id,
      icon: 'user',
      label: name,
      hint: [account, organization].filter(Boolean).join(' · '),
      to: '/manage/organization',
      search: { open: id },
    })),
    organizations.map(({ id, name, within }) => ({
      key: id,
      icon: 'cluster',
      label: name,
      hint: within.join(' / '),
      to: '/manage/organization',
      search: { organization: id },
    })),
    applications.map(({ id, appId, name }) => ({
      key: id,
      icon: 'solution',
      label: name,
      hint: appId,
      to: `/manage/application-manage/detail-set/${id}`,
    })),
  ]
}
