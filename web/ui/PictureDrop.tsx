import { useState } from 'react'
import { uploadFile } from '#shared/contract/files.ts'
import { THEME_PICTURE } from '#shared/rules/picture-kind.ts'
import { failureText } from '../platform/failure-text.ts'
import { upload } from '../platform/upload.ts'
import { FileDrop } from './FileDrop.tsx'

type Props = {
  label: string
  text: string
  choose: string
  hint: (size: number) => string
  /** Called with the address of the upload. */
  onPicture: (url: string) => void
}

/** Uploads a large picture for the institution's pages. */
export function PictureDrop({ label, text, choose, hint, onPicture }: Props) {
  const [state, setState] = useState<{ busy: boolean; error?: string }>({ busy: false })
  const take = async ([file]: File[]) => {
    if (!file) return
    setState({ busy: true })
    try {
      const { url } = await upload(uploadFile, { purpose: 'theme' }, file)
      onPicture(url)
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, error: failureText(error) })
    }
  }
  return (
    <>
      <FileDrop
        label={label}
        text={text}
        choose={choose}
        hint={hint(THEME_PICTURE.mostBytes / 1024 / 1024)}
        icon="picture"
        accept="image/png,image/jpeg,image/webp"
        isBusy={state.busy}
        onFiles={(files) => void take(files)}
      />
      {state.error && (
        <p className="field-error" role="alert">
          {state.error}
        </p>
      )}
    </>
  )
}
