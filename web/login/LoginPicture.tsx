import { useLight } from './light-page.tsx'
import { pictureMarkup } from './picture.ts'

/** The institution's logo and name over the picture; on a phone the picture is a band. */
export function LoginPicture() {
  const { surroundings, t } = useLight()
  const { school, setup } = surroundings
  return (
    <header className="scene">
      <div
        className="drawing"
        aria-hidden="true"
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, from a file of this folder.
        dangerouslySetInnerHTML={{ __html: pictureMarkup }}
      />
      {setup.blocks.includes('brand') && (
        <div className="brand">
          {school.logo ? <img src={school.logo} alt="" /> : <Mark />}
          <span>{school.schoolName}</span>
        </div>
      )}
      {setup.slogan && (
        <div className="slogan">
          <strong>{t('light.tagline')}</strong>
          {t('light.about')}
        </div>
      )}
    </header>
  )
}

const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path fill="currentColor" d="M4 29V16a12 12 0 0 1 24 0v13h-7V16a5 5 0 0 0-10 0v13z" />
    <path className="path" d="M14.9 18h2.2l1.4 11h-5z" />
  </svg>
)
