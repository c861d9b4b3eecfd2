/** A shop that is asked over a WebSocket: what it is sent goes into a statement as it is; and its careful twin. */
import { afterEach, expect, test } from 'vitest'
import { fillShop, startSqlite } from '../../../../testbed/web/sql.ts'
import { talking } from '../../../egress/testing/socket-server.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'
import { sqli } from './module.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const found = async (bound: number, careful: boolean, telling: boolean) => {
  const sqlite = await fillShop(await startSqlite())
  cleanups.push(sqlite.close)
  let messages = 0
  const answers = async (message: string): Promise<readonly string[]> => {
    messages += 1
    try {
      const { name } = JSON.parse(message)
      const text = 'select name, price from products where name='
      const rows = await (careful ? sqlite.bind(`${text}?`, [String(name)]) : sqlite.run(`${text}'${name}'`))
      return [JSON.stringify({ type: 'found', rows })]
    } catch (error) {
      return [JSON.stringify({ type: 'found', ...(telling ? { error: String(error) } : { rows: [] }) })]
    }
  }
  const site = await talking({ greeting: ['{"type":"hello"}'], answers }, caseAddress(231))
  cleanups.push(site.close)
  const url = `http://shop.test:${site.port}/live`
  const request = caseRequest({
    ...{ id: 'find', method: 'WS', url, shape: url, encoding: 'json', source: 'browser', effect: 'unknown', bound },
    body: '{"type":"find","name":"Moss mat"}',
  })
  const crawl = caseCrawl({
    requests: [request],
    points: [{ id: 'find:json:/name', request: 'find', place: 'json', name: '/name', example: 'Moss mat' }],
  })
  const { ctx, close } = collectContext(caseAddress(231), { module: 'sqli', requests: 1_000 })
  cleanups.push(close)
  const known = { crawl, waf: { blockPage: null } }
  const { findings } = judgeModule(sqli as never, await collect(ctx, known), known, caseContext())
  const [first] = findings
  return { ids: findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`), messages, first }
}

test('a message that goes into a statement is found within the few that may be said, and can be said again', async () => {
  const { ids, messages, first } = await found(40, false, true)
  expect(ids).toEqual(['sqli/error confirmed'])
  expect(messages).toBeLessThanOrEqual(40)
  expect(first?.location).toMatchObject({ method: 'WS', parameter: '/name' })
  expect(JSON.stringify(first)).toMatch(/printf %s .* \| websocat .*ws:\/\/shop\.test/)
})

test('so is one whose errors nobody shows', async () =>
  expect((await found(40, false, false)).ids).toEqual(['sqli/boolean confirmed']))

test('the careful twin is silent', async () => expect((await found(40, true, true)).ids).toEqual([]))
