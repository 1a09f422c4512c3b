import {
  type Application,
  type PersonAttributes,
  type ReleasePreview,
  releasedAttributes,
  userNameFor,
} from '../../features/applications/index.ts'
import { successJson, successXml } from './cas-response.render.ts'

/** What the validation of a ticket would answer to a CAS application about a person, by the code that answers it. */
export function casRelease(application: Application, person: PersonAttributes, at: Date): ReleasePreview {
  const user = userNameFor(application.userAttribute, person)
  if (user === null) return { userName: null, answers: [] }
  const success = {
    user,
    attributes: releasedAttributes(application.attributes, person),
    authenticatedAt: at,
    remembered: false,
    fresh: true,
    proxies: [],
    pgtIou: null,
  }
  return {
    userName: user,
    answers: [
      { name: 'cas-xml', text: successXml(success, true) },
      { name: 'cas-json', text: JSON.stringify({ serviceResponse: successJson(success, true) }, null, 2) },
    ],
  }
}
