import { describe, expect, it } from 'vitest'
import { visibleText, withoutCode, withoutComments, withoutHidden } from './visible.ts'

describe('visibleText', () => {
  it.each([
    ['blocks become lines', '<p>a</p><div>b<br>c</div>', ['a', 'b', 'c']],
    ['scripts and styles are no text', 'a<SCRIPT>b</script >c<style>d</style>e', ['a', 'c', 'e']],
    ['a script without end takes the rest', 'a<script>b</p>', ['a']],
    ['entities are read once', '&lt;b&gt; &amp;lt;', ['<b> &lt;']],
    ['by number, too', 'File &#34;a.py&#x22;, line 4&nbsp;&#99999999;', ['File "a.py", line 4 &#99999999;']],
  ])('%s', (_name, html, lines) => {
    const seen = visibleText(html)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    expect(seen).toEqual(lines)
  })

  it('comments go', () => {
    expect(withoutComments('a<!-- b -->c<!-- d')).toBe('a\nc')
  })

  it.each([
    ['scripts, styles and comments', 'a<script src=x>b</script>c<!-- d -->e<STYLE>f</style >g', 'aceg'],
    ['a comment with the beginning of a script', 'a<!-- <script> -->b', 'ab'],
    ['a script with the beginning of a comment', 'a<script>"<!--"</script>b', 'ab'],
    ['what has no end takes the rest', 'a<!-- b <p>c', 'a'],
  ])('code goes: %s', (_name, html, left) => {
    expect(withoutCode(html).replaceAll('\n', '')).toBe(left)
  })
})

describe('what is shown when a script says so', () => {
  const left = (html: string): string =>
    withoutHidden(html)
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()

  it.each([
    ['by a class', '<p>a</p><div class="box hidden">b<div>c</div>d</div><p>e</p>', 'a e'],
    ['by an attribute', '<p hidden>b</p>a', 'a'],
    ['by a style', `<p style='color:red; display: none'>b</p>a`, 'a'],
    ['a dialog', '<dialog>b</dialog><div role="dialog">c</div>a', 'a'],
    ['a template', '<template><p>b</p></template>a', 'a'],
  ])('goes: %s', (_how, html, expected) => {
    expect(left(html)).toBe(expected)
  })

  it.each([
    ['an open dialog', '<dialog open>a</dialog>', 'a'],
    ['a dialog that the server has opened by a class', '<div class="modal fade show" role="dialog">a</div>', 'a'],
    ['and by a style', `<div class="modal" style="padding:1em;display:block">a</div>`, 'a'],
    ['a class of another name', '<p class="hidden-price unhide">a</p>', 'a'],
    ['what is never closed', '<div class=modal>a<p class="hidden">b', 'a b'],
    ['an input', '<input hidden>a', 'a'],
    ['tags without end', '<div class="hidden"><div '.repeat(20_000), '<div <div <div <div'],
  ])('stays: %s', (_what, html, expected) => {
    expect(left(html).slice(0, 19).trim()).toBe(expected.slice(0, 19))
  })
})
