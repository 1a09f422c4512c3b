import type { LoginOptionsProvider } from '../appearance/index.ts'
import { listFramedProviders } from '../third-party-providers/index.ts'

const textParameter = (query: unknown, name: string): string => {
  const value = (query as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

/**
 * A button for each enabled provider, in the administrator's order. None if an application requires a new login (`renew`): a provider where
 * the browser is still logged in would answer without asking, and prove nothing.
 */
export const thirdPartyLoginOptions: LoginOptionsProvider = async (platform, { request, service }) => {
  if (textParameter(request.query, 'renew') !== '') return {}
  const method = textParameter(request.query, 'method')
  const query = new URLSearchParams({ ...(service !== null && { service }), ...(method && { method }) })
  const inUse = await listFramedProviders(platform)
  return {
    otherMethods: inUse.map(({ provider: { key, name, names }, frameOrigin }) => ({
      key,
      label: { name, names },
      href: `/auth_service/third_party/${key}/login?${query}`,
      ...(frameOrigin !== null && { frameOrigin }),
    })),
  }
}
