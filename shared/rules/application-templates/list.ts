import { CAS_TEMPLATES } from './cas.ts'
import { TEMPLATE_KEYS } from './keys.ts'
import { OPENID_TEMPLATES } from './openid.ts'
import type { ApplicationTemplate } from './template.ts'

/** Null for what no version of this product ever had, or one that does not have it any more. */
export const templateOf = (key: string | null): ApplicationTemplate | null =>
  [...CAS_TEMPLATES, ...OPENID_TEMPLATES].find((template) => template.key === key) ?? null

/** One entry for each product and protocol; the first of a product is the one that is offered. */
export const APPLICATION_TEMPLATES: readonly ApplicationTemplate[] = TEMPLATE_KEYS.flatMap(
  (key) => templateOf(key) ?? [],
)
