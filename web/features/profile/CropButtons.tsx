import { useTranslation } from 'react-i18next'

const MOVES = [
  { name: 'left', x: -1, y: 0, path: 'M14 6l-6 6 6 6' },
  { name: 'up', x: 0, y: -1, path: 'M6 14l6-6 6 6' },
  { name: 'down', x: 0, y: 1, path: 'M6 10l6 6 6-6' },
  { name: 'right', x: 1, y: 0, path: 'M10 6l6 6-6 6' },
] as const

/** Moves the picture without dragging. */
export function CropButtons({ onMove }: { onMove: (x: number, y: number) => void }) {
  const { t } = useTranslation()
  return (
    <fieldset className="crop-buttons">
      <legend className="visually-hidden">{t('personal-data.avatar.move')}</legend>
      {MOVES.map(({ name, x, y, path }) => (
        <button
          key={name}
          type="button"
          className="button"
          aria-label={t(`personal-data.avatar.move.${name}`)}
          title={t(`personal-data.avatar.move.${name}`)}
          onClick={() => onMove(x, y)}
        >
          <svg
            className="icon"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            aria-hidden="true"
          >
            <path d={path} />
          </svg>
        </button>
      ))}
    </fieldset>
  )
}
