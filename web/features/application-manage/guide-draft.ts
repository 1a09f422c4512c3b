import type { Protocol } from '#shared/contract/application-fields.ts'
import type { Icon } from './IconField.tsx'

export const GUIDE_STEPS = ['type', 'protocol', 'addresses', 'icon'] as const
export type GuideStep = (typeof GUIDE_STEPS)[number]

export type GuideDraft = {
  name: string
  appId: string
  /** False: the code follows the name. */
  isCodeTyped: boolean
  isCodeTaken: boolean
  categoryId: string
  type: 'system' | 'whitelist'
  protocol: Protocol
  isPublic: boolean
  addresses: string[]
  /** The start address; empty: derived from the first service address. */
  url: string
  icon: Icon | null
}

export type GuideProblems = { name?: string; appId?: string; addresses?: string; form?: string }

export type GuideProps = {
  draft: GuideDraft
  problems: GuideProblems
  onChange: (change: Partial<GuideDraft>) => void
}

export const NEW_DRAFT: GuideDraft = {
  name: '',
  appId: '',
  isCodeTyped: false,
  isCodeTaken: false,
  categoryId: '',
  type: 'system',
  protocol: 'cas',
  isPublic: false,
  addresses: [''],
  url: '',
  icon: null,
}

/** Suggests a code for a Latin name; empty for others. */
export const codeFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64)
