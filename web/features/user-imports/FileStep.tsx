import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { importTemplate, MAX_IMPORT_BYTES, uploadImport } from '#shared/contract/user-imports.ts'
import { download } from '../../platform/download.ts'
import { failureText } from '../../platform/failure-text.ts'
import { notifyFailure } from '../../platform/notify-failure.ts'
import { Refusal } from '../../platform/refusal.ts'
import { upload } from '../../platform/upload.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { MenuButton } from '../../ui/MenuButton.tsx'
import { StepHeading } from './StepHeading.tsx'
import { cacheRun } from './use-import-run.ts'

const MEGABYTES = MAX_IMPORT_BYTES / 1024 / 1024

/** Chooses the file. */
export function FileStep({ onRun }: { onRun: (id: string) => void }) {
  const { t, i18n } = useTranslation()
  const send = useMutation({
    mutationFn: (file: File) => {
      if (file.size > MAX_IMPORT_BYTES) throw new Refusal(413, 'import.too-large', t('errors.import.too-large'))
      return upload(uploadImport, { fileName: file.name.slice(-200) }, file)
    },
    onSuccess: async (run) => {
      await cacheRun(run, i18n.language)
      onRun(run.id)
    },
  })
  const message = failureText(send.error)
  return (
    <>
      <StepHeading>{t('import.step.file')}</StepHeading>
      <FileDrop
        label={t('import.choose')}
        text={t('import.drop')}
        choose={send.isPending ? t('import.reading') : t('import.choose')}
        hint={t('import.limits', { size: MEGABYTES })}
        accept=".xlsx,.csv,.txt,text/csv"
        isBusy={send.isPending}
        onFiles={([file]) => file && send.mutate(file)}
      />
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
    download(importTemplate, { format }, `${t('import.template')}.${format}`).catch(notifyFailure)
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
