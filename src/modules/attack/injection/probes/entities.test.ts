import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { entityWays } from './entities.ts'

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

it('nothing is asked of values that are no documents, nor twice of one body', async () => {
  expect(entityWays(fakeProbe((v) => ({ text: v })).probe)).toEqual([])
  const request = { ...posted, body: JSON.stringify({ name: 'Ann', city: 'Bergen' }) }
  expect(entityWays(fakeProbe((v) => ({ text: v }), { place: 'json', name: '/city', request }).probe)).toEqual([])
})

it('a parser that leaves entities alone is not accused', async () => {
  const { probe } = fakeProbe((v) => ({ text: v }), { value: order })
  expect(await firstOf(entityWays(probe))).toBeNull()
})
