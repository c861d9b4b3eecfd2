/** Every service that is told by name. */
import { CONTROL } from './families/control.ts'
import { DATA } from './families/data.ts'
import { FILES } from './families/files.ts'
import { MAIL } from './families/mail.ts'
import { REMOTE } from './families/remote.ts'
import type { ServiceDefinition } from './service.ts'

export const SERVICES: readonly ServiceDefinition[] = [...REMOTE, ...MAIL, ...FILES, ...DATA, ...CONTROL]

const BY_ID: ReadonlyMap<string, ServiceDefinition> = new Map(SERVICES.map((service) => [service.id, service]))

/** @throws when there is no such service: an id that code names and the tables do not */
export const serviceOf = (id: string): ServiceDefinition => {
  const service = BY_ID.get(id)
  if (!service) throw new Error(`no service ${id}`)
  return service
}

/** What a port is for by habit, TLS or not; the first of the tables where several claim it. */
export const habitOf = (port: number): { readonly service: ServiceDefinition; readonly tls: boolean } | null => {
  for (const service of SERVICES) {
    if (service.ports.includes(port)) return { service, tls: false }
    if (service.tlsPorts?.includes(port)) return { service, tls: true }
  }
  return null
}

/** Whose greeting this is; what listens on the port by habit is asked first, since FTP and SMTP both begin with 220. */
export const greeted = (text: string, port: number): ServiceDefinition | null => {
  const here = SERVICES.filter(({ ports, tlsPorts }) => ports.includes(port) || tlsPorts?.includes(port))
  return [...here, ...SERVICES].find(({ greeting }) => greeting?.test(text)) ?? null
}

export { identify } from './service.ts'
