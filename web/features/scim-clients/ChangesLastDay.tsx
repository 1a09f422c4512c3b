import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SCIM_CHANGE_KINDS, SCIM_LIMITS, type ScimChangeKind, type ScimClient } from '#shared/contract/scim-clients.ts'
import { useCount } from '../../platform/format-number.ts'
import { usedKinds } from './scim-clients.rules.ts'

/** Writes what a client has changed of a kind, and its limit: "Moved: 3 of 500". */
export function useUsedText(): (client: ScimClient, kind: ScimChangeKind) => string {
  const { t } = useTranslation()
  const number = useCount()
  return (client, kind) => {
    const name = t(`scim-client.${kind}`)
    const most = client[SCIM_LIMITS[kind]]
    return most === null
      ? t('scim-client.used-unlimited', { kind: name })
      : t('scim-client.used', { kind: name, used: number(client.changedLastDay[kind]), most: number(most) })
  }
}

/** What a client has changed within 24 hours, a line for each kind: only kinds that count something, or all. */
export function ChangesLastDay({ client, isFull = false }: { client: ScimClient; isFull?: boolean }): ReactNode {
  const usedText = useUsedText()
  const kinds = isFull ? SCIM_CHANGE_KINDS : usedKinds(client)
  if (kinds.length === 0) return '—'
  return (
    <span className="scim-used">
      {kinds.map((kind) => (
        <span key={kind}>{usedText(client, kind)}</span>
      ))}
    </span>
  )
}
