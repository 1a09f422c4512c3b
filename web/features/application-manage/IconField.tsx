import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { uploadApplicationIcon } from '#shared/contract/application-manage.ts'
import { failureText } from '../../platform/failure-text.ts'
import { upload } from '../../platform/upload.ts'
import { AppIcon } from '../../ui/AppIcon.tsx'

export type Icon = { id: string; url: string }

type Props = {
  app: { appId: string; name: string; picture: string | null }
  /** Null: the letter is shown. */
  onChange: (icon: Icon | null) => void
}

/** The icon of an application: a picture, or the first letter of its name. */
export function IconField({ app, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [state, setState] = useState<{ busy: boolean; error?: string }>({ busy: false })
  const choose = async (file: File | undefined) => {
    if (!file) return
    setState({ busy: true })
    try {
      onChange(await upload(uploadApplicationIcon, {}, file))
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, error: failureText(error) })
    }
  }
  return (
    <div className="icon-field">
      <AppIcon app={app} />
      <div className="icon-choices">
        <span className="file-field">
          <input
            id={id}
            type="file"
            className="visually-hidden"
            accept="image/png,image/jpeg,image/webp"
            aria-describedby={`${id}-hint`}
            onChange={(event) => {
              void choose(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          <label htmlFor={id} className="button" aria-disabled={state.busy || undefined}>
            {t('application-icon.upload')}
          </label>
        </span>
        {app.picture && (
          <button type="button" className="button button-quiet" onClick={() => onChange(null)}>
            {t('application-icon.remove')}
          </button>
        )}
        <span className="muted icon-hint" id={`${id}-hint`}>
          {app.picture
            ? t('application-icon.hint')
            : t('application-icon.generated-hint', { hint: t('application-icon.hint') })}
        </span>
        {state.error && (
          <span className="field-error" role="alert">
            {state.error}
          </span>
        )}
      </div>
    </div>
  )
}
