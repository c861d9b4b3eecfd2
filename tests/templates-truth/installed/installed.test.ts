/** Templates against installed software: each finds it as it was set up, and stays silent where it was mended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseAddress } from '../../../src/modules/testing/collecting.ts'
import type { Template } from '../../../src/templates/language/template.ts'
import { runCase } from '../../../src/templates/run/testing/template-case.ts'
import { isInstalled, type RunningServices, startServices } from '../../support/services.ts'
import { DAEMONS } from './daemons.ts'
import { type How, type Installation, serviceOf, templatesHere } from './installation.ts'
import { WEB_SERVERS } from './web-servers.ts'

const installations: readonly Installation[] = [...WEB_SERVERS, ...DAEMONS]
const templates = templatesHere()

/** Each set-up has an address of its own, so that every one listens on its usual port. */
const addressOf = (installation: Installation, how: How): string =>
  caseAddress(150 + 2 * installations.indexOf(installation) + Number(how === 'mended'))

const running: RunningServices[] = []
const failures = new Map<string, unknown>()

beforeAll(async () => {
  const wanted = installations.filter((one) => isInstalled(serviceOf(one, 'exposed')))
  await Promise.all(
    wanted.flatMap((one) =>
      (['exposed', 'mended'] as const).map(async (how) => {
        try {
          running.push(await startServices(addressOf(one, how), [serviceOf(one, how)]))
        } catch (error) {
          failures.set(`${one.id} ${how}`, error)
        }
      }),
    ),
  )
})
afterAll(async () => {
  await Promise.all(running.map((one) => one.close()))
})

const templateNamed = (id: string): Template => {
  const template = templates.get(id)
  if (!template) throw new Error(`no template ${id}`)
  return template
}

it('each template is about one installation, and there are 30', () => {
  const named = installations.flatMap(({ finds }) => Object.keys(finds))
  expect(named.toSorted()).toEqual([...templates.keys()].toSorted())
  expect(named.length).toBeGreaterThanOrEqual(30)
})

it('all is installed; ./test does it', () => {
  const missing = installations.filter((one) => !isInstalled(serviceOf(one, 'exposed')))
  expect(missing.map(({ needs }) => needs)).toEqual([])
})

describe.each(installations)('$id', (installation) => {
  it.each(Object.entries(installation.finds))('%s', async (id, port) => {
    for (const how of ['exposed', 'mended'] as const) {
      const failure = failures.get(`${installation.id} ${how}`)
      if (failure) throw failure
    }
    const hits = async (how: How): Promise<number> =>
      (await runCase(templateNamed(id), { address: addressOf(installation, how), port })).hits.length
    expect(await hits('exposed')).toBeGreaterThan(0)
    expect(await hits('mended')).toBe(0)
  })
})
