/**
 * Everything that goes on the wire while places are probed, whichever code has built it: no statement that changes data, no
 * function for files, programs or the network, no condition that matches every row of a request that writes.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpRequest } from '../src/egress/door/egress.ts'
import type { AnyModule } from '../src/modules/any-module.ts'
import { injection } from '../src/modules/attack/injection/module.ts'
import { decoded } from '../src/modules/attack/insertion-points/body.ts'
import { sqli } from '../src/modules/attack/sqli/module.ts'
import { xss } from '../src/modules/attack/xss/module.ts'
import type { CollectContext } from '../src/modules/module.ts'
import { type CaseServers, collectContext, serveCase } from '../src/modules/testing/collecting.ts'
import { harmOf } from '../src/safety/harmless.ts'
import { WEB_CASES } from '../testbed/web/cases.ts'
import { inventoryOf } from '../testbed/web/inventory.ts'
import { serveCases } from '../testbed/web/server.ts'
import { fillShop, startSqlite } from '../testbed/web/sql.ts'

/** One page of every kind and place: what is sent depends on how pages answer. */
const cases = WEB_CASES.filter(({ id, timed }) => !timed && !/^(?:mariadb|postgres)-|-at-|-shown$/.test(id)).filter(
  ({ module, place }, index) => module !== 'xss' || place !== 'query' || index % 3 === 0,
)
/** Nobody listens there: pages that run what they are sent may call it. */
const OOB = 'http://127.0.179.9:9/abcdefghijklmnopqrstuvwxyz/'
/** Beside the rules that the prober itself asks: words that no probe has any use for. */
const NEVER =
  /\b(?:insert\s+into|update\s+\w+\s+set|delete\s+from|drop\s+\w+|alter\s+\w+|create\s+\w+|truncate|grant|revoke|outfile|dumpfile|load_file|xp_cmdshell|benchmark\s*\(|randomblob|pg_read_file|dblink|utl_http|information_schema|mkfs|rm\s+-|shutdown)/i

let server: CaseServers
let folder: string
let sent: readonly { readonly module: string; readonly request: HttpRequest }[]
const cleanups: (() => Promise<void>)[] = []

const record = async (module: AnyModule): Promise<typeof sent> => {
  const requests: { module: string; request: HttpRequest }[] = []
  const { ctx, close } = collectContext(server.address, {
    module: module.id,
    requests: 100_000,
    outOfBand: { issue: () => ({ token: 'abcdefghijklmnopqrstuvwxyz', host: null, url: OOB }), hits: async () => [] },
  })
  const egress: CollectContext['egress'] = {
    ...ctx.egress,
    http: (request) => {
      requests.push({ module: module.id, request })
      return ctx.egress.http(request)
    },
  }
  try {
    const known = { crawl: inventoryOf(cases, 'http://shop.test', 'careless'), waf: { blockPage: null } }
    await module.collect({ ...ctx, egress }, known as never)
    return requests
  } finally {
    await close()
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-harmless-'))
  const sqlite = await fillShop(await startSqlite())
  cleanups.push(sqlite.close)
  server = await serveCase(179, { http: serveCases(cases, { folder, databases: { sqlite } }) })
  cleanups.push(server.close)
  sent = (await Promise.all([sqli, injection, xss].map((module) => record(module as AnyModule)))).flat()
}, 240_000)

afterAll(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  await rm(folder, { recursive: true, force: true })
})

/** The values of a request, without the address of the page. */
const valuesOf = ({ url, headers = [], body }: HttpRequest): readonly string[] => {
  const { pathname, searchParams } = new URL(url)
  return [
    ...pathname.split('/').slice(3).map(decoded),
    ...[...searchParams].flat(),
    ...headers.filter(([name]) => /^(?:referer|cookie|user-agent|x-)/i.test(name)).map(([, value]) => decoded(value)),
    // The word by which XML names a file is a program's in other languages.
    ...(body === undefined ? [] : [decoded(String(body)).replace(/(<!ENTITY (?:% )?\w+ )SYSTEM/g, '$1')]),
  ]
}

const writes = ({ url }: HttpRequest): boolean =>
  cases.find(({ id }) => new URL(url).pathname.split('/')[2] === id)?.effect === 'writes'

describe('what is sent', () => {
  it('was sent by every module, in great variety', () => {
    for (const id of ['sqli', 'injection', 'xss']) {
      const own = sent.filter(({ module }) => module === id).flatMap(({ request }) => valuesOf(request))
      expect(new Set(own).size).toBeGreaterThan(100)
    }
  })

  it.each(['sqli', 'injection', 'xss'])('%s: harms nothing', (id) => {
    const language = id === 'xss' ? 'markup' : 'sql'
    const harmful = sent
      .filter(({ module }) => module === id)
      .flatMap(({ request }) =>
        valuesOf(request).map((value) => ({
          value,
          harm:
            harmOf(value, { effect: writes(request) ? 'writes' : 'reads', language, home: OOB }) ??
            (NEVER.test(value) ? 'never' : null),
        })),
      )
      .filter(({ harm }) => harm !== null)
    expect(harmful).toEqual([])
  })

  it('asks for no file but two of the kernel, for a folder of it, and for one that is not there', () => {
    const files = sent.flatMap(({ request }) =>
      valuesOf(request).flatMap(
        (value) => decoded(value).match(/(?:\/etc|\/proc|\/var|\/root|\/home)\/[\w./-]+/g) ?? [],
      ),
    )
    expect(new Set(files)).toEqual(new Set(['/proc/version', '/proc/filesystems', '/proc/sys/kernel', '/proc/versioq']))
  })
})
