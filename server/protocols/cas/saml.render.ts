import { randomToken } from '../../platform/crypto.ts'
import { escapeXml } from './cas-response.render.ts'
import type { ValidationSuccess } from './validate.service.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'
const PROTOCOL = 'urn:oasis:names:tc:SAML:1.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:1.0:assertion'
const SCHEMA = 'http://www.w3.org/2001/XMLSchema'
const ATTRIBUTE_NAMESPACE = 'http://www.ja-sig.org/products/cas/'
/** Clients compare with their own clock, and many tolerate only one second. */
const SKEW_MS = 5_000
const VALID_MS = 30_000

type SamlFrame = { at: Date; requestId: string; recipient: string }

const id = () => `_${randomToken(32)}`
const attribute = (name: string, value: string) => ` ${name}="${escapeXml(value)}"`

function renderEnvelope({ at, requestId, recipient }: SamlFrame, body: string): string {
  const answers = requestId ? attribute('InResponseTo', requestId) : ''
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<SOAP-ENV:Envelope xmlns:SOAP-ENV="${SOAP}"><SOAP-ENV:Header/><SOAP-ENV:Body>` +
    `<saml1p:Response xmlns:saml1p="${PROTOCOL}" xmlns:samlp="${PROTOCOL}" xmlns:saml1="${ASSERTION}"${answers} ` +
    `IssueInstant="${at.toISOString()}" MajorVersion="1" MinorVersion="1"${attribute('Recipient', recipient)} ResponseID="${id()}">` +
    `${body}</saml1p:Response></SOAP-ENV:Body></SOAP-ENV:Envelope>\n`
  )
}

export function samlFailure(frame: SamlFrame, text: string): string {
  return renderEnvelope(
    frame,
    `<saml1p:Status><saml1p:StatusCode Value="samlp:RequestDenied"/>` +
      `<saml1p:StatusMessage>${escapeXml(text)}</saml1p:StatusMessage></saml1p:Status>`,
  )
}

export function samlSuccess(frame: SamlFrame, success: ValidationSuccess, issuer: string): string {
  const { at, recipient } = frame
  const from = new Date(at.getTime() - SKEW_MS).toISOString()
  const until = new Date(at.getTime() + VALID_MS).toISOString()
  const subject =
    `<saml1:Subject><saml1:NameIdentifier>${escapeXml(success.user)}</saml1:NameIdentifier><saml1:SubjectConfirmation>` +
    '<saml1:ConfirmationMethod>urn:oasis:names:tc:SAML:1.0:cm:artifact</saml1:ConfirmationMethod>' +
    '</saml1:SubjectConfirmation></saml1:Subject>'
  return renderEnvelope(
    frame,
    `<saml1p:Status><saml1p:StatusCode Value="samlp:Success"/></saml1p:Status>` +
      `<saml1:Assertion xmlns:xs="${SCHEMA}" xmlns:xsi="${SCHEMA}-instance" AssertionID="${id()}" IssueInstant="${at.toISOString()}"${attribute('Issuer', issuer)} MajorVersion="1" MinorVersion="1">` +
      `<saml1:Conditions NotBefore="${from}" NotOnOrAfter="${until}"><saml1:AudienceRestrictionCondition>` +
      `<saml1:Audience>${escapeXml(recipient)}</saml1:Audience></saml1:AudienceRestrictionCondition></saml1:Conditions>` +
      `<saml1:AuthenticationStatement AuthenticationInstant="${success.authenticatedAt.toISOString()}" ` +
      `AuthenticationMethod="urn:oasis:names:tc:SAML:1.0:am:password">${subject}</saml1:AuthenticationStatement>` +
      `<saml1:AttributeStatement>${subject}${renderAttributes(success)}</saml1:AttributeStatement></saml1:Assertion>`,
  )
}

function renderAttributes(success: ValidationSuccess): string {
  const own: [string, string[]][] = [
    ['longTermAuthenticationRequestTokenUsed', [String(success.remembered)]],
    ['isFromNewLogin', [String(success.fresh)]],
  ]
  return [...own, ...success.attributes]
    .map(([name, values]) => {
      const list = values
        .map((value) => `<saml1:AttributeValue xsi:type="xs:string">${escapeXml(value)}</saml1:AttributeValue>`)
        .join('')
      return `<saml1:Attribute${attribute('AttributeName', name)} AttributeNamespace="${ATTRIBUTE_NAMESPACE}">${list}</saml1:Attribute>`
    })
    .join('')
}
