import { useTranslation } from 'react-i18next'
import type { Theme } from '#shared/contract/themes.ts'
import type { ThemeWindow } from '#shared/rules/theme-schedule.ts'
import { DateField } from '../../ui/DateField.tsx'
import { useFixedButton } from '../../ui/fixed-field.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'

/** In the list of themes: the default theme. */
const USUAL = 'usual'
const PRIORITIES = Array.from({ length: 10 }, (_, priority) => String(priority))

type Props = {
  at: number
  window: ThemeWindow
  themes: readonly Theme[]
  onChange: (part: Partial<ThemeWindow>) => void
  onRemove: () => void
}

/** A period with another look. */
export function ScheduleWindow({ at, window, themes, onChange, onRemove }: Props) {
  const { t } = useTranslation()
  const nameOf = (field: keyof ThemeWindow) => `changes.schedule.${at}.${field}`
  const removal = useFixedButton(onRemove)
  const choices = themes.flatMap(({ id, shownName, design }) => (design ? [{ value: id, label: shownName }] : []))
  return (
    <fieldset className="theme-window" aria-label={window.name || t('login-topic.window', { number: at + 1 })}>
      <TextField
        label={t('login-topic.window-name')}
        name={nameOf('name')}
        value={window.name}
        maxLength={60}
        onChange={(name) => onChange({ name })}
      />
      <SelectField
        label={t('login-topic.window-theme')}
        name={nameOf('theme')}
        value={window.theme ?? USUAL}
        options={[{ value: USUAL, label: t('login-topic.window-usual') }, ...choices]}
        onChange={(chosen) => onChange({ theme: chosen === USUAL ? null : (chosen ?? null) })}
      />
      <div className="theme-window-row">
        <DateField
          label={t('login-topic.window-from')}
          name={nameOf('from')}
          value={window.from}
          onChange={(from) => from && onChange({ from, ...(from > window.until && { until: from }) })}
        />
        <DateField
          label={t('login-topic.window-until')}
          name={nameOf('until')}
          value={window.until}
          onChange={(until) => until && onChange({ until })}
        />
      </div>
      <Switch
        label={t('login-topic.window-yearly')}
        checked={window.yearly}
        onChange={(yearly) => onChange({ yearly })}
      />
      <Switch label={t('login-topic.window-grey')} checked={window.grey} onChange={(grey) => onChange({ grey })} />
      <SelectField
        label={t('login-topic.window-priority')}
        name={nameOf('priority')}
        hint={t('login-topic.window-priority-hint')}
        value={String(window.priority)}
        options={PRIORITIES.map((value) => ({ value, label: value }))}
        onChange={(chosen) => onChange({ priority: Number(chosen) })}
      />
      <button
        type="button"
        className="button button-quiet"
        aria-label={t('login-topic.window-remove-one', { number: at + 1 })}
        {...removal}
      >
        {t('login-topic.window-remove')}
      </button>
    </fieldset>
  )
}
