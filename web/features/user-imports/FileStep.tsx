import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IMPORT_BYTES, importTemplate, uploadImport } from '#shared/contract/user-imports.ts'
import { download } from '../../platform/download.ts'
import { notify } from '../../platform/notices.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
import { upload } from '../../platform/upload.ts'
import { Icon } from '../../ui/Icon.tsx'
import { MenuButton } from '../../ui/MenuButton.tsx'
import { StepHeading } from './StepHeading.tsx'
import { keepRun } from './use-import-run.ts'

const MEGABYTES = IMPORT_BYTES / 1024 / 1024

/** Chooses the file: by the button, or dropped anywhere on the field. */
export function FileStep({ onRun }: { onRun: (id: string) => void }) {
  const { t, i18n } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const hint = useId()
  const send = useMutation({
    mutationFn: (file: File) => {
      if (file.size > IMPORT_BYTES) throw new Refusal(413, 'import.too-large', t('errors.import.too-large'))
      return upload(uploadImport, { fileName: file.name.slice(-200) }, file)
    },
    onSuccess: async (run) => {
      await keepRun(run, i18n.language)
      onRun(run.id)
    },
  })
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file && !send.isPending) send.mutate(file)
    if (input.current) input.current.value = ''
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  const message = isRefusal(send.error) ? send.error.message : t('network.unreachable')
  return (
    <>
      <StepHeading>{t('import.step.file')}</StepHeading>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the one for everybody. */}
      <div
        className={isOver ? 'import-drop import-drop-over' : 'import-drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Icon name="profile" />
        <p>{t('import.drop')}</p>
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx,.csv,.txt,text/csv"
          aria-label={t('import.choose')}
          onChange={(event) => take(event.target.files)}
        />
        <button
          type="button"
          className="button button-primary"
          aria-describedby={hint}
          disabled={send.isPending}
          onClick={() => input.current?.click()}
        >
          {send.isPending ? t('import.reading') : t('import.choose')}
        </button>
        <p className="muted" id={hint}>
          {t('import.limits', { size: MEGABYTES })}
        </p>
      </div>
      {send.isError && (
        <p className="field-error" role="alert">
          {message}
        </p>
      )}
      <TemplateLine />
    </>
  )
}

function TemplateLine() {
  const { t } = useTranslation()
  const save = (format: 'csv' | 'xlsx') =>
    download(importTemplate, { format }, `${t('import.template')}.${format}`).catch((error: unknown) =>
      notify('danger', isRefusal(error) ? error.message : t('network.unreachable')),
    )
  return (
    <div className="import-template">
      <p>{t('import.template.explain')}</p>
      <MenuButton
        label={t('import.template')}
        entries={[
          { label: t('list.export.xlsx'), onSelect: () => void save('xlsx') },
          { label: t('list.export.csv'), onSelect: () => void save('csv') },
        ]}
      >
        <Icon name="download" />
        {t('import.template')}
      </MenuButton>
    </div>
  )
}
