import { type ReactNode, useEffect, useRef } from 'react'

let previousText: string | null = null

/** The title of a step; takes the focus when the step changes, so that screen readers announce it. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const text = heading.current?.textContent ?? ''
    if (previousText !== null && previousText !== text) heading.current?.focus()
    previousText = text
  })
  // Returning to the page later is not a change of step.
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
