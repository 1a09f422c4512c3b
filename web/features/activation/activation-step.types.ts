import type { Activation } from '#shared/contract/activation.ts'

export type StepProps = {
  activation: Activation
  /** Called when the step is done. */
  onTaken: () => void
  onSkip: (() => void) | undefined
  onBack: (() => void) | undefined
}
