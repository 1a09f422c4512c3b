import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import './file-drop.css'

type Props = {
  /** What the files are. */
  label: string
  /** The instruction, in a line. */
  text: string
  /** The button's label. */
  choose: ReactNode
  /** Accepted types and sizes. */
  hint: string
  accept: string
  icon?: IconName
  multiple?: boolean
  isBusy: boolean
  onFiles: (files: File[]) => void
}

/** Files by the button, or dropped anywhere on the field. */
export function FileDrop({
  label,
  text,
  choose,
  hint,
  accept,
  icon = 'profile',
  multiple = false,
  isBusy,
  onFiles,
}: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const hintId = useId()
  const take = (files: FileList | null) => {
    // Resetting the input also empties its list.
    const chosen = [...(files ?? [])]
    if (input.current) input.current.value = ''
    if (chosen.length > 0 && !isBusy) onFiles(multiple ? chosen : chosen.slice(0, 1))
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the one for everybody.
    <div
      className={isOver ? 'file-drop file-drop-over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Icon name={icon} />
      <p>{text}</p>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        aria-label={label}
        onChange={(event) => take(event.target.files)}
      />
      <button
        type="button"
        className="button button-primary"
        aria-describedby={hintId}
        // Not `disabled`, which would lose the focus with each file.
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && input.current?.click()}
      >
        {choose}
      </button>
      <p className="muted" id={hintId}>
        {hint}
      </p>
    </div>
  )
}
