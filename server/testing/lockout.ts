import type { LocksOutData } from '#shared/contract/access-rules.ts'

/** `[code, name of the rule, whom it locks out]` of a refused change; undefined where the answer has none. */
export const lockoutIn = (envelope: { code?: string; data: unknown }) => {
  const { rule, whom } = (envelope.data ?? {}) as Partial<LocksOutData>
  return [envelope.code, rule?.name, whom]
}
