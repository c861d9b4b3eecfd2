/** Files that are uploaded to a site: run, shown as pages, handed out, or kept where nobody finds them. */
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { judgeModule } from '../../../engine/judge.ts'
import { harmOf } from '../../../safety/harmless.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { inventoryOf } from '../insertion-points/inventory.ts'
import { createProber } from '../insertion-points/prober.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import { injection } from './module.ts'
import { askUploads } from './probes/upload.ts'
import { UPLOADS } from './uploads.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Kept {
  readonly name: string
  readonly type: string
  readonly content: string
}

const fileIn = async (request: IncomingMessage): Promise<Kept | null> => {
  let body = ''
  for await (const chunk of request.setEncoding('latin1')) body += chunk
  const [, name, type, content] =
    /filename="([^"]*)"\r\nContent-Type: ([^\r]*)\r\n\r\n([\s\S]*?)\r\n--/.exec(body) ?? []
  return name === undefined ? null : { name, type: type ?? '', content: content ?? '' }
}

const php = (content: string): string =>
  content.replace(/<\?='qv'\.\((\d+)\*(\d+)\)\.'vq'\?>/, (_, a, b) => `qv${Number(a) * Number(b)}vq`)

const scan = async (
  takes: (file: Kept) => boolean,
  answer: (file: Kept) => string,
  serve: (file: Kept) => readonly [type: string, text: string],
  environment: 'test' | 'production' = 'test',
) => {
  const kept = new Map<string, Kept>()
  const site = await serveCase(178, {
    http: async (request, response) => {
      const path = new URL(request.url ?? '', 'http://shop.test').pathname
      const stored = kept.get(path.replace('/kept/', ''))
      if (request.method === 'POST') {
        const file = await fileIn(request)
        if (file && takes(file)) kept.set(file.name, file)
        response.end(file && takes(file) ? answer(file) : 'No')
      } else if (stored && path.startsWith('/kept/')) {
        const [type, text] = serve(stored)
        response.writeHead(200, { 'Content-Type': type }).end(text)
      } else response.writeHead(path === '/photo.php' ? 200 : 404).end('A form')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 500 })
  cleanups.push(close)
  const url = 'http://shop.test/photo.php'
  const crawl = crawlOf([pointOf('a', 'file', 'photo')])
  const form = {
    ...({ method: 'POST', url, encoding: 'multipart', bound: 40, source: 'form' } as const),
    fields: [{ name: 'photo', value: '', type: 'file' }],
  }
  const row = { url, status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' } as const
  const known = { ...crawl, urls: [row], requests: crawl.requests.map((one) => ({ ...one, ...form })) }
  const prober = createProber(ctx.egress, ctx.scope.of(SHARED), null)
  const points = inventoryOf(known)
  const uploads = await askUploads({ ...ctx, target: { ...ctx.target, environment } }, known, points, prober.at)
  const facts = {
    points: [],
    left: 0,
    leftAlone: {},
    unread: [],
    cut: null,
    sessionLost: false,
    listened: false,
    uploads,
  }
  const { findings, coverage } = judgeModule(injection as never, facts, { crawl: known } as never, caseContext())
  return {
    found: findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`),
    states: coverage.flatMap(({ check_id, state }) => (check_id.includes('upload') ? [state] : [])),
    posts: kept.size,
  }
}

const PROGRAM = 'injection/file-upload-program confirmed'
const PAGE = 'injection/file-upload-page confirmed'
const plain = ({ type, content }: Kept) => [type, content] as const
const runs = ({ name, type, content }: Kept) =>
  /\.ph/.test(name) ? (['text/html', php(content)] as const) : ([type, content] as const)

describe('a form for files', () => {
  it('whose programs are run, and which sends pages as what it was told they are', async () => {
    const { found, states, posts } = await scan(
      () => true,
      ({ name }) => `Stored as /kept/${name}`,
      runs,
    )
    expect(found).toEqual([PROGRAM, PAGE])
    expect(states).toEqual(['fail', 'fail'])
    expect(posts).toBe(5)
  })

  it('that knows one ending of programs and looks at types and beginnings', async () => {
    const isPicture = ({ name, type, content }: Kept) =>
      !name.endsWith('.php') && type === 'image/png' && content.startsWith('GIF8')
    expect((await scan(isPicture, ({ name }) => `<img src="kept/${name}">`, runs)).found).toEqual([PROGRAM])
  })

  it('that hands programs out as they are, and pages as pages', async () => {
    expect(
      (
        await scan(
          () => true,
          ({ name }) => `See kept/${name}.`,
          plain,
        )
      ).found,
    ).toEqual([PAGE])
  })

  it('that takes no such file is not found to be safe by that', async () => {
    const scanned = await scan(
      () => false,
      () => '',
      plain,
    )
    expect(scanned).toMatchObject({ found: [], states: ['inconclusive', 'inconclusive'] })
  })

  it('that shows text is safe', async () => {
    const text = ({ content }: Kept) => ['text/plain', content] as const
    const scanned = await scan(
      () => true,
      ({ name }) => `/kept/${name}`,
      text,
    )
    expect(scanned).toMatchObject({ found: [], states: ['pass', 'pass'] })
  })

  it('that takes no programs says nothing of them by its pages', async () => {
    const { states } = await scan(
      ({ name }) => !name.includes('.ph'),
      ({ name }) => `/kept/${name}`,
      ({ content }) => ['text/plain', content] as const,
    )
    expect(states).toEqual(['inconclusive', 'pass'])
  })

  it('of a production system is sent none', async () => {
    const { states, posts } = await scan(
      () => true,
      ({ name }) => `/kept/${name}`,
      runs,
      'production',
    )
    expect([states, posts]).toEqual([['not_tested', 'not_tested'], 0])
  })
})

it('files do no harm', () => {
  for (const { content } of UPLOADS)
    expect(harmOf(content(12, 34), { effect: 'writes', language: 'markup' })).toBeNull()
})
