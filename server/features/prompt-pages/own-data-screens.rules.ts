import { completeProfile, queryProfileCompletion } from '#shared/contract/profile.ts'
import { listMyAuthentications } from '#shared/contract/records.ts'
import { ACCOUNT, AT, answer, NAME, SUBMIT } from './sample-answers.rules.ts'

const person = { userId: '00000000-0000-7000-8000-000000000000', name: NAME, nick: null, picture: null, version: 1 }
export const profiles = {
  profile: {
    path: '/complete-profile',
    answers: [
      answer(queryProfileCompletion, {
        ...person,
        missing: [
          { field: 'nickname', expected: null },
          { field: 'gender', expected: null },
          { field: 'birthday', expected: null },
        ],
        missingCustom: [],
        leftToOthers: ['idNumber'],
        customLeftToOthers: [],
      }),
    ],
    steps: [],
    call: completeProfile,
    submit: [],
  },
  'profile-empty': {
    path: '/complete-profile',
    answers: [
      answer(queryProfileCompletion, {
        ...person,
        missing: [{ field: 'nickname', expected: null }],
        missingCustom: [],
        leftToOthers: [],
        customLeftToOthers: [],
      }),
    ],
    steps: [SUBMIT],
  },
}

/** The user's login records, with one refused login for each of these reasons. */
export const records = (reasons: readonly string[]) => ({
  path: '/certification-record/account',
  answers: [
    answer(listMyAuthentications, {
      total: reasons.length,
      records: reasons.map((reason, at) => ({
        id: `00000000-0000-7000-8000-0000000000${10 + at}`,
        loginTime: AT,
        logoutTime: null,
        account: ACCOUNT,
        authType: 'user',
        provider: null,
        succeeded: false,
        reason,
        browser: 'Chrome',
        device: 'Windows',
        clientType: 'pc' as const,
        ip: '192.0.2.10',
        onCampus: false,
        ipRange: null,
        application: null,
        unusual: false,
        current: false,
      })),
    }),
  ],
  steps: [],
})
