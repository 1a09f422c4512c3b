export type Ports = {
  gatehouse: number
  sso: number
  modAuthCas: number
  phpCas: number
  modAuthOpenidc: number
  zabbix: number
}
