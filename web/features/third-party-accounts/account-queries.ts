import { useTranslation } from 'react-i18next'
import type { Language } from '#shared/contract/endpoint.ts'
import { listThirdPartyAccounts } from '#shared/contract/third-party-accounts.ts'
import { call } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'

const ACCOUNTS_KEY = ['third-party-accounts']

export const accountsQuery = {
  queryKey: ACCOUNTS_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(listThirdPartyAccounts, {}, { signal }),
}

export const refreshAccounts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ACCOUNTS_KEY })

type Label = { name: string; names: Record<Language, string> }

/** A provider's name in the page's language. */
export function useProviderName(): (label: Label) => string {
  const { i18n } = useTranslation()
  return ({ name, names }) => names[i18n.language as Language] ?? name
}
