import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { decideSyncMatch, listSyncMatches, type SyncMatch } from '#shared/contract/sync-matches.ts'
import { call } from '../../platform/api.ts'
import { failureText } from '../../platform/failure-text.ts'
import { notify } from '../../platform/notices.ts'
import { RadioCards } from '../../ui/RadioCards.tsx'
import { restoreFocus } from '../../ui/restore-focus.ts'
import { FailedBlock } from '../../ui/StateBlock.tsx'
import { refreshSyncs, SYNCS_KEY } from './sync-queries.ts'

const PAGE = 20

type QueueProps = {
  syncId: string
  /** The newest run and its state: when it has planned, the queue may be another one. */
  run: string
}

/** People whom the sync can't match by itself, each beside the candidates. */
export function MatchQueue({ syncId, run }: QueueProps) {
  const { t, i18n } = useTranslation()
  const [after, setAfter] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: [SYNCS_KEY, 'matches', syncId, run, after, i18n.language],
    queryFn: ({ signal }) => call(listSyncMatches, { query: { syncId, after } }, { signal }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <FailedBlock error={error} onRetry={() => void refetch()} />
  if (!data || (data.records.length === 0 && after === '')) return null
  return (
    <section className="card sync-matches" aria-labelledby="sync-matches">
      <h2 id="sync-matches">
        {t('sync-match.title')} {data.open > 0 && `(${data.open})`}
      </h2>
      <p className="muted">{t('sync-match.explain')}</p>
      {data.records.length === 0 && <p>{t('sync-match.none')}</p>}
      <ul>
        {data.records.map((match) => (
          <Match key={match.externalId} syncId={syncId} match={match} />
        ))}
      </ul>
      <div className="sync-verbs">
        {after !== '' && (
          <button type="button" className="button" onClick={() => setAfter('')}>
            {t('sync-match.first')}
          </button>
        )}
        {data.records.length === PAGE && (
          <button type="button" className="button" onClick={() => setAfter(data.records.at(-1)?.externalId ?? '')}>
            {t('sync-match.more')}
          </button>
        )}
      </div>
    </section>
  )
}

type Choice = SyncMatch['choices'][number]

function Match({ syncId, match }: { syncId: string; match: SyncMatch }) {
  const { t } = useTranslation()
  const { externalId, kind, people, choices, decision, decidedBy } = match
  const [chosen, setChosen] = useState(people[0]?.id ?? '')
  const item = useRef<HTMLLIElement>(null)
  const decide = useMutation({
    mutationFn: (choice: Choice) => {
      const who = choice === 'link' || choice === 'rename' || choice === 'keep' ? { userId: chosen } : {}
      return call(decideSyncMatch, { query: { id: syncId }, body: { externalId, decision: choice, ...who } })
    },
    async onSuccess() {
      notify('well', t('sync-match.decided'))
      // The pressed button disappears, mostly without its item.
      if (item.current?.contains(document.activeElement)) restoreFocus(item.current)
      await refreshSyncs()
    },
  })
  const person = people.find(({ id }) => id === chosen)
  return (
    <li ref={item} tabIndex={-1} className="sync-match" aria-label={externalId}>
      <p>
        <strong>{externalId}</strong> {t(`sync-match.kind.${kind}`)}
      </p>
      {people.length > 1 && (
        <RadioCards
          legend={t('sync-match.who')}
          value={chosen}
          options={people.map(({ id, name, account }) => ({ value: id, label: name, text: account }))}
          onChange={setChosen}
        />
      )}
      <Comparison match={match} person={person} />
      {decision && decidedBy && (
        <p className="muted">
          {t('sync-match.decided-by', { decision: t(`sync-match.choice.${decision}`), name: decidedBy })}
        </p>
      )}
      <div className="sync-verbs">
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            className="button"
            aria-disabled={decide.isPending || undefined}
            onClick={() => !decide.isPending && decide.mutate(choice)}
          >
            {t(`sync-match.choice.${choice}`)}
          </button>
        ))}
      </div>
      {decide.error && (
        <p className="field-error" role="alert">
          {failureText(decide.error)}
        </p>
      )}
    </li>
  )
}

/** The source's person beside ours, field by field; differences are in bold. */
function Comparison({ match, person }: { match: SyncMatch; person: SyncMatch['people'][number] | undefined }) {
  const { t, i18n } = useTranslation()
  const nameOf = (field: string) =>
    i18n.exists(`import-field.${field}`) ? t(`import-field.${field}` as 'import-field.name') : field
  return (
    <div className="sync-rows sync-comparison">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('sync-match.field')}</th>
            <th scope="col">{t('sync-match.in-source')}</th>
            <th scope="col">{t('sync-match.here')}</th>
          </tr>
        </thead>
        <tbody>
          {match.source.map(({ field, value }) => {
            const here = person?.values.find((one) => one.field === field)
            return (
              <tr key={field} data-differs={here?.differs || undefined}>
                <th scope="row">{nameOf(field)}</th>
                <td>{value || '—'}</td>
                <td>{here?.value || '—'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
