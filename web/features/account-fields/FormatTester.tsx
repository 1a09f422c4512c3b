import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountField } from '#shared/contract/account-fields.ts'
import type { FieldFormat } from '#shared/contract/field-rules.ts'
import { type CUSTOM_TEXT, testFieldFormat } from '#shared/contract/field-values.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { Icon } from '../../ui/Icon.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useDebounced } from '../../ui/use-option-search.ts'

type Props = { field: AccountField | typeof CUSTOM_TEXT; format: FieldFormat }

/** Tests whether a value matches a format, saved or not; the value is not stored. */
export function FormatTester({ field, format }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  // As it is: a full-width digit is another character to most formats.
  const asked = useDebounced(typed === '' ? '' : JSON.stringify({ field, format, value: typed }))
  const { data, error } = useQuery({
    queryKey: ['format-test', asked],
    queryFn: ({ signal }) => call(testFieldFormat, { body: JSON.parse(asked) }, { signal, background: true }),
    enabled: typed !== '' && asked !== '',
    // The test value may be personal: drop it with the field.
    gcTime: 0,
    retry: false,
  })
  const isFit = data?.reason === null
  const isChanged = isFit && data.kept !== typed
  return (
    <div className="format-test">
      <TextField
        label={t('format-test.value')}
        hint={t('format-test.text')}
        value={typed}
        maxLength={2000}
        isOptional
        onChange={setTyped}
      />
      <p role="status" className={isFit ? 'format-test-fit' : 'format-test-unfit'}>
        {typed !== '' && error && <span>{failureText(error)}</span>}
        {typed !== '' && data && (
          <>
            <Icon name={isFit ? 'check' : 'close'} />{' '}
            <span>{isFit ? t('format-test.fits') : t('format-test.fails', { reason: data.reason })}</span>{' '}
            {isChanged && <span className="muted">{t('format-test.kept', { value: data.kept })}</span>}
          </>
        )}
      </p>
    </div>
  )
}
