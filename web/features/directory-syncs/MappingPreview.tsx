import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DirectorySyncFields } from '#shared/contract/directory-syncs.ts'
import { previewSyncMapping } from '#shared/contract/sync-mappings.ts'
import { call } from '../../platform/api.ts'
import { Skeleton } from '../../ui/PageSkeleton.tsx'
import type { FieldOption, MappingEntry } from './mapping.types.ts'

export type PreviewRequest<Field extends string> = {
  sourceId: string
  of: 'people' | 'departments'
  withDepartments: boolean
  table: string
  keyColumn: string
  mapping: MappingEntry<Field>[]
  syncId?: string
  matchBy?: DirectorySyncFields['matchBy']
}

type Props<Field extends string> = { fields: readonly FieldOption<Field>[]; request: PreviewRequest<Field> }

/** Milliseconds without a change before the source is read again. */
const QUIET_MS = 600

/** Previews the mapping with the first twenty rows, shortly after each change. */
export function MappingPreview<Field extends string>({ fields, request }: Props<Field>) {
  const { t, i18n } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const body = useSettled(request)
  const preview = useQuery({
    queryKey: ['sync-mapping-preview', body, i18n.language],
    queryFn: ({ signal }) => call(previewSyncMapping, { body }, { signal }),
    enabled: isOpen && body.keyColumn !== '' && body.mapping.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const problem = preview.error ? t('directory-sync.preview-incomplete') : preview.data?.problem
  return (
    <details className="sync-steps" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('directory-sync.preview')}</summary>
      {body.keyColumn === '' && <p className="muted">{t('directory-sync.preview-no-key')}</p>}
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      {preview.isLoading && <Skeleton lines={4} />}
      {preview.data && !preview.data.isWhole && <p className="muted">{t('directory-sync.preview-cut')}</p>}
      {preview.data && (!problem || preview.data.rows.length > 0) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse.
        <section className="sync-rows" tabIndex={0} aria-label={t('directory-sync.preview')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('directory-sync.row-key')}</th>
                {body.mapping.map(({ field }) => (
                  <th key={field} scope="col">
                    {fields.find(({ value }) => value === field)?.label ?? field}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.data.rows.map(({ key, problems, values }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a source may repeat its keys.
                <tr key={at}>
                  <th scope="row">
                    {key || '—'}
                    {problems.map((one) => (
                      <span key={one} className="caution-note">
                        {one}
                      </span>
                    ))}
                  </th>
                  {values.map(({ value, problem: wrong }, index) => (
                    <td key={body.mapping[index]?.field}>
                      {wrong ? <span className="caution-note">{wrong}</span> : value || '—'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

/** The value, once it has been stable for a moment. */
function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text)), QUIET_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
