import { describe, expect, it } from 'vitest'
import { visibleText, withoutCode, withoutComments } from './visible.ts'

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
