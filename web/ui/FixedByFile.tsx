import { type ReactNode, useId } from 'react'
import { FixedReason } from './fixed-field.ts'
import { SetByFile } from './SetByFile.tsx'

/** Fields of a value that the bootstrap file may set: then they can't be changed, and say why. */
export function FixedByFile({ when, children }: { when: boolean; children: ReactNode }) {
  const id = useId()
  return (
    <>
      <FixedReason value={when ? id : undefined}>{children}</FixedReason>
      {when && <SetByFile id={id} />}
    </>
  )
}
