export { decryptEvent, type EventSecrets, encryptEvent, isSignedBy, signEvent } from './event-crypto.rules.ts'
export { dingdingEvent, encryptedOf, parseObject, qywxEvent, type VendorEvent } from './vendor-event.rules.ts'
