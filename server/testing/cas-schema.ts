import { XmlDocument, XsdValidator } from 'libxml2-wasm'

/** Appendix A of the CAS Protocol Specification 3.0.3. */
const SCHEMA = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:cas="http://www.yale.edu/tp/cas"
    targetNamespace="http://www.yale.edu/tp/cas" elementFormDefault="qualified">
  <xs:element name="serviceResponse" type="cas:ServiceResponseType"/>
  <xs:complexType name="ServiceResponseType"><xs:choice>
    <xs:element name="authenticationSuccess" type="cas:AuthenticationSuccessType"/>
    <xs:element name="authenticationFailure" type="cas:FailureType"/>
    <xs:element name="proxySuccess" type="cas:ProxySuccessType"/>
    <xs:element name="proxyFailure" type="cas:FailureType"/>
  </xs:choice></xs:complexType>
  <xs:complexType name="AuthenticationSuccessType"><xs:sequence>
    <xs:element name="user" type="xs:string"/>
    <xs:element name="attributes" type="cas:AttributesType" minOccurs="0"/>
    <xs:element name="proxyGrantingTicket" type="xs:string" minOccurs="0"/>
    <xs:element name="proxies" type="cas:ProxiesType" minOccurs="0"/>
  </xs:sequence></xs:complexType>
  <xs:complexType name="ProxiesType"><xs:sequence>
    <xs:element name="proxy" type="xs:string" maxOccurs="unbounded"/>
  </xs:sequence></xs:complexType>
  <xs:complexType name="FailureType"><xs:simpleContent><xs:extension base="xs:string">
    <xs:attribute name="code" type="xs:string" use="required"/>
  </xs:extension></xs:simpleContent></xs:complexType>
  <xs:complexType name="ProxySuccessType"><xs:sequence>
    <xs:element name="proxyTicket" type="xs:string"/>
  </xs:sequence></xs:complexType>
  <xs:complexType name="AttributesType"><xs:sequence>
    <xs:element name="authenticationDate" type="xs:dateTime"/>
    <xs:element name="longTermAuthenticationRequestTokenUsed" type="xs:boolean"/>
    <xs:element name="isFromNewLogin" type="xs:boolean"/>
    <xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/>
  </xs:sequence></xs:complexType>
</xs:schema>`

const NAMESPACES = { cas: 'http://www.yale.edu/tp/cas' }

/**
 * Validates an answer against the protocol's schema with a third-party parser.
 * @returns the texts found by an XPath, where `cas:` is the protocol's namespace.
 * @throws Error with the schema's complaint.
 */
export function casDocument(xml: string): { get(path: string): string[] } {
  const schema = XmlDocument.fromString(SCHEMA)
  const validator = XsdValidator.fromDoc(schema)
  const document = XmlDocument.fromString(xml)
  validator.validate(document)
  const get = (path: string) => document.find(path, NAMESPACES).map((node) => node.content)
  validator.dispose()
  schema.dispose()
  return { get }
}
