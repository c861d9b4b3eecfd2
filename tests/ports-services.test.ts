/** Real services of Debian's packages, found and named by a sweep and the services module, judged by the checks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeModule } from '../src/engine/judge.ts'
import { collectPorts } from '../src/modules/network/ports/collect.ts'
import type { PortsFacts } from '../src/modules/network/ports/facts.ts'
import { ports as portsModule } from '../src/modules/network/ports/module.ts'
import { collectServices } from '../src/modules/network/services/collect.ts'
import type { ServicesFacts } from '../src/modules/network/services/facts.ts'
import { services as servicesModule } from '../src/modules/network/services/module.ts'
import { caseAddress, collectContext } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { isInstalled, type RunningServices, startServices } from './support/services.ts'
import { LIGHT_SERVICES } from './support/services-light.ts'

const address = caseAddress(64)
const truths = LIGHT_SERVICES.flatMap((service) => service.truth.map((truth) => ({ ...truth, id: service.id })))
let running: RunningServices
let ports: PortsFacts
let services: ServicesFacts

beforeAll(async () => {
  const missing = LIGHT_SERVICES.filter((service) => !isInstalled(service)).map(({ needs }) => needs)
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}; ./test installs them`)
  running = await startServices(address, LIGHT_SERVICES)
  const { ctx, close } = collectContext(address, { module: 'ports', requests: 100_000 })
  ports = await collectPorts(ctx)
  services = await collectServices(ctx, ports)
  await close()
}, 120_000)
afterAll(() => running?.close())

describe('real services', () => {
  it('are all found by the default sweep', () => {
    expect(ports.open).toEqual(expect.arrayContaining(LIGHT_SERVICES.flatMap((service) => [...service.ports])))
  })

  it.each(truths.map((truth) => [`${truth.id} on ${truth.port}`, truth] as const))('%s is named', (_name, truth) => {
    const service = services.services.find(({ port }) => port === truth.port)
    expect(service).toMatchObject({ by: 'protocol' })
    expect(service?.product).toMatch(truth.product)
    if (truth.version) expect(service?.version).toBe(truth.version())
  })

  it('what is open without a login is said, and what is not is not', () => {
    const judged = judgeModule(
      servicesModule,
      services,
      { ports },
      { ...caseContext(), target: { ...caseContext().target, tier: 'active' } },
    )
    const at = (id: string) =>
      judged.findings.filter(({ check_id }) => check_id === id).map(({ location }) => location.port)
    expect(at('services/datastore-open').toSorted()).toEqual([11211, 6379])
    expect(at('services/control-open')).toEqual([1883])
    expect(at('services/listing-open')).toEqual([873])
    expect(at('services/anonymous-directory')).toEqual([21])
    expect(at('services/ssh-weak-mac')).toEqual([22])
    expect(at('services/ssh-weak-key-exchange')).toEqual([])
    expect(at('services/ssh-host-key-short')).toEqual([22])
  })

  it('memcached over UDP is an amplifier', () => {
    const judged = judgeModule(portsModule, ports, {}, caseContext())
    const strong = judged.findings.filter(({ check_id }) => check_id === 'ports/amplification-strong')
    expect(strong.map(({ location }) => location.port)).toEqual([11211])
  })
})
