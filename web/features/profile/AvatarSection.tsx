import { Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { uploadFile } from '#shared/contract/files.ts'
import { changeAvatar, type PersonalData } from '#shared/contract/profile.ts'
import { AVATAR, pictureKind } from '#shared/rules/picture-kind.ts'
import { call } from '../../platform/api.ts'
import { lazyPart } from '../../platform/lazy-part.ts'
import { updateUser } from '../../platform/session.ts'
import { upload } from '../../platform/upload.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { tellingConflict } from '../../ui/use-seen-version.ts'
import { useSave } from './use-personal-data.ts'

const AvatarCropDialog = lazyPart(() => import('./AvatarCropDialog.tsx'), 'AvatarCropDialog')

type FileProblem = 'too-large' | 'wrong-kind'

/** Checked before sending, by the server's rule. */
async function problemOf(file: File): Promise<FileProblem | null> {
  if (file.size > AVATAR.mostBytes) return 'too-large'
  const kind = pictureKind(new Uint8Array(await file.slice(0, 16).arrayBuffer()))
  return AVATAR.kinds.some((one) => one === kind) ? null : 'wrong-kind'
}

type Props = {
  person: Pick<PersonalData, 'userId' | 'name' | 'nick' | 'picture' | 'version'>
  onSaved?: () => void
}

export function AvatarSection({ person, onSaved }: Props) {
  const { t } = useTranslation()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState<FileProblem | null>(null)
  const [removing, setRemoving] = useState(false)
  const save = useSave(
    async (fileId: string | null) => {
      const body = { fileId, version: person.version }
      return await call(changeAvatar, { query: { id: person.userId }, body })
    },
    () => setFile(null),
  )
  const store = async (picture: Blob | null) => {
    const sent = picture && (await upload(uploadFile, { purpose: 'avatar' }, picture))
    // The section itself has read the version anew by then.
    const { picture: address = null } = await tellingConflict(() => save.mutateAsync(sent?.id ?? null))
    updateUser({ picture: address })
    onSaved?.()
  }
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    const found = await problemOf(chosen)
    setProblem(found)
    if (!found) setFile(chosen)
  }
  const name = person.nick || person.name
  return (
    <section className="card personal-section personal-avatar" aria-labelledby="avatar-title">
      <div className="avatar avatar-large">
        <Avatar key={person.picture} picture={person.picture} name={name} />
      </div>
      <div className="personal-avatar-choice">
        <h2 id="avatar-title">{t('personal-data.avatar')}</h2>
        <FileChoice problem={problem} hasPicture={person.picture !== null} onChoose={(chosen) => void choose(chosen)} />
        {person.picture && (
          <button type="button" className="button" onClick={() => setRemoving(true)}>
            {t('personal-data.avatar.remove')}
          </button>
        )}
      </div>
      {file && (
        <Suspense>
          <AvatarCropDialog file={file} onUse={store} onClose={() => setFile(null)} />
        </Suspense>
      )}
      {removing && (
        <ConfirmDialog
          title={t('personal-data.avatar.remove.title')}
          verb={t('personal-data.avatar.remove')}
          onConfirm={() => store(null)}
          onClose={() => setRemoving(false)}
        >
          <p>{t('personal-data.avatar.remove.text')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

type ChoiceProps = { problem: FileProblem | null; hasPicture: boolean; onChoose: (file: File | undefined) => void }

/** The accepted formats are shown above the button, not only after a refusal. */
function FileChoice({ problem, hasPicture, onChoose }: ChoiceProps) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <p className="muted" id={`${id}-hint`}>
        {t('personal-data.avatar.hint')}
      </p>
      {problem && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {t(`personal-data.avatar.${problem}`)}
        </p>
      )}
      <span className="file-field">
        <input
          ref={input}
          id={id}
          className="visually-hidden"
          type="file"
          accept=".png,.jpg,.jpeg,image/png,image/jpeg"
          aria-describedby={problem ? `${id}-hint ${id}-error` : `${id}-hint`}
          aria-invalid={problem ? true : undefined}
          onChange={(event) => {
            onChoose(event.target.files?.[0])
            // Selecting the same file again must trigger a change.
            event.target.value = ''
          }}
        />
        <label className="button" htmlFor={id}>
          {t(hasPicture ? 'personal-data.avatar.other' : 'personal-data.avatar.choose')}
        </label>
      </span>
    </>
  )
}
