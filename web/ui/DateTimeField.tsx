import { DateField, type DateFieldProps } from './DateField.tsx'

/** A day and a time, in the person's own zone; the call gets a moment. */
export const DateTimeField = (props: Omit<DateFieldProps, 'hasTime'>) => <DateField {...props} hasTime />
