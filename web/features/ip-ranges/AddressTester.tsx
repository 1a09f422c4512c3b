import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { lookUpAddress } from '#shared/contract/ip-ranges.ts'
import { call } from '../../platform/api.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useDebouncedText } from '../../ui/use-option-search.ts'
import { RANGES_KEY } from './ip-range-queries.ts'
import { RangeKindTag } from './RangeKindTag.tsx'

type Found = z.output<typeof lookUpAddress.output>

/** Tells which range an address is in, and why; starts with the user's own address. */
export function AddressTester({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const [typed, setTyped] = useState('')
  const ip = useDebouncedText(typed.trim())
  const lookup = useQuery({
    queryKey: [RANGES_KEY, 'lookup', ip, i18n.language],
    queryFn: ({ signal }) => call(lookUpAddress, { query: ip ? { ip } : {} }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const refusal = isRefusal(lookup.error) && lookup.error.state === 400 ? lookup.error.message : undefined
  return (
    <Dialog
      title={t('ip-range.test-title')}
      size="wide"
      onClose={onClose}
      actions={
        <button type="button" className="button button-primary" onClick={onClose}>
          {t('action.close')}
        </button>
      }
    >
      <div className="range-tester">
        <TextField
          label={t('ip-range.address')}
          value={typed}
          isFirst
          maxLength={60}
          placeholder={lookup.data && !ip ? lookup.data.ip : '10.20.30.40'}
          hint={t('ip-range.address-hint')}
          error={refusal}
          onChange={setTyped}
        />
        <div role="status">
          {lookup.isPending && <Skeleton lines={3} />}
          {lookup.isError && !refusal && <FailedBlock error={lookup.error} onRetry={() => void lookup.refetch()} />}
          {lookup.isSuccess && <Verdict found={lookup.data} isOwn={!ip} />}
        </div>
      </div>
    </Dialog>
  )
}

function Verdict({ found, isOwn }: { found: Found; isOwn: boolean }) {
  const { t } = useTranslation()
  const { ip, onCampus, matches } = found
  const [decides, ...others] = matches
  const place = t(onCampus ? 'place.on-campus' : 'place.off-campus')
  return (
    <>
      <p className="range-verdict">
        {isOwn && <span className="muted">{t('ip-range.own-address')}</span>}
        <code>{ip}</code>
        <strong>{decides ? decides.shownName : t('ip-range.in-none')}</strong>
        {decides && <RangeKindTag kind={decides.kind} />}
        <span>{place}</span>
      </p>
      {decides && (
        <p className="muted">
          {t(others.length > 0 ? 'ip-range.why-smallest' : 'ip-range.why-only', { network: decides.network })}
        </p>
      )}
      {others.length > 0 && (
        <ul className="range-others">
          {others.map(({ id, shownName, network }) => (
            <li key={`${id} ${network}`}>
              <code>{network}</code> {shownName}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
