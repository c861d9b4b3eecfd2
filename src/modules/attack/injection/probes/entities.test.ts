import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { recordOf } from '../documents.ts'
import { isProven } from '../proven.ts'
import { entityWays, openedWays } from './entities.ts'

const KERNEL: Readonly<Record<string, string>> = {
  'file:///proc/version': 'Linux version 6.1.0-17-amd64',
  'file:///proc/filesystems': 'nodev\tsysfs\nnodev\ttmpfs',
}

/** What a parser that follows entities makes of a document's text. */
const parsed = (document: string): string => {
  const [, address = ''] = /<!ENTITY q SYSTEM "([^"]+)">/.exec(document) ?? []
  const text = document.replace(/<!DOCTYPE[^[>]*\[[^\]]*\]>/, '').replaceAll('&q;', KERNEL[address] ?? '')
  return text.replace(/<[^>]*>/g, '')
}
const shown = (document: string) => ({ text: `<p>Thank you for ${parsed(document)}</p>` })
const bodyOf = (changed: HttpRequest | undefined, plain: string): string => (changed ? String(changed.body) : plain)
const typeOf = (changed: HttpRequest | undefined): string =>
  (changed?.headers ?? []).find(([name]) => name === 'Content-Type')?.[1] ?? 'application/json'

const order = '<?xml version="1.0"?><order><id>7</id></order>'
const posted = { method: 'POST', effect: 'unknown' as const }

describe('a parser gets the document', () => {
  it('as the body', async () => {
    const point = { place: 'xml' as const, name: 'id', value: '7', request: { ...posted, body: order } }
    const { probe } = fakeProbe((v, changed) => shown(bodyOf(changed, `<order><id>${v}</id></order>`)), point)
    const hit = await firstOf(entityWays(probe))
    expect(hit && isProven(hit)).toBe(true)
  })

  it('as an office document, of which the program shows the text, before files that the field does not take', async () => {
    const head = 'Content-Disposition: form-data; name="list"; filename="note.txt"\r\nContent-Type: text/plain'
    const body = `--b\r\n${head}\r\n\r\nA note.\r\n--b--\r\n`
    const request = {
      ...{ ...posted, body },
      headers: [['Content-Type', 'multipart/form-data; boundary=b']] as const,
    }
    const point = { place: 'file' as const, name: 'list', value: 'A note.', accept: '.docx,.odt', request }
    const sent: string[] = []
    const { probe } = fakeProbe((_v, changed) => {
      const file = changed?.body instanceof Buffer ? changed.body.toString('latin1') : ''
      sent.push(String(/filename="([^"]*)"/.exec(String(changed?.body))?.[1]))
      const part = /word\/document\.xml(<\?xml.*?<\/w:document>)/s.exec(file)?.[1]
      return part === undefined ? { text: 'That is no document.' } : shown(part)
    }, point)
    const hit = await firstOf(entityWays(probe))
    expect(hit && isProven(hit)).toBe(true)
    expect(sent.filter((name) => name !== 'undefined')[0]).toBe('q.docx')
  })

  it('as the body, by a parser that cannot read the files of the kernel', async () => {
    const point = { place: 'xml' as const, name: 'id', value: '7', request: { ...posted, body: order } }
    // Java lists a folder as a file of its names.
    const files = { '/proc/sys/kernel': 'sysrq\nthreads-max', '/proc/sys/vm': 'overcommit_memory\nswappiness' }
    const { probe } = fakeProbe((v, changed) => {
      const body = bodyOf(changed, `<order><id>${v}</id></order>`)
      const [, path = ''] = /SYSTEM "file:\/\/([^"]+)"/.exec(body) ?? []
      if (path === '/proc/version' || path.startsWith('/proc/sys/kernel/'))
        return { status: 400, text: 'Invalid argument' }
      return { text: `Thank you for ${path in files ? files[path as keyof typeof files] : ''}` }
    }, point)
    const hit = await firstOf(entityWays(probe))
    expect(hit && isProven(hit)).toBe(true)
  })

  it('as the body, by a parser that reads so much as a file says that it has', async () => {
    const point = { place: 'xml' as const, name: 'id', value: '7', request: { ...posted, body: order } }
    const flaws = '/sys/devices/system/cpu/vulnerabilities'
    const files: Readonly<Record<string, string>> = {
      [`${flaws}/spectre_v1`]: 'Mitigation: usercopy/swapgs barriers and __user pointer sanitization\n',
      [`${flaws}/spectre_v2`]: 'Mitigation: Enhanced / Automatic IBRS; IBPB: conditional\n',
    }
    const { probe } = fakeProbe((v, changed) => {
      const [, path = ''] = /SYSTEM "file:\/\/([^"]+)"/.exec(bodyOf(changed, `<order><id>${v}</id></order>`)) ?? []
      return { text: `<p>Thank you for ${files[path] ?? ''}</p>` }
    }, point)
    const hit = await firstOf(entityWays(probe))
    expect(hit && isProven(hit)).toBe(true)
  })

  it('within a value', async () => {
    const queryOf = (changed?: HttpRequest): string => new URL(changed?.url ?? 'http://x').searchParams.get('q') ?? ''
    const { probe } = fakeProbe((v, changed) => shown(changed ? queryOf(changed) : v), { value: order })
    const hit = await firstOf(entityWays(probe))
    expect(hit && isProven(hit)).toBe(true)
  })

  it('in place of JSON', async () => {
    const body = JSON.stringify({ name: 'Ann', city: 'Bergen' })
    const request = { ...posted, body, headers: [['Content-Type', 'application/json']] as const }
    const point = { place: 'json' as const, name: '/name', value: 'Ann', request }
    const { probe } = fakeProbe(
      (_v, changed) => (typeOf(changed).includes('xml') ? shown(bodyOf(changed, '')) : { text: '<p>Thank you</p>' }),
      point,
    )
    const hit = await firstOf(entityWays(probe))
    expect(hit && isProven(hit)).toBe(true)
  })
})

