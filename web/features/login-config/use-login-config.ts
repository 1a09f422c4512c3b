import { useQuery } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type LoginConfig,
  loginConfigDetails,
  POLICY_KEYS,
  type PolicyKey,
  updateLoginConfig,
} from '#shared/contract/login-config.ts'
import type { SignInPolicy } from '#shared/contract/sign-in-policy.ts'
import { call } from '../../platform/api.ts'
import { notify } from '../../platform/notices.ts'
import { queryClient } from '../../platform/queries.ts'
import { isRefusal, Refusal } from '../../platform/refusal.ts'
import { isSameValue } from '../../platform/same-value.ts'
import { DEFAULTS } from './policy-values.ts'

const KEY = ['login-config']

/** Resets a key to its default, whatever that will be. */
const TO_DEFAULT = Symbol('default')
type Edits = Partial<Record<PolicyKey, unknown>>

/** All keys with their values, stored or not, and the configuration they belong to. */
export type LoadedPolicy = SignInPolicy & { config: LoginConfig }

const toLoaded = (config: LoginConfig): LoadedPolicy => ({ ...DEFAULTS, ...config.values, config })

export type LoginConfigDraft = {
  loaded: LoadedPolicy
  /** As shown on the page; a number being typed may still be a text. */
  shownValue: (key: PolicyKey) => unknown
  isDirty: (key: PolicyKey) => boolean
  isSetByFile: (key: PolicyKey) => boolean
  dirty: PolicyKey[]
  /** What a save would send. */
  unsaved: { changes: Partial<SignInPolicy>; reset: PolicyKey[] }
  change: (key: PolicyKey, value: unknown) => void
  reset: (key: PolicyKey) => void
  discard: () => void
  save: () => Promise<void>
  /** Saves a change that locks somebody out; it waits for confirmation. */
  force: () => Promise<void>
  takeTheirs: (current: LoadedPolicy) => void
  keepMine: (current: LoadedPolicy) => void
}

/** The login rules with unsaved changes. */
export function useLoginConfig() {
  const { t } = useTranslation()
  const [kept, setKept] = useState<LoginConfig | null>(null)
  const [edits, setEdits] = useState<Edits>({})
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(loginConfigDetails, {}, { signal }) })
  // While there are unsaved changes, keep the version they are based on: the server has to see it.
  const config = (Object.keys(edits).length > 0 ? kept : null) ?? query.data ?? null
  const take = (current: LoginConfig) => {
    queryClient.setQueryData(KEY, current)
    setKept(current)
  }
  return {
    draft: config && createDraft({ config, edits, setKept, setEdits, take, savedWords: t('login-config.saved') }),
    query,
  }
}

/** Other queries that a save affects: some keys are access rules, and pages follow the idle time and the password rules. */
const AFTER_SAVING = [['changes'], ['unconfirmed-changes'], ['access-rules'], ['settings'], ['password-policy']]

type Parts = {
  config: LoginConfig
  edits: Edits
  setKept: (config: LoginConfig) => void
  setEdits: Dispatch<SetStateAction<Edits>>
  take: (config: LoginConfig) => void
  savedWords: string
}

function createDraft({ config, edits, setKept, setEdits, take, savedWords }: Parts): LoginConfigDraft {
  const loaded = toLoaded(config)
  const shownValue = (key: PolicyKey) => {
    if (!Object.hasOwn(edits, key)) return loaded[key]
    return edits[key] === TO_DEFAULT ? DEFAULTS[key] : edits[key]
  }
  const isDirty = (key: PolicyKey) => !isSameValue(shownValue(key), loaded[key])
  const dirty = POLICY_KEYS.filter(isDirty)
  const edit = (key: PolicyKey, value: unknown) => {
    setKept(config)
    setEdits((before) => ({ ...before, [key]: value }))
  }
  const reset = dirty.filter((key) => edits[key] === TO_DEFAULT)
  const changed = dirty.filter((key) => edits[key] !== TO_DEFAULT)
  const changes = Object.fromEntries(changed.map((key) => [key, edits[key]]))
  const save = async (force: boolean) => {
    take(await send({ version: config.version, changes, reset, force }))
    // What was changed while it was saved is unsaved.
    setEdits((now) =>
      Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== edits[key as PolicyKey])),
    )
    notify('well', savedWords)
    await Promise.all(AFTER_SAVING.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
  return {
    loaded,
    shownValue,
    isDirty,
    isSetByFile: (key) => config.setByFile.includes(key),
    dirty,
    change: edit,
    reset: (key) => edit(key, TO_DEFAULT),
    unsaved: { changes, reset },
    discard: () => setEdits({}),
    save: () => save(false),
    force: () => save(true),
    takeTheirs: (current) => {
      take(current.config)
      setEdits({})
    },
    keepMine: (current) => take(current.config),
  }
}

type Sent = { version: number; changes: Partial<SignInPolicy>; reset: PolicyKey[]; force: boolean }

/** @throws Refusal; a conflict carries the stored values key by key, for the comparison. */
async function send(body: Sent): Promise<LoginConfig> {
  try {
    return await call(updateLoginConfig, { body })
  } catch (error) {
    if (!isRefusal(error, 'version.conflict')) throw error
    const { current } = error.data as { current: LoginConfig }
    throw new Refusal(error.state, error.code, error.message, { data: { current: toLoaded(current) } })
  }
}
