import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { organizationDetails } from '#shared/contract/organizations.ts'
import { OrganizationTree } from '../features/organizations/OrganizationTree.tsx'
import { call } from '../platform/api.ts'
import { Drawer } from '../ui/Drawer.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useValues } from '../ui/list-state.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import './organization-page.css'

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The organisations, and beside them the people of the one that is chosen; on a phone the tree comes out of a drawer. */
export function OrganizationPage() {
  const { t, i18n } = useTranslation()
  const [values, setValues] = useValues('address')
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  const id = ID.test(values['organization'] ?? '') ? (values['organization'] ?? null) : null
  const { data: chosen } = useQuery({
    queryKey: ['organizations', 'details', id, i18n.language],
    queryFn: ({ signal }) => call(organizationDetails, { query: { id: id ?? '' } }, { signal }),
    enabled: id !== null,
  })
  const name = id && chosen ? (chosen.names[i18n.language as keyof typeof chosen.names] ?? chosen.name) : null
  const choose = (next: string | null) => {
    setOpen(false)
    setValues({ organization: next ?? undefined, pageIndex: undefined })
  }
  const tree = <OrganizationTree value={id} onChange={choose} />
  return (
    <div className="organization-page">
      {isNarrow ? (
        <button type="button" className="button organization-open" onClick={() => setOpen(true)}>
          <Icon name="cluster" />
          <span>{name ?? t('organization.everybody')}</span>
          <Icon name="down" />
        </button>
      ) : (
        <aside className="card organization-side">{tree}</aside>
      )}
      {isNarrow && isOpen && (
        <Drawer title={t('organization.tree')} onClose={() => setOpen(false)}>
          {tree}
        </Drawer>
      )}
      <section className="card organization-people">
        <PageTitle>{name ?? t('organization.title')}</PageTitle>
      </section>
    </div>
  )
}
