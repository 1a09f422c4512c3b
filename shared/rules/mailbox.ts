/** RFC 5321, 4.5.3.1.3: a path of 256 octets minus its angle brackets. */
export const MAX_MAILBOX_LENGTH = 254
/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_PART = 64

/** RFC 5322 atoms, including letters of any script (RFC 6531); quoted local parts are not used in practice. */
const LOCAL_PART = /^[^\s\p{C}"(),.:;<>@[\\\]]+(?:\.[^\s\p{C}"(),.:;<>@[\\\]]+)*$/u
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/**
 * The canonical form of an email address: NFKC, trimmed, case as typed. The one rule for every input: the domain must
 * be fully qualified (not `a@b`), and no IP address.
 * @returns null for an invalid address.
 */
export function canonicalMailbox(typed: string): string | null {
  const mailbox = typed.normalize('NFKC').trim()
  if (mailbox.length > MAX_MAILBOX_LENGTH) return null
  const at = mailbox.lastIndexOf('@')
  const [localPart, labels] = [mailbox.slice(0, Math.max(at, 0)), mailbox.slice(at + 1).split('.')]
  if (localPart.length > MAX_LOCAL_PART || !LOCAL_PART.test(localPart)) return null
  const isFullDomain = labels.length > 1 && labels.every((label) => LABEL.test(label))
  return isFullDomain && !/^\p{N}+$/u.test(labels.at(-1) ?? '') ? mailbox : null
}
