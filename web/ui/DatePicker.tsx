import {
  type CalendarDate,
  getLocalTimeZone,
  parseAbsolute,
  parseDate,
  today,
  toZoned,
  type ZonedDateTime,
} from '@internationalized/date'
import { type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react'
import {
  DatePicker as AriaDatePicker,
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarStateContext,
  DateFieldStateContext,
  DateInput,
  DatePickerStateContext,
  DateSegment,
  type DateSegmentProps,
  Dialog,
  Group,
  Heading,
} from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { AriaProvider } from './AriaProvider.tsx'
import type { DatePickerProps } from './date-picker.types.ts'
import { FieldPopover } from './FieldPopover.tsx'
import { useFixedReason } from './fixed-field.ts'
import { Icon } from './Icon.tsx'
import './date-picker.css'

/** Null for an invalid date: an address may contain anything. */
function parse(value: string | null | undefined, hasTime: boolean): CalendarDate | ZonedDateTime | null {
  if (!value) return null
  try {
    return hasTime ? parseAbsolute(value, getLocalTimeZone()) : parseDate(value)
  } catch {
    return null
  }
}

const format = (value: CalendarDate | ZonedDateTime): string =>
  'timeZone' in value ? value.toAbsoluteString() : value.toString()

type Props = DatePickerProps & {
  /** What stood here until it was loaded had the focus. */
  wasFocused: RefObject<boolean>
}

/** A date, or a date and time in the person's zone: typed part by part, or chosen in a calendar. */
export function DatePicker({ value, onChange, hasTime = false, min, max, label, aria, wasFocused }: Props) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (wasFocused.current) root.current?.querySelector<HTMLElement>('[role=spinbutton]')?.focus()
  }, [wasFocused])
  const { t } = useTranslation()
  const zone = getLocalTimeZone()
  const described = aria?.['aria-describedby']
  const isFixed = useFixedReason() !== undefined
  return (
    <AriaProvider>
      <AriaDatePicker<CalendarDate | ZonedDateTime>
        ref={root}
        className="date-picker"
        {...(aria && { id: aria.id, 'aria-labelledby': aria['aria-labelledby'] ?? '' })}
        {...(described && { 'aria-describedby': described })}
        {...(label !== undefined && { 'aria-label': label })}
        granularity={hasTime ? 'minute' : 'day'}
        hourCycle={24}
        hideTimeZone
        shouldForceLeadingZeros
        validationBehavior="aria"
        isReadOnly={isFixed}
        isInvalid={aria?.['aria-invalid'] ?? false}
        placeholderValue={hasTime ? toZoned(today(zone), zone) : today(zone)}
        value={parse(value, hasTime)}
        minValue={parse(min, hasTime)}
        maxValue={parse(max, hasTime)}
        onChange={(next) => onChange(next && format(next))}
      >
        <Group className={isFixed ? 'input date-group date-fixed' : 'input date-group'}>
          <DateInput className="date-input">{(segment) => <Part segment={segment} />}</DateInput>
          <Button className="date-open">
            <Icon name="calendar" />
          </Button>
        </Group>
        <FieldPopover root={root}>
          <Dialog className="date-dialog">
            <Calendar className="calendar">
              <header>
                <YearStep by={-1} label={t('date.year-before')}>
                  «
                </YearStep>
                <Button slot="previous" className="calendar-step" aria-label={t('date.month-before')}>
                  ‹
                </Button>
                <Heading className="calendar-heading" />
                <Button slot="next" className="calendar-step" aria-label={t('date.month-after')}>
                  ›
                </Button>
                <YearStep by={1} label={t('date.year-after')}>
                  »
                </YearStep>
              </header>
              <CalendarGrid weekdayStyle="short">
                <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
                <CalendarGridBody>{(date) => <CalendarCell date={date} className="calendar-day" />}</CalendarGridBody>
              </CalendarGrid>
            </Calendar>
            <Clear />
          </Dialog>
        </FieldPopover>
      </AriaDatePicker>
    </AriaProvider>
  )
}

/** Part of a date. One that is empty beside others that are not is marked: the date has no value, and a form waits for it. */
function Part({ segment }: Pick<DateSegmentProps, 'segment'>) {
  const parts = useContext(DateFieldStateContext)?.segments ?? []
  const isMissing = segment.isPlaceholder && parts.some((one) => one.isEditable && !one.isPlaceholder)
  return <DateSegment segment={segment} className="date-segment" data-missing={isMissing || undefined} />
}

type YearStepProps = { by: -1 | 1; label: string; children: ReactNode }

/** For birthdays, which are years away. */
function YearStep({ by, label, children }: YearStepProps) {
  const state = useContext(CalendarStateContext)
  return (
    <Button
      // Not one of the calendar's own two.
      slot={null}
      className="calendar-step"
      aria-label={label}
      onPress={() => (by < 0 ? state?.focusPreviousSection(true) : state?.focusNextSection(true))}
    >
      {children}
    </Button>
  )
}

function Clear() {
  const { t } = useTranslation()
  const state = useContext(DatePickerStateContext)
  if (!state?.value) return null
  return (
    <Button
      slot={null}
      className="button button-quiet"
      onPress={() => {
        state.setValue(null)
        state.setOpen(false)
      }}
    >
      {t('date.clear')}
    </Button>
  )
}
