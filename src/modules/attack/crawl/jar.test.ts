/** Which cookies belong to an address. */
import { expect, it } from 'vitest'
import { createJar } from './jar.ts'

const names = (jar: ReturnType<typeof createJar>, path: string): readonly string[] =>
  jar.at(`https://shop.test${path}`).map(({ name }) => name)

it('one is sent to its path and what lies below, the longest path first', () => {
  const jar = createJar()
  jar.set('https://shop.test/a/form', 'whole=1; Path=/')
  jar.set('https://shop.test/a/form', 'own=2; Path=/a/form; HttpOnly')
  jar.set('https://shop.test/a/form', 'folder=3')
  expect(names(jar, '/a/form')).toEqual(['own', 'folder', 'whole'])
  expect(names(jar, '/a/form/run?x=1')).toEqual(['own', 'folder', 'whole'])
  expect(names(jar, '/a/formal')).toEqual(['folder', 'whole'])
  expect(names(jar, '/b')).toEqual(['whole'])
})

it('a page among hundreds that each set one has its own', () => {
  const jar = createJar()
  for (let page = 0; page < 400; page += 1) jar.set(`https://shop.test/p${page}`, `c${page}=x; Path=/p${page}`)
  expect(names(jar, '/p399')).toEqual(['c399'])
})

it('one name for several parts belongs to all, and what a script set as well', () => {
  const jar = createJar()
  jar.set('https://shop.test/a', 'mark=1; Path=/a')
  jar.set('https://shop.test/b', 'mark=2; Path=/b')
  jar.keep('theme', 'dark')
  expect(names(jar, '/c')).toEqual(['mark', 'theme'])
  expect(jar.all.get('mark')).toBe('2')
})

it('one that few programs set is their own, what most set, or a script, is nobody’s', () => {
  const jar = createJar()
  const own = (path: string) => jar.at(`https://shop.test${path}`).flatMap((one) => (one.own ? [one.name] : []))
  jar.set('https://shop.test/settings?tab=2', 'settings=gASVBQ; Path=/')
  for (let page = 0; page < 5; page += 1) jar.set(`https://shop.test/p${page}`, 'session=x; Path=/')
  jar.keep('theme', 'dark')
  expect(own('/settings')).toEqual(['settings'])
  expect(own('/p1')).toEqual([])
})
