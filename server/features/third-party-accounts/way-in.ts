import type { WayIn } from '../appearance/index.ts'
import { providers } from '../third-party-providers/index.ts'

const textOf = (query: unknown, name: string): string => {
  const value = (query as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

/**
 * A button for each provider in use, in the order that an administrator chose. None where an application demands a new login
 * (`renew`): a provider in which the browser is still logged in would answer by itself, and prove nothing.
 */
export const thirdPartyWayIn: WayIn = async (platform, { request, service }) => {
  if (textOf(request.query, 'renew') !== '') return {}
  const method = textOf(request.query, 'method')
  const query = new URLSearchParams({ ...(service !== null && { service }), ...(method && { method }) })
  const inUse = (await providers(platform)).filter(({ enabled }) => enabled)
  return {
    otherWays: inUse.map(({ key, name, names }) => ({
      key,
      label: { name, names },
      href: `/auth_service/third_party/${key}/login?${query}`,
    })),
  }
}
