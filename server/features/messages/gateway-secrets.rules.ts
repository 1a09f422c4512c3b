import {
  type HttpChannel,
  type MailGateway,
  SECRET_PLACEHOLDER,
  type SmsGateway,
} from '#shared/contract/message-gateways.ts'
import type { DeliveryOutcome } from '../../platform/message-delivery.ts'
import { resolveStoredSecret, type SentSecret } from '../../platform/stored-secret.ts'

type StoredGateway = MailGateway | SmsGateway | HttpChannel

/** Name and value of what nobody gets to read, and the rest: where it is sent to. */
function splitSecret(gateway: StoredGateway): SentSecret & { name: string } {
  if ('host' in gateway) {
    const { password: secret, host, port, security, user } = gateway
    return { name: 'password', secret, place: { host, port, security, user } }
  }
  if ('body' in gateway) {
    const { secret, url, appId } = gateway
    return { name: 'secret', secret, place: { url, appId } }
  }
  if (gateway.provider === 'aliyun') {
    const { accessKeySecret: secret, provider, url, accessKeyId } = gateway
    return { name: 'accessKeySecret', secret, place: { provider, url, accessKeyId } }
  }
  if (gateway.provider === 'tencent') {
    const { secretKey: secret, provider, url, secretId } = gateway
    return { name: 'secretKey', secret, place: { provider, url, secretId } }
  }
  const { secret, provider, url, appId } = gateway
  return { name: 'secret', secret, place: { provider, url, appId } }
}

/** As it may be shown: stars in the place of the secret. */
export function maskSecret<G extends StoredGateway>(gateway: G): G {
  const { name, secret } = splitSecret(gateway)
  return { ...gateway, [name]: secret === '' ? '' : SECRET_PLACEHOLDER }
}

/** Puts the stored secret where the form has stars. @throws Refusal `settings.secret-needed`: see `resolveStoredSecret`. */
export function withStoredSecret<G extends StoredGateway>(gateway: G, stored: G | null): G {
  const given = splitSecret(gateway)
  return { ...gateway, [given.name]: resolveStoredSecret(given, stored && splitSecret(stored)) }
}

/** The words of the other side without the secret, should it repeat it. */
export function redactSecret(outcome: DeliveryOutcome, gateway: StoredGateway): DeliveryOutcome {
  const { secret } = splitSecret(gateway)
  if (outcome.sent || secret.length < 4) return outcome
  return { ...outcome, words: outcome.words.replaceAll(secret, SECRET_PLACEHOLDER) }
}
