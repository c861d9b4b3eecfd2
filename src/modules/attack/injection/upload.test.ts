/** Files that are uploaded to a site: run, shown as pages, handed out, or kept where nobody finds them. */
import { createHash } from 'node:crypto'
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
import { contentOf, dressedAs, dressesOf, UPLOADS } from './uploads.ts'

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
  page: (kept: ReadonlyMap<string, Kept>) => string = () => 'A form',
  called: (file: Kept) => string = ({ name }) => name,
  bound = 40,
  refused: () => string = () => 'No',
  isOver: (sent: number) => boolean = () => false,
) => {
  const kept = new Map<string, Kept>()
  const site = await serveCase(178, {
    http: async (request, response) => {
      const path = new URL(request.url ?? '', 'http://shop.test').pathname
      const stored = kept.get(path.replace('/kept/', ''))
      if (request.method === 'POST') {
        const file = await fileIn(request)
        if (file && takes(file)) kept.set(called(file), file)
        response.end(file && takes(file) ? answer(file) : refused())
      } else if (stored && path.startsWith('/kept/')) {
        const [type, text] = serve(stored)
        response.writeHead(200, { 'Content-Type': type }).end(text)
      } else response.writeHead(path === '/photo.php' ? 200 : 404, { 'Content-Type': 'text/html' }).end(page(kept))
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 500 })
  cleanups.push(close)
  const url = 'http://shop.test/photo.php'
  const crawl = crawlOf([pointOf('a', 'file', 'photo')])
  const form = {
    ...({ method: 'POST', url, encoding: 'multipart', bound, source: 'form' } as const),
    fields: [{ name: 'photo', value: '', type: 'file' }],
  }
  const row = { url, status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' } as const
  const known = { ...crawl, urls: [row], requests: crawl.requests.map((one) => ({ ...one, ...form })) }
  const prober = createProber(ctx.egress, ctx.scope.of(SHARED), null)
  const points = inventoryOf(known)
  const uploads = await askUploads({ ...ctx, target: { ...ctx.target, environment } }, known, points, prober.at, () =>
    isOver(kept.size),
  )
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
    states: coverage.flatMap(({ check_id, state }) => (check_id.includes('file-upload') ? [state] : [])),
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
    expect(posts).toBe(7)
  })

  it('whose time is over half way: what was found stands, and the rest passes for nothing', async () => {
    const { found, states, posts } = await scan(
      () => true,
      ({ name }) => `Stored as /kept/${name}`,
      runs,
      'test',
      undefined,
      undefined,
      undefined,
      undefined,
      (sent) => sent > 1,
    )
    expect([found, states, posts]).toEqual([[PROGRAM], ['fail', 'inconclusive'], 2])
  })

  it.each([
    ['runs programs', runs, [PROGRAM]],
    ['sends text', ({ content }: Kept) => ['text/plain', content] as const, []],
  ])(
    'that has another name for it, hands it out by a program, and lies in a folder that %s',
    async (_name, serve, expected) => {
      const { found } = await scan(
        ({ name }) => name.endsWith('.php'),
        ({ name }) => `<a href="/photo.php?page=kept&amp;file=17_${name}">Yours</a>`,
        serve,
        'test',
        (kept) => [...kept.values()].map(({ content }) => content).join(''),
        ({ name }) => `17_${name}`,
      )
      expect(found).toEqual(expected)
    },
  )

  it.each([
    [40, 'pass'],
    [2, 'inconclusive'],
  ])('that may be sent %i times and hands out what it was given as text: %s', async (bound, state) => {
    const { states } = await scan(
      () => true,
      ({ name }) => `Stored as /kept/${name}`,
      ({ content }) => ['text/plain', content],
      'test',
      undefined,
      undefined,
      bound,
    )
    expect(states).toEqual([state, state])
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

  const ending = ({ name }: Kept): string => name.slice(name.lastIndexOf('.'))
  const text = ({ content }: Kept) => ['text/plain', content] as const

  it('that takes pictures alone is safe, as those are found again and no program is', async () => {
    const pictures = ({ name }: Kept) => /^\w+\.(?:png|gif)$/.test(name)
    const { found, states } = await scan(pictures, ({ name }) => `/kept/${name}`, text)
    expect([found, states]).toEqual([[], ['pass', 'pass']])
  })

  it('that takes no programs and says nowhere what became of a picture is not found to be safe by that', async () => {
    const { states } = await scan(
      ({ name }) => name.endsWith('.gif'),
      () => 'Thank you',
      text,
      'test',
      () => 'A form',
      (file) => `${createHash('sha256').update(file.name).digest('hex')}${ending(file)}`,
    )
    expect(states).toEqual(['inconclusive', 'inconclusive'])
  })

  it('that gives files names of its own is found by what its page shows since', async () => {
    const { found } = await scan(
      ({ type }) => type.startsWith('image/'),
      () => 'Thank you',
      runs,
      'test',
      (kept) => `A form ${[...kept.keys()].map((name) => `<img src="/kept/${name}">`).join('')}`,
      (file) => `${createHash('sha256').update(file.name).digest('hex')}${ending(file)}`,
    )
    expect(found).toEqual([PROGRAM, PAGE])
  })

  it.each([
    ['looks at the first ending alone', ({ name }: Kept) => /^[^.]+\.(?:jpg|png|gif)\b/.test(name), /\.php$/],
    ['runs what has the ending anywhere', ({ name }: Kept) => /\.(?:jpg|png|gif)$/.test(name), /\.php\b/],
    ['knows bad endings in small letters', ({ name }: Kept) => !/\.(?:php|phtml|phar)\b/.test(name), /\.php$/i],
  ])('that %s', async (_name, takes, ran) => {
    const { found } = await scan(
      takes,
      ({ name }) => `/kept/${name}`,
      ({ name, type, content }) => (ran.test(name) ? ['text/html', php(content)] : [type, content]),
    )
    expect(found).toContain(PROGRAM)
  })

  const FIELD = '<form><input type="file" accept=".pdf" name="photo"></form>'
  it.each([
    ['asks for documents by their ending', () => 'No', FIELD],
    [
      'says in its answer which it takes',
      () => 'Only PDF files, please',
      '<form><input type="file" name="photo"></form>',
    ],
  ])('that %s, and looks for it anywhere in the name', async (_how, refused, page) => {
    const { found } = await scan(
      ({ name, type, content }) => /^\w+\.pdf\b/.test(name) && type === 'application/pdf' && content.startsWith('%PDF'),
      ({ name }) => `/kept/${name}`,
      ({ name, type, content }) => (name.endsWith('.php') ? ['text/html', php(content)] : [type, content]),
      'test',
      () => page,
      undefined,
      40,
      refused,
    )
    expect(found).toEqual([PROGRAM])
  })

  it('that keeps one file for each account, under a name of its own', async () => {
    const { found } = await scan(
      () => true,
      () => 'Thank you',
      runs,
      'test',
      (kept) => [...kept.keys()].map((name) => `<img src="/kept/${name}">`).join(''),
      ({ name }) => `me${name.slice(name.indexOf('.'))}`,
    )
    expect(found).toEqual([PROGRAM, PAGE])
  })

  it('where nothing is found again is asked no more than tells', async () => {
    const { states, posts } = await scan(
      () => true,
      () => 'Thank you',
      plain,
      'test',
      undefined,
      ({ name }) => `${createHash('sha256').update(name).digest('hex')}`,
    )
    expect(states).toEqual(['inconclusive', 'inconclusive'])
    expect(posts).toBe(4)
  })

  it('that asks for documents and looks at the end of the name is safe, as those are found again', async () => {
    const { found, states } = await scan(
      ({ name }) => name.endsWith('.pdf'),
      ({ name }) => `/kept/${name}`,
      ({ content }) => ['application/pdf', content],
      'test',
      () => FIELD,
    )
    expect([found, states]).toEqual([[], ['pass', 'pass']])
  })

  it('that shows drawings as pages', async () => {
    const drawn = ({ type, content }: Kept) => [type, content] as const
    const drawings = ({ name }: Kept) => /\.(?:svg|gif)$/.test(name)
    expect((await scan(drawings, ({ name }) => `/kept/${name}`, drawn)).found).toEqual([PAGE])
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
  for (const upload of UPLOADS)
    for (const dress of [...dressesOf(upload), ...dressedAs(upload, 'pdf'), ...dressedAs(upload, 'xml')])
      expect(harmOf(contentOf(upload, dress, 12, 34), { effect: 'writes', language: 'markup' })).toBeNull()
})

it.each([
  ['cookies that Laravel encrypts', 'set-cookie: XSRF-TOKEN=eyJpdiI6IktCd0tPaVd4; path=/'],
  ['the session of CodeIgniter', 'ci_session'],
  ['an address of WordPress', '/wp-content/themes/club/style.css'],
])('takes %s for PHP', (_name, said) => {
  const fitting = UPLOADS.filter(({ as, fits }) => as === 'program' && fits.test(said))
  expect(fitting.map(({ endings }) => endings[0])).toEqual(['.php'])
})
