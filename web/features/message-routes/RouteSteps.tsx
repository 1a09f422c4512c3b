import { useTranslation } from 'react-i18next'
import {
  CODE_PURPOSES,
  MAX_CODE_WAIT_SECONDS,
  MESSAGE_CHANNELS,
  type MessageChannel,
  type MessagePurpose,
  REQUESTED_WAIT_SECONDS,
  type StoredRoutes,
} from '#shared/contract/message-routes.ts'
import { useFieldError } from '../../ui/field-errors.ts'
import { useFixedButton } from '../../ui/fixed-field.ts'
import { Icon } from '../../ui/Icon.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { newStep, type StepDraft } from './route-values.ts'

type Props = {
  name: string
  purpose: MessagePurpose
  steps: readonly StepDraft[]
  channels: StoredRoutes['channels']
  onChange: (steps: StepDraft[]) => void
}

const isCode = (purpose: MessagePurpose): boolean => (CODE_PURPOSES as readonly string[]).includes(purpose)

/** Channels, in the order in which they are tried. */
export function RouteSteps({ name, purpose, steps, channels, onChange }: Props) {
  const { t } = useTranslation()
  const refused = useFieldError(name, steps)
  const free = MESSAGE_CHANNELS.filter((channel) => !steps.some((step) => step.channel === channel))
  const first = free[0]
  const add = useFixedButton(() => first && onChange([...steps, newStep(first)]))
  const wait = steps.slice(0, -1).reduce((sum, { seconds }) => sum + Number(seconds), 0)
  const error =
    isCode(purpose) && wait > MAX_CODE_WAIT_SECONDS
      ? t('message-route.too-long', { max: MAX_CODE_WAIT_SECONDS })
      : refused
  const replace = (at: number, step: StepDraft) => onChange(steps.map((one, index) => (index === at ? step : one)))
  const { list, notePress } = useKeptFocus<HTMLDivElement>(steps.map(({ channel }) => channel).join())
  const moveUp = (from: number) => {
    const to = from - 1
    // The first has no button to move it up.
    notePress(`${to === 0 ? 'remove' : 'up'} ${steps[from]?.channel}`)
    const next = [...steps]
    next.splice(to, 0, ...next.splice(from, 1))
    onChange(next)
  }
  const remove = (step: StepDraft) => {
    notePress('add')
    onChange(steps.filter((one) => one !== step))
  }
  return (
    <div className="message-group" ref={list}>
      {steps.length === 0 && (
        <p className="muted">{t(isCode(purpose) ? 'message-route.none.code' : 'message-route.none.notice')}</p>
      )}
      <ol className="message-steps">
        {steps.map((step, index) => (
          <RouteStepRow
            key={step.channel}
            name={`${name}.${index}`}
            step={step}
            index={index}
            isLast={index === steps.length - 1}
            choices={[step.channel, ...free]}
            isReady={channels.some(({ channel, isConfigured }) => channel === step.channel && isConfigured)}
            onChange={(next) => replace(index, next)}
            onUp={() => moveUp(index)}
            onRemove={() => remove(step)}
          />
        ))}
      </ol>
      {isCode(purpose) && steps.length > 0 && <RequestedFirst steps={steps} />}
      {error && (
        <p className="message-error" role="alert">
          {error}
        </p>
      )}
      {first && (
        <div>
          <button type="button" className="button" data-step="add" {...add}>
            <Icon name="plus" /> {t(steps.length === 0 ? 'message-route.add-first' : 'message-route.add')}
          </button>
        </div>
      )}
    </div>
  )
}

/** The channels that people request codes on. */
const REQUESTED = ['sms', 'mail'] as const

function RequestedFirst({ steps }: { steps: readonly StepDraft[] }) {
  const { t } = useTranslation()
  const missing = REQUESTED.filter((one) => !steps.some(({ channel }) => channel === one))
  if (missing.length === 0) return null
  const channels = missing.map((one) => t(`message-channel.${one}`)).join(t('list.separator'))
  return <p className="muted">{t('message-route.requested-first', { channels, seconds: REQUESTED_WAIT_SECONDS })}</p>
}

type RowProps = {
  name: string
  step: StepDraft
  index: number
  isLast: boolean
  choices: readonly MessageChannel[]
  isReady: boolean
  onChange: (step: StepDraft) => void
  onUp: () => void
  onRemove: () => void
}

function RouteStepRow({ name, step, index, isLast, choices, isReady, onChange, onUp, onRemove }: RowProps) {
  const { t } = useTranslation()
  const channel = t(`message-channel.${step.channel}`)
  const up = useFixedButton(onUp)
  const remove = useFixedButton(onRemove)
  return (
    <li className="message-step">
      <div className="message-step-fields">
        <SelectField
          label={t('message-route.channel-of', { place: index + 1 })}
          value={step.channel}
          options={choices.map((one) => ({ value: one, label: t(`message-channel.${one}`) }))}
          hint={isReady ? undefined : t('message-route.not-ready')}
          onChange={(chosen) => chosen && onChange({ ...step, channel: chosen })}
        />
        {!isLast && (
          <TextField
            name={`${name}.seconds`}
            label={t('message-route.seconds')}
            inputMode="numeric"
            maxLength={4}
            value={step.seconds}
            onChange={(seconds) => onChange({ ...step, seconds })}
          />
        )}
      </div>
      <div className="message-step-verbs">
        {index > 0 && (
          <button type="button" className="button button-quiet" data-step={`up ${step.channel}`} {...up}>
            {t('message-route.up')} <span className="visually-hidden">{channel}</span>
          </button>
        )}
        <button type="button" className="button button-quiet" data-step={`remove ${step.channel}`} {...remove}>
          {t('message-route.remove')} <span className="visually-hidden">{channel}</span>
        </button>
      </div>
    </li>
  )
}
