import { type ReactNode, useEffect, useRef } from 'react'

let previousText: string | null = null

/** The title of a step; when one follows another the focus goes to it, so that people hear where they are. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const text = heading.current?.textContent ?? ''
    if (previousText !== null && previousText !== text) heading.current?.focus()
    previousText = text
  })
  // Coming back to the page later is no step.
  useEffect(
    () => () => {
      const mine = heading.current
      setTimeout(() => {
        if (mine && !document.querySelector('.import-heading')) previousText = null
      })
    },
    [],
  )
  return (
    <h2 className="import-heading" tabIndex={-1} ref={heading}>
      {children}
    </h2>
  )
}
