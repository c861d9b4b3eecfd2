/** A command that lists a file of any name is a way out of its folder, and a command all the same. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import { collect } from './collect.ts'
import { injection } from './module.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const found = async (asked: (value: string) => readonly [string, readonly string[]]): Promise<readonly string[]> => {
  const site = await serveCase(182, {
    http: async (request, response) => {
      const value = new URL(request.url ?? '', 'http://shop.test').searchParams.get('file')?.replaceAll('\0', '') ?? ''
      const [program, values] = asked(value)
      const said = await promisify(execFile)(program, values, { timeout: 5_000 }).then(
        ({ stdout }) => stdout,
        ({ stdout = '' }: { stdout?: string }) => stdout,
      )
      response.setHeader('Content-Type', 'text/html')
      response.end(`<!doctype html><title>Files</title><pre>${said.replaceAll('<', '&lt;')}</pre>`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 1_000 })
  cleanups.push(close)
  const crawl = crawlOf([pointOf('list', 'query', 'file', 'hostname')])
  const requests = crawl.requests.map((one) => ({ ...one, url: 'http://shop.test/list?file=hostname' }))
  const known = { crawl: { ...crawl, requests }, waf: { blockPage: null } }
  const { findings } = judgeModule(injection as never, await collect(ctx, known), known, caseContext())
  return findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`).toSorted()
}

it('both are found', async () =>
  expect(await found((value) => ['sh', ['-c', `ls -l /etc/${value}`]])).toEqual([
    'injection/command confirmed',
    'injection/path-traversal confirmed',
  ]))

it('without a shell it is the way out alone', async () =>
  expect(await found((value) => ['ls', ['-l', '--', `/etc/${value}`]])).toEqual(['injection/path-traversal confirmed']))
