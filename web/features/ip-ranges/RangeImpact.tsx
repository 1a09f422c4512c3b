import i18next from 'i18next'
import type { IpRange } from '#shared/contract/ip-ranges.ts'
import { ipRangeImpact } from '#shared/contract/policy-impact.ts'
import { call } from '../../platform/api.ts'
import { ImpactFigures } from '../../ui/ImpactFigures.tsx'

type Fields = Pick<IpRange, 'kind' | 'networks' | 'enabled'>
type Draft = { id?: string; range: Fields | null }

const judgedOf = ({ kind, networks, enabled }: Fields): Fields => ({ kind, networks, enabled })

type Props = {
  /** Null: a new one. */
  range: IpRange | null
  /** The edited range; null: to be deleted. */
  fields: Fields | null
}

/** Which logins an unsaved range would assign differently, and what the rules would then do. */
export const RangeImpact = ({ range, fields }: Props) => (
  <ImpactFigures name="ip-range" draft={draftOf(range, fields)} load={loadImpact} />
)

function draftOf(range: IpRange | null, fields: Fields | null): Draft | null {
  const judged = fields && judgedOf(fields)
  if (judged?.networks.length === 0) return null
  const isSame = range && judged && JSON.stringify(judgedOf(range)) === JSON.stringify(judged)
  return isSame ? null : { ...(range && { id: range.id }), range: judged }
}

async function loadImpact(body: Draft, signal: AbortSignal) {
  const { figures } = await call(ipRangeImpact, { body }, { signal })
  return body.range ? { figures } : { figures, title: i18next.t('impact.title.delete') }
}
