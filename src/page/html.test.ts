import { describe, expect, it } from 'vitest'
import fc from '../../tests/support/properties.ts'
import { anyText } from '../../tests/support/texts.ts'
import { readHtml } from './html.ts'

const PAGE = 'https://shop.test/a/b?x=1'
const read = (html: string) => readHtml(html, PAGE)

describe('links', () => {
  it.each([
    ['relative to the page', '<a href="c">', ['https://shop.test/a/c']],
    ['relative to the base', '<base href="/z/"><a href="c">', ['https://shop.test/z/c']],
    ['only the first base counts', '<base href="/z/"><base href="/y/"><a href="c">', ['https://shop.test/z/c']],
    ['inside a comment', '<!-- <a href="c"> -->', []],
    ['inside a template', '<template><a href="c"></a></template>', []],
    ['inside noscript', '<noscript><a href="c"></a></noscript>', []],
    ['inside a script string', '<script>"<a href=c>"</script>', []],
    ['entity in the address', '<a href="?a=1&amp;b=2">', ['https://shop.test/a/b?a=1&b=2']],
    ['no address at all', '<a href="http://[">', [null]],
    ['attribute twice, the first holds', '<a href="c" href="d">', ['https://shop.test/a/c']],
    ['white space around', '<a href="  c\n">', ['https://shop.test/a/c']],
    ['area of a map', '<map><area href="/m"></map>', ['https://shop.test/m']],
  ])('%s', (_name, html, expected) => {
    expect(read(html).links.map((one) => one.url)).toEqual(expected)
  })

  it('keeps every name of what is pressed', () => {
    const page = readHtml(
      '<a href=/x title=Remove aria-label="Remove the list"><img alt=Bin>×</a><form><button><b>De</b>lete</button><input type=submit value=Save><input type=image alt=Go><input value=text></form>',
      'https://a.test/',
    )
    expect(page.links.map(({ label }) => label.split('\n'))).toEqual([['×', 'Remove the list', 'Remove', 'Bin']])
    expect(page.forms[0]?.inputs.map(({ label }) => label)).toEqual(['Delete', 'Save', 'Go', ''])
  })

  it('keeps text, target and rel', () => {
    const [link] = read('<a href=/ target=_blank rel="NoOpener  nofollow">  Sign\n <b>in</b></a>').links
    expect(link).toMatchObject({ text: 'Sign in', target: '_blank', rel: ['noopener', 'nofollow'] })
  })
})

describe('forms', () => {
  it.each([
    ['no action means the page itself', '<form></form>', PAGE, 'get'],
    ['empty action ignores the base', '<base href="/z/"><form action=""></form>', PAGE, 'get'],
    ['upper case method', '<form method=POST action=/pay></form>', 'https://shop.test/pay', 'post'],
    ['invalid method falls back to get', '<form method=put></form>', PAGE, 'get'],
  ])('%s', (_name, html, action, method) => {
    expect(read(html).forms[0]).toMatchObject({ action, method })
  })

  it('gives inputs to the form they name, else to the one around them', () => {
    const page = read(
      '<form id=one><input name=a><input name=x form=two></form><form id=two></form><input name=loose><button form=one name=b>',
    )
    expect(page.forms.map((form) => form.inputs.map((input) => input.name))).toEqual([['a', 'b'], ['x']])
    expect(page.looseInputs.map((input) => input.name)).toEqual(['loose'])
  })
})

describe('scripts, styles, frames and media', () => {
  it('tells inline from external, with integrity', () => {
    const page = read(
      '<script nonce=n>alert(1)</script><script src=//cdn.test/x.js integrity=sha384-a crossorigin></script>',
    )
    expect(page.scripts).toMatchObject([
      { src: null, nonce: 'n', code: 'alert(1)' },
      { src: { url: 'https://cdn.test/x.js' }, integrity: 'sha384-a', crossorigin: '', code: '' },
    ])
  })

  it('lists every candidate of a srcset', () => {
    const page = read('<img src=a.png srcset="b.png 1x, c.png 2x"><input type=image src=d.png><input src=e.png>')
    expect(page.media.map((one) => one.raw)).toEqual(['a.png', 'b.png', 'c.png', 'd.png'])
  })

  it('separates stylesheets from other links', () => {
    const page = read('<link rel="Alternate StyleSheet" href=a.css><link rel=icon href=i.png><object data=o></object>')
    expect(page.stylesheets.map((one) => one.raw)).toEqual(['a.css'])
    expect(page.resources.map((one) => one.raw)).toEqual(['i.png'])
    expect(page.frames.map((one) => one.raw)).toEqual(['o'])
  })

  it('keeps metas, comments, title, language and handlers', () => {
    const page = read(
      '<html lang=de><title> A\n B </title><meta http-equiv=Refresh content=1><body><!-- secret --><meta name=x content=y><img onerror=f()>',
    )
    expect(page).toMatchObject({ title: 'A B', lang: 'de', comments: [' secret '], truncated: false })
    expect(page.metas).toMatchObject([
      { httpEquiv: 'refresh', inHead: true },
      { name: 'x', inHead: false },
    ])
    expect(page.handlers.map((one) => one.tag)).toEqual(['img'])
  })
})

describe('bounds', () => {
  const bytes = 262_144
  it.each([
    ['nested without end', '<div>'.repeat(bytes / 5)],
    ['formatting reopened in every block', `${tags('b', 3_000)}${'<p>x</p>'.repeat(20_000)}`],
    ['too long', 'x'.repeat(bytes + 1)],
  ])('%s: cut, and said so', (_name, html) => {
    const started = process.cpuUsage()
    expect(read(html).truncated).toBe(true)
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000)
  })

  it.each([
    [
      'one tag with 40,000 attributes',
      `<a ${Array.from({ length: 40_000 }, (_, index) => index.toString(36)).join(' ')}>`,
    ],
    ['20,000 html tags', Array.from({ length: 20_000 }, (_, index) => `<html ${index.toString(36)}>`).join('')],
    ['foster parenting', `<table>${'<b>x</b>'.repeat(30_000)}`],
  ])('%s: within seconds', (_name, html) => {
    const started = process.cpuUsage()
    read(html)
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000)
  })

  it('never throws, and reads the same twice', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<!--',
        '-->',
        '<table>',
        '<a href=',
        '"',
        '<form>',
        '<svg>',
        '<template>',
        '&#x',
      ),
      anyText({ maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const html = pieces.join('')
        const first = read(html)
        forget()
        expect(read(html)).toEqual(first)
      }),
    )
  })
})

/** Reads as many others as are remembered. */
function forget(): void {
  for (let at = 0; at < 20; at += 1) readHtml(`<p>${at}`, 'https://a.example/')
}

function tags(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `<${name} id=${index}>`).join('')
}

it('a page that is read again is the page that was read, at its own address alone', () => {
  const html = '<a href="next">on</a>'
  const first = readHtml(html, 'https://a.example/one/')
  expect(readHtml(html, 'https://a.example/one/')).toBe(first)
  expect(readHtml(html, 'https://a.example/two/').links[0]?.url).toBe('https://a.example/two/next')
})

it('pages that were read are not kept for ever', () => {
  const first = readHtml('<p>first', 'https://a.example/')
  forget()
  expect(readHtml('<p>first', 'https://a.example/')).not.toBe(first)
  const large = 'x'.repeat(1_000_001)
  const one = readHtml(large, 'https://a.example/')
  expect(readHtml(large, 'https://a.example/')).not.toBe(one)
})
