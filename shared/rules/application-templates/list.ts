import { CAS_TEMPLATES } from './cas.ts'
import { TEMPLATE_KEYS } from './keys.ts'
import { OPENID_TEMPLATES } from './openid.ts'
import type { ApplicationTemplate } from './template.ts'

/** Null for an unknown or removed key. */
export const templateOf = (key: string | null): ApplicationTemplate | null =>
  [...CAS_TEMPLATES, ...OPENID_TEMPLATES].find((template) => template.key === key) ?? null

/** One entry per product and protocol; the first of a product is the default. */
export const APPLICATION_TEMPLATES: readonly ApplicationTemplate[] = TEMPLATE_KEYS.flatMap(
  (key) => templateOf(key) ?? [],
)
