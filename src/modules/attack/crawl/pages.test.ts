import { expect, test } from 'vitest'
import { readPage } from './pages.ts'

test('of the calls of a stack, each a link to its file and line, one is followed', () => {
  const calls = ['/srv/app/Rooms.php', 'src/Desk.php', 'public/index.php'].map(
    (file, line) =>
      `<a href="/_tool/open?file=${encodeURIComponent(file)}&amp;line=${line + 8}#line${line + 8}">${file}</a>`,
  )
  const others = [
    '<a href="/en/rooms">Rooms</a>',
    '<a href="/files?file=a.pdf&amp;line=1">a</a>',
    '<a href="/files?file=b.pdf&amp;line=2">b</a>',
  ]
  const { links } = readPage([...calls, ...others].join('\n'), 'http://lodge.test/nope')
  expect(links.map(({ url }) => url.replace('http://lodge.test', ''))).toEqual([
    '/_tool/open?file=%2Fsrv%2Fapp%2FRooms.php&line=8#line8',
    ...['/en/rooms', '/files?file=a.pdf&line=1', '/files?file=b.pdf&line=2'],
  ])
})

test('a link to the page in another language says that it is one; the language that is there, and an unknown one, do not', () => {
  const named = ['?lang=de', '?lang=en_GB', '?setlang=fr', '?locale=pt-BR&page=2', '?lang=all', '/de/rooms']
  const linksOf = (html: string) => {
    const { links } = readPage(
      `${html}${named.map((href) => `<a href="${href}">x</a>`).join('')}`,
      'http://lodge.test/',
    )
    return links.flatMap(({ url, harm }) => (harm === null ? [] : [url.replace('http://lodge.test/', '')]))
  }
  expect(linksOf('<html lang=en-US>')).toEqual(['?lang=de', '?setlang=fr', '?locale=pt-BR&page=2'])
  expect(linksOf('<html>')).toEqual([])
})
