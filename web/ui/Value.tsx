import type { ReactNode } from 'react'

/** A value beside its label: between words that are written from right to left, a number such as `138****0000` keeps its order. */
export const Value = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? <bdi>{children}</bdi> : children
