/** RFC 5321, 4.5.3.1.3: a path of 256 octets less its angle brackets. */
export const MAX_MAILBOX_LENGTH = 254
/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_PART = 64

/** RFC 5322 atoms, letters of any script among them (RFC 6531); what would need quotes is nobody's address in practice. */
const LOCAL_PART = /^[^\s\p{C}"(),.:;<>@[\\\]]+(?:\.[^\s\p{C}"(),.:;<>@[\\\]]+)*$/u
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/**
 * A mailbox as it is kept: NFKC, without spaces around, upper and lower case as typed. The one rule for every place that takes one:
 * the domain is a full one (`a@b` is none) and no address of a machine.
 * @returns null for what is no mailbox.
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
