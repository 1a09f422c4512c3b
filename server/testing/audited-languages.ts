import { type Audited, of } from './audited-resource.ts'

const uyghur = { name: 'ئۇيغۇرچە', direction: 'rtl', fallback: 'en', position: 4 }

/** The calls for the institution's languages and their texts. */
export const LANGUAGE_CALLS: Readonly<Record<string, Audited>> = {
  'POST /language/{id}/list/': { leaves: 'nothing', ask: () => of({ id: 'all' }) },
  'POST /language/{id}/query/': { leaves: 'nothing', ask: () => of({ id: 'all' }) },
  'POST /language/{id}/add/': { leaves: 'after', ask: () => of({ id: 'ug' }, uyghur) },
  'POST /language/{id}/change/': {
    leaves: 'both',
    ask: async ({ make }) => {
      const { version } = await make<{ version: number }>('/language/kk/add/', uyghur)
      return of({ id: 'kk' }, { ...uyghur, name: 'Қазақ', enabled: false, version })
    },
  },
  'POST /language/{id}/delete/': {
    leaves: 'before',
    ask: async ({ make }) => {
      const { version } = await make<{ version: number }>('/language/mn/add/', uyghur)
      return of({ id: 'mn' }, { version })
    },
  },
  'POST /language/{id}/update/': {
    leaves: 'both',
    ask: ({ word: text }) => of({ id: 'en' }, { texts: [{ key: 'institution.unnamed', text, version: 0 }] }),
  },
}
