import { useEffect, useState } from 'react'
import Cropper from 'react-easy-crop'
import { LeaveButton } from '../../ui/LeaveButton.tsx'
import 'react-easy-crop/react-easy-crop.css'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../platform/refusal.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { CropButtons } from './CropButtons.tsx'
import { type CropArea, cropPicture } from './crop-picture.ts'

const MAX_ZOOM = 4
const ZOOM_STEP = 0.1
/** CSS pixels that one press moves the picture by. */
const STEP = 12

type Props = { file: File; onUse: (picture: Blob) => Promise<void>; onClose: () => void }

/** Selects the square of a picture: by dragging, by arrow keys, or by buttons. */
export function AvatarCropDialog({ file, onUse, onClose }: Props) {
  const { t } = useTranslation()
  const address = useObjectUrl(file)
  const [area, setArea] = useState<CropArea | null>(null)
  const [state, setState] = useState<{ busy: boolean; error?: string }>({ busy: false })
  const use = async () => {
    if (!address || !area || state.busy) return
    setState({ busy: true })
    try {
      await onUse(await cropPicture(address, area, file.type === 'image/png' ? 'image/png' : 'image/jpeg'))
    } catch (error) {
      const message = error instanceof Refusal ? error.message : t('personal-data.avatar.unreadable')
      setState({ busy: false, error: message })
    }
  }
  const unreadable = () => setState({ busy: false, error: t('personal-data.avatar.unreadable') })
  return (
    <Dialog
      title={t('personal-data.avatar.crop')}
      onClose={onClose}
      actions={
        <>
          <LeaveButton onLeave={onClose} />
          <button
            type="button"
            className="button button-primary"
            aria-disabled={state.busy || !area}
            onClick={() => void use()}
          >
            {t('personal-data.avatar.use')}
          </button>
        </>
      }
    >
      <p className="muted">{t('personal-data.avatar.crop.hint')}</p>
      {address && <CropFrame address={address} onArea={setArea} onUnreadable={unreadable} />}
      {state.error && (
        <p className="field-error" role="alert">
          {state.error}
        </p>
      )}
    </Dialog>
  )
}

type FrameProps = { address: string; onArea: (area: CropArea) => void; onUnreadable: () => void }

function CropFrame({ address, onArea, onUnreadable }: FrameProps) {
  const { t } = useTranslation()
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [media, setMedia] = useState(NOTHING)
  const [frame, setFrame] = useState(NOTHING)
  const move = (x: number, y: number) =>
    setCrop((before) => within(media, frame, zoom, { x: before.x + x * STEP, y: before.y + y * STEP }))
  return (
    <>
      <div className="crop-frame">
        <Cropper
          image={address}
          crop={crop}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={1}
          cropShape="round"
          showGrid={false}
          keyboardStep={STEP}
          disableAutomaticStylesInjection
          cropperProps={{ role: 'application', 'aria-label': t('personal-data.avatar.crop.area') }}
          mediaProps={{ alt: '', onError: onUnreadable }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onMediaLoaded={setMedia}
          onCropSizeChange={setFrame}
          onCropAreaChange={(_, pixels) => onArea(pixels)}
        />
      </div>
      <CropButtons onMove={move} />
      <label className="crop-zoom">
        <span>{t('personal-data.avatar.zoom')}</span>
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={ZOOM_STEP}
          value={zoom}
          aria-valuetext={`${Math.round(zoom * 100)} %`}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
        <span className="tabular">{Math.round(zoom * 100)} %</span>
      </label>
    </>
  )
}

type Point = { x: number; y: number }
type Size = { width: number; height: number }
const NOTHING: Size = { width: 0, height: 0 }

/** Keeps the frame filled with the picture. */
function within(media: Size, frame: Size, zoom: number, { x, y }: Point): Point {
  const clampOffset = (value: number, picture: number, hole: number) => {
    const most = Math.max(0, (picture * zoom - hole) / 2)
    return Math.min(most, Math.max(-most, value))
  }
  return { x: clampOffset(x, media.width, frame.width), y: clampOffset(y, media.height, frame.height) }
}

/** An object URL of a file, revoked when the dialog closes. */
function useObjectUrl(file: File): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
