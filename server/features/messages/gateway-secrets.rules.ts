import type { HttpChannel, MailGateway, SmsGateway } from '#shared/contract/message-gateways.ts'
import { SECRET_PLACEHOLDER } from '#shared/contract/stored-secret.ts'
import type { DeliveryOutcome } from '../../platform/message-delivery.ts'
import { resolveStoredSecret, type SentSecret } from '../../platform/stored-secret.ts'

type StoredGateway = MailGateway | SmsGateway | HttpChannel

/** Name and value of the secret, and the rest: where it is sent. */
function splitSecret(gateway: StoredGateway): SentSecret & { name: string } {
  if ('host' in gateway) {
    const { password: secret, host, port, security, user } = gateway
    return { name: 'password', secret, destination: { host, port, security, user } }
  }
  if ('body' in gateway) {
    const { secret, url, appId } = gateway
    return { name: 'secret', secret, destination: { url, appId } }
  }
  if (gateway.provider === 'aliyun') {
    const { accessKeySecret: secret, provider, url, accessKeyId } = gateway
    return { name: 'accessKeySecret', secret, destination: { provider, url, accessKeyId } }
  }
  if (gateway.provider === 'tencent') {
    const { secretKey: secret, provider, url, secretId } = gateway
    return { name: 'secretKey', secret, destination: { provider, url, secretId } }
  }
  const { secret, provider, url, appId } = gateway
  return { name: 'secret', secret, destination: { provider, url, appId } }
}

/** Masks the secret for display. */
export function maskSecret<G extends StoredGateway>(gateway: G): G {
  const { name, secret } = splitSecret(gateway)
  return { ...gateway, [name]: secret === '' ? '' : SECRET_PLACEHOLDER }
}

/** Replaces a mask by the stored secret. @throws Refusal `settings.secret-needed`: see `resolveStoredSecret`. */
export function withStoredSecret<G extends StoredGateway>(gateway: G, stored: G | null): G {
  const given = splitSecret(gateway)
  return { ...gateway, [given.name]: resolveStoredSecret(given, stored && splitSecret(stored)) }
}

/** Removes the secret from the other side's reply. */
export function redactSecret(outcome: DeliveryOutcome, gateway: StoredGateway): DeliveryOutcome {
  const { secret } = splitSecret(gateway)
  if (outcome.sent || secret.length < 4) return outcome
  const words = outcome.words.replaceAll(secret, SECRET_PLACEHOLDER)
  return { ...outcome, words, code: outcome.code?.includes(secret) ? null : outcome.code }
}
