import { DateField, type DateFieldProps } from './DateField.tsx'

/** A date and time in the person's zone; the call gets a UTC time. */
export const DateTimeField = (props: Omit<DateFieldProps, 'hasTime'>) => <DateField {...props} hasTime />
