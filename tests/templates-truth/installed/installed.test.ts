/** Templates against installed software: each finds it as it was set up, and stays silent where it was mended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseAddress } from '../../../src/modules/testing/collecting.ts'
import type { Template } from '../../../src/templates/language/template.ts'
import { runCase } from '../../../src/templates/run/testing/template-case.ts'
import { realCatalogue } from '../../support/real-catalogue.ts'
import { isInstalled, type RunningServices, startServices } from '../../support/services.ts'
import { templateAt, templateFiles } from '../run.ts'
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
  if (typeof catalogue !== 'string') catalogue.close()
})

const firesWhereExposed = async (installation: Installation, template: Template, port: number): Promise<void> => {
  const hits = async (how: How): Promise<number> => {
    const failure = failures.get(`${installation.id} ${how}`)
    if (failure) throw failure
    return (await runCase(template, { address: addressOf(installation, how), port })).hits.length
  }
  expect(await hits('exposed')).toBeGreaterThan(0)
  expect(await hits('mended')).toBe(0)
}

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

const catalogue = realCatalogue()
const files = typeof catalogue === 'string' ? new Map<string, string>() : templateFiles(catalogue.folder)

describe.each(installations)('$id', (installation) => {
  it.each(Object.entries(installation.finds))('%s', async (id, port) => {
    await firesWhereExposed(installation, templateNamed(id), port)
  })

  it.runIf(typeof catalogue !== 'string').each(Object.entries(installation.public ?? {}))(
    '%s of the catalogue',
    async (id, port) => {
      if (typeof catalogue === 'string') throw new Error(catalogue)
      const template = templateAt(catalogue.folder, files.get(id))
      if (typeof template === 'string') throw new Error(template)
      await firesWhereExposed(installation, template, port)
    },
  )
})
