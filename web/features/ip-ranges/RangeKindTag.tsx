import { useTranslation } from 'react-i18next'
import type { RangeKind } from '#shared/contract/ip-ranges.ts'

const TONES: Readonly<Record<RangeKind, string>> = {
  campus: 'tag tag-well',
  trusted: 'tag',
  blocked: 'tag tag-caution',
  other: 'tag tag-plain',
}

export function RangeKindTag({ kind }: { kind: RangeKind }) {
  const { t } = useTranslation()
  return <span className={TONES[kind]}>{t(`ip-range.kind.${kind}`)}</span>
}
