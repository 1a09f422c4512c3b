import { expect, test } from 'vitest'
import { typedSecret } from './typed-secret.ts'

test.each([
  ['typed behind the stars', '******a', 'a'],
  ['typed before them', 'a******', 'a'],
  ['typed between them', '***a***', 'a'],
  ['pasted behind them', '******s3cr*t', 's3cr*t'],
  ['pasted over them', '*s3cret*', '*s3cret*'],
  ['one star deleted', '*****', ''],
  ['all deleted', '', ''],
  ['stars typed', '*******', '*'],
  ['nothing typed', '******', '******'],
])('the stored secret is replaced as a whole: %s', (_, next, kept) => expect(typedSecret('******', next)).toBe(kept))

test('what somebody types themselves stays', () => expect(typedSecret('***', '**')).toBe('**'))
