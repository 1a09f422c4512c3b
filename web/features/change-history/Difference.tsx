import type { ComponentProps } from 'react'
import type { Change } from '#shared/contract/change-history.ts'
import { DiffView } from '../../ui/DiffView.tsx'
import { absentLabel, changeTexts, comparable } from './change-text.ts'

type Props = { change: Change; titles?: NonNullable<ComponentProps<typeof DiffView>['titles']> }

/** The differences between the two states of a change, in words. */
export function Difference({ change, titles }: Props) {
  const compared = comparable(change)
  return (
    <DiffView
      before={compared.before}
      after={compared.after}
      raw={change}
      {...changeTexts(compared)}
      {...absentLabel(change)}
      {...(titles && { titles })}
    />
  )
}
