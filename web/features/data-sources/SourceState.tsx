import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataSource } from '#shared/contract/data-sources.ts'
import { StateWord, type Tone } from '../../ui/StateWord.tsx'

/** What other features contribute to a source's page. */
export type SourceSlots = { history: (id: string) => ReactNode }

const TONES: Readonly<Record<DataSource['state'], Tone>> = { ok: 'well', failing: 'danger', untested: 'quiet' }

export function SourceState({ state }: Pick<DataSource, 'state'>) {
  const { t } = useTranslation()
  return <StateWord tone={TONES[state]}>{t(`data-source.state.${state}`)}</StateWord>
}

/** The address of a source, in one line. */
export function sourceAddress({ kind, host, port, database, user, file, options }: DataSource): string {
  if (kind === 'csv-upload') return file?.name ?? ''
  if (kind === 'csv-sftp') return `${host}${port ? `:${port}` : ''} ${options.path}`
  if (kind === 'wecom' || kind === 'dingtalk') return `${user} ${options.url}`
  return kind === 'rest' || kind === 'scim' ? options.url : `${host}${port ? `:${port}` : ''}/${database}`
}