it('a parser of pictures gets one, under the name and type of one', async () => {
  const headers = [['Content-Type', 'multipart/form-data; boundary=b']] as const
  const head = 'Content-Disposition: form-data; name="logo"; filename="shop.txt"\r\nContent-Type: text/plain'
  const body = `--b\r\nContent-Disposition: form-data; name="shop"\r\n\r\nTents\r\n--b\r\n${head}\r\n\r\nhello\r\n--b--\r\n`
  const point = { place: 'file' as const, name: 'logo', value: 'hello', request: { ...posted, body, headers } }
  const { probe } = fakeProbe((_v, changed) => {
    const part = /filename="(\S+)"\r\nContent-Type: (\S+)\r\n\r\n([\s\S]*?)\r\n--b/.exec(String(changed?.body)) ?? []
    const [, name = '', type = '', content = ''] = part
    return name.endsWith('.svg') && type === 'image/svg+xml' ? shown(content) : { text: '<p>No picture</p>' }
  }, point)
  const hit = await firstOf(entityWays(probe))
  expect(hit && isProven(hit)).toBe(true)
  expect(hit?.flavour).toContain('SVG')
})

it('nothing is asked of values that are no documents, nor twice of one body', async () => {
  expect(entityWays(fakeProbe((v) => ({ text: v })).probe)).toEqual([])
  const request = { ...posted, body: JSON.stringify({ name: 'Ann', city: 'Bergen' }) }
  expect(entityWays(fakeProbe((v) => ({ text: v }), { place: 'json', name: '/city', request }).probe)).toEqual([])
})

it('a parser that leaves entities alone is not accused', async () => {
  const { probe } = fakeProbe((v) => ({ text: v }), { value: order })
  expect(await firstOf(entityWays(probe))).toBeNull()
})

/** An importer that shows the names of its records alone. */
const importing = (document: string, entities: boolean, record = 'country'): { text: string } => {
  const whole = entities ? document : document.replaceAll('&q;', '')
  const [, address = ''] = /<!ENTITY q SYSTEM "([^"]+)">/.exec(whole) ?? []
  const named = new RegExp(`<${record}>(?:(?!</${record}>)[\\s\\S])*?<name>([^<]*)</name>`, 'g')
  const names = [...whole.matchAll(named)]
  return {
    text: `<ul>${names.map(([, name = '']) => `<li>${name.replaceAll('&q;', KERNEL[address] ?? '')}</li>`).join('')}</ul>`,
  }
}

it.each([
  ['countries', 'country', true, 1],
  ['countries', 'country', false, 0],
  ['wholesale', 'item', true, 1],
  ['shipments', 'row', true, 1],
])(
  'an importer for %s that looks for each %s gets one, entities followed: %s',
  async (path, record, entities, hits) => {
    const headers = [['Content-Type', 'multipart/form-data; boundary=b']] as const
    const head = 'Content-Disposition: form-data; name="list"; filename="shop.txt"\r\nContent-Type: text/plain'
    const body = `--b\r\n${head}\r\n\r\nhello\r\n--b--\r\n`
    const url = `http://shop.test/${path}/import`
    const point = { place: 'file' as const, name: 'list', value: 'hello', request: { ...posted, url, body, headers } }
    const { probe } = fakeProbe((_v, changed) => importing(String(changed?.body ?? ''), entities, record), point)
    const hit = await firstOf(entityWays(probe))
    expect(hit === null ? 0 : Number(isProven(hit))).toBe(hits)
  },
)

it('the record is called as the program is', () => {
  const root = (path: string): string =>
    /^<(\w+)><(\w+)>/
      .exec(recordOf(`http://shop.test${path}`))
      ?.slice(1)
      .join(' ') ?? ''
  expect(['/seeds/import', '/api/v1/boxes/upload', '/stock', '/import', '/price-lists/7/files'].map(root)).toEqual([
    'seeds seed',
    'boxes box',
    'stock stock',
    'items item',
    'price_lists price_list',
  ])
})

/** A parser of orders that shows nothing of them. `opens`: whether it follows entities; null for one that takes no document types. */
const taking =
  (opens: boolean | null) =>
  (value: string, changed: HttpRequest | undefined): { status?: number; text: string } => {
    const failed = { status: 500, text: '<h1>Error</h1><p>That is no order.</p>' }
    const document = changed ? String(changed.body) : order.replace('7', value)
    const [, path] = /<!ENTITY q SYSTEM "file:\/\/([^"]+)">/.exec(document) ?? []
    if (path !== undefined && opens === null) return failed
    for (const [, name] of document.matchAll(/&(\w+);/g)) {
      if (name !== 'q' || path === undefined) return failed
      if (opens && !/^\/etc\/(?:hosts|hostname|resolv\.conf)$/.test(path)) return failed
    }
    return { text: '<h1>Thank you</h1><p>Your order is on its way.</p>' }
  }

it.each([
  ['follows entities', true, true],
  ['leaves entities alone', false, false],
  ['takes no document types', null, false],
])('a parser that shows nothing and %s', async (_name, opens, expected) => {
  const point = { place: 'xml' as const, name: 'id', value: '7', request: { ...posted, body: order } }
  const { probe, sent } = fakeProbe(taking(opens), point)
  const hit = await firstOf(openedWays(probe))
  expect(hit !== null && isProven(hit)).toBe(expected)
  if (!expected) expect(sent.length).toBeLessThan(6)
})
