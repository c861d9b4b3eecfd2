import type { Location } from '../../contract/finding.ts'

/** Where something was read: an address of the web, or `tcp://host:port` of another service. */
export const placeOf = (url: string): { readonly at: Location; readonly replay: string } => {
  const [, host, port] = /^tcp:\/\/(.+):(\d+)$/.exec(url) ?? []
  return host === undefined
    ? { at: { url }, replay: `curl -si ${url}` }
    : { at: { host, port: Number(port) }, replay: `nmap -Pn -sV -p ${port} ${host}` }
}
