export {
  callbackUrl,
  findProvider,
  findSilentProvider,
  invalidateProviders,
  isInOwnBrowser,
  listFramedProviders,
  listProviders,
  openConnection,
  type Provider,
  requireFrameUrl,
  requireProvider,
} from './third-party-providers.service.ts'
export { isProviderEnabled, type MatchBy } from './third-party-providers.store.ts'
