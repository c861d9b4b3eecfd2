/** One file of scripts on pages that hold others besides: what it does there is one flaw. */
import { expect, it } from 'vitest'
import { scanned, scriptedOf } from '../testing/scanned.ts'

const SHOWS = "document.getElementById('n').innerHTML = new URLSearchParams(location.search).get('notice') ?? ''"
const page = (besides: string): string => `<p id=n></p><script src="/notice.js"></script>${besides}`
const SITE: Readonly<Record<string, string>> = {
  '/notice.js': SHOWS,
  '/map.js': 'var map = {}',
  '/news': page(''),
  '/map': page('<script src="/map.js"></script>'),
  '/team': page('<script>var team = 4</script>'),
  '/own': `<p id=n></p><script>${SHOWS}</script>`,
}

it('is told once, and apart from what a page does itself', async () => {
  const pages = Object.keys(SITE).filter((path) => !path.endsWith('.js'))
  const { found, places } = await scanned(
    (_sent, { url = '' }) => SITE[url.split('?')[0] ?? ''] ?? '',
    scriptedOf(pages),
  )
  expect(found).toEqual(['xss/dom confirmed', 'xss/dom confirmed'])
  expect(places.map((urls) => urls.map((url) => new URL(url).pathname).toSorted())).toEqual([
    ['/map', '/news', '/team'],
    ['/own'],
  ])
}, 60_000)
