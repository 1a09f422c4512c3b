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
export {
  deleteProviderSecrets,
  isProviderEnabled,
  listStoredProviders,
  type MatchBy,
  markFileProviders,
  moveProviders,
  type StoredProvider,
  saveProviders,
} from './third-party-providers.store.ts'
