export {
  callbackUrl,
  invalidateProviders,
  isInOwnBrowser,
  listProviders,
  openConnection,
  type Provider,
  requireProvider,
} from './third-party-providers.service.ts'
export { isProviderEnabled, type MatchBy } from './third-party-providers.store.ts'
