export {
  callbackAddress,
  connectionTo,
  type Provider,
  providerInUse,
  providers,
  providersChanged,
} from './third-party-providers.service.ts'
export { isEnabled, type MatchBy } from './third-party-providers.store.ts'
