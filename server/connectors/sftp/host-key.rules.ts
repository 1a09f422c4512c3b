import { createHash } from 'node:crypto'

/** Signature algorithms by kind of key; without RSA with SHA-1. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
}

/** `ssh-ed25519 SHA256:…`, the fingerprint as in `ssh-keygen -l`. */
export function describeHostKey(key: Buffer): string {
  const kind = key.length < 4 ? '' : key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1')
  return `${kind} SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

export const isHostKey = (text: string): boolean =>
  /^\S+ SHA256:[A-Za-z0-9+/]{43}$/.test(text) && Object.hasOwn(ALGORITHMS, text.split(' ')[0] ?? '')

/** The host key algorithms to accept; with a pinned key only its kind, so that a server with an additional key is still the same. */
export function hostKeyAlgorithms(pinned: string): string[] {
  const kinds = pinned === '' ? Object.keys(ALGORITHMS) : [pinned.split(' ')[0] ?? '']
  return kinds.flatMap((kind) => ALGORITHMS[kind] ?? [])
}
