/** Which views of an application a thing is pressed on that stands on all of them. */
import { describe, expect, it } from 'vitest'
import type { Pressable } from '../browser/pressable.ts'
import type { Frame } from '../browser/views.ts'
import { createRows } from './rows.ts'
import { createShell } from './shell.ts'
import { besideOf } from './views.ts'

const thing = (key: string, label = 'News'): Pressable => ({ key, label, names: '', asks: false, field: null })
/** A view where the bar's button stands at `key`; on the view that all are compared with it is the first of the bar. */
const frame = (key: string, there = thing('bar > button')): Frame => ({
  application: '/app.js',
  view: '/#/board',
  stood: [{ here: thing(key), there }],
})

describe('what stands on all views', () => {
  const press = (shell: ReturnType<typeof createShell>, effect: string, led = false, at = frame('a')): boolean => {
    const walk = shell.walk(at, 'page', '/')
    const id = walk.idOf(thing('a'), null) ?? ''
    if (!walk.isDue(id)) return false
    walk.begin(id)
    walk.done(id, { effect, led })
    return true
  }

  it('is pressed on two views where it did the same', () => {
    const shell = createShell()
    expect([press(shell, 'box'), press(shell, 'box'), press(shell, 'box')]).toEqual([true, true, false])
  })

  it('is pressed on further views until two of them agree', () => {
    const shell = createShell()
    const effects = ['box', 'list', 'map', 'list', 'box']
    expect(effects.map((effect) => press(shell, effect))).toEqual([true, true, true, true, false])
  })

  it('is waited for while two views press it, and no longer once one is done', async () => {
    const shell = createShell()
    const [first, second, third] = ['/', '/', '/'].map((page) => shell.walk(frame('a'), 'page', page))
    const id = third?.idOf(thing('a'), null) ?? ''
    expect(third?.under(id)).toBeNull()
    first?.begin(id)
    second?.begin(id)
    const under = third?.under(id)
    expect([third?.isDue(id), under]).toEqual([false, expect.any(Promise)])
    first?.done(id, { effect: 'box', led: false })
    await under
    second?.done(id, { effect: 'list', led: false })
    expect([third?.under(id), third?.isDue(id)]).toEqual([null, true])
  })

  it('is pressed once where it leads to a view', () => {
    const shell = createShell()
    expect([press(shell, 'view', true), press(shell, 'view', true)]).toEqual([true, false])
  })

  it('is another where it stands elsewhere on the view that all are compared with, or says something else there', () => {
    const shell = createShell()
    const others = [thing('bar > button:last-child'), thing('bar > button', 'Map')]
    expect([press(shell, 'box'), press(shell, 'box')]).toEqual([true, true])
    for (const there of others) expect(press(shell, 'box', false, frame('a', there))).toBe(true)
  })

  it('is another where another application draws it', () => {
    const shell = createShell()
    expect([press(shell, 'box'), press(shell, 'box')]).toEqual([true, true])
    expect(press(shell, 'box', false, { ...frame('a'), application: '/desk.js' })).toBe(true)
  })

  it('is known by its own words alone: neither numbers in them nor values of ours make it another', () => {
    const walk = createShell().walk(frame('a', thing('b')), 'page', '/')
    const counted = { ...frame('a'), stood: [{ here: thing('a', 'Basket 3'), there: thing('b', 'Basket 3') }] }
    expect(createShell().walk(counted, 'page', '/').idOf(thing('a', 'Basket 12'), null)).not.toBeNull()
    expect(walk.idOf(thing('a', 'News'), null)).not.toBeNull()
    expect(walk.idOf(thing('c', 'News'), null)).toBeNull()
  })

  it('has what it brings, too', () => {
    const walk = createShell().walk(frame('a'), 'page', '/')
    const opener = walk.idOf(thing('a'), null)
    expect(walk.idOf(thing('menu > li', 'Print'), opener)).toContain('Print')
    expect(walk.idOf(thing('menu > li', 'Print'), null)).toBeNull()
  })

  it('is asked anew with other values, and told where it was pressed nowhere', () => {
    const shell = createShell()
    expect([press(shell, 'box'), press(shell, 'box'), press(shell, 'box')]).toEqual([true, true, false])
    const walk = shell.walk(frame('a'), 'names', '/#/desk')
    const id = walk.idOf(thing('a'), null) ?? ''
    expect(walk.isDue(id)).toBe(true)
    walk.left(id)
    expect([...shell.left()]).toEqual(['/#/desk'])
    walk.begin(id)
    expect(shell.left().size).toBe(0)
  })

  it('leaves a page short where it differs elsewhere, also where that is seen later', () => {
    const shell = createShell()
    expect(press(shell, 'box')).toBe(true)
    const walk = shell.walk(frame('a'), 'page', '/#/desk')
    walk.left(walk.idOf(thing('a'), null) ?? '')
    expect(shell.left().size).toBe(0)
    expect(press(shell, 'list')).toBe(true)
    expect([...shell.left()]).toEqual(['/#/desk'])
  })
})

describe('rows of one template', () => {
  const done = (effects: readonly string[]) => {
    const rows = createRows()
    for (const effect of effects) rows.noting.done('li', effect)
    return (turn: number) => rows.sparing.isSpared('li', turn)
  }

  it('are left out at a further visit but for the first, where three or more did the same', () => {
    expect([0, 2, 3].map(done(['box', 'box', 'box']))).toEqual([false, false, true])
  })

  it('are all pressed again where they differ, or were too few', () => {
    expect(done(['box', 'box', 'list', 'box'])(3)).toBe(false)
    expect(done(['box', 'box'])(3)).toBe(false)
    expect(createRows().noting.isSpared('li', 9)).toBe(false)
  })
})

describe('views that a page is compared with', () => {
  const besides = (urls: readonly string[], url: string): readonly string[] =>
    besideOf(urls.map((path) => `http://shop.test${path}`))(`http://shop.test${url}`).map((one) => one.slice(16))

  it.each([
    ['routes of its document', ['/#/board', '/#/item/1', '/#/item/2'], '/#/item/2', ['/#/board', '/#/item/1']],
    ['those for a document without a route', ['/', '/#/board', '/#/desk'], '/', ['/#/board', '/#/desk']],
    ['those of the same document alone', ['/#/board', '/shop#/a', '/shop#/b'], '/shop#/b', ['/shop#/a', '/shop#/b']],
    ['other paths of its site', ['/item/1', '/item/2', '/desk'], '/desk', ['/item/1', '/desk']],
    ['none where there is one kind', ['/item/1', '/item/2'], '/item/1', []],
  ] as const)('%s', (_, urls, url, expected) => {
    expect(besides(urls, url)).toEqual(expected)
  })
})
