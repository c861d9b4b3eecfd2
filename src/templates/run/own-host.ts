/** Whom a template of another protocol may ask: the target alone, whatever the template says. */
import ipaddr from 'ipaddr.js'
import { type StepRun, StepSkipped } from './executor.ts'

export interface HostPort {
  readonly host: string
  readonly port: number
}

/** `host:port`, `host` or `[v6]:port` of the target. @throws StepSkipped where it is somebody else's */
export const hostPortOf = (run: StepRun, address: string, port: number = run.target.port): HostPort => {
  const text = address.trim()
  const [, bracketed, plain, said] = /^(?:\[([^\]]+)\]|([^:/]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const named = said === undefined ? port : Number(said)
  if (host === undefined || named < 1 || named > 65_535)
    throw new StepSkipped(`“${text.slice(0, 100)}” is no address`, 'target')
  if (host.toLowerCase() !== run.target.host.replace(/^\[|\]$/g, '').toLowerCase()) {
    throw new StepSkipped(`it asks ${host.slice(0, 100)}, which is not the target`, 'elsewhere')
  }
  return { host, port: named }
}

/** A name of the target's own domain. @throws StepSkipped */
export const nameOf = (run: StepRun, name: string): string => {
  const text = name.trim().replace(/\.$/, '').toLowerCase()
  const domain = String(run.target.variables.get('RDN') ?? run.target.host).toLowerCase()
  if (ipaddr.isValid(run.target.host.replace(/^\[|\]$/g, '')))
    throw new StepSkipped('an address has no names to ask for', 'target')
  if (text !== domain && !text.endsWith(`.${domain}`)) {
    throw new StepSkipped(`it asks for ${text.slice(0, 100)}, which is not the target's`, 'elsewhere')
  }
  return text
}
