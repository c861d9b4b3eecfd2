import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Press, Pressable } from './pressable.ts'
import { type Unpressed, walkAll } from './walking.ts'

const pressable = (key: string): Pressable => ({ key, label: key, names: key, field: null }) as unknown as Pressable

/** A menu that brings two choices and closes with each. `opens`: how often it can be pressed; `keeps`: whether both come each time. */
const walkMenu = async (opens: number, keeps = true): Promise<{ pressed: readonly string[]; left: Unpressed }> => {
  const pressed: string[] = []
  let isOpen = false
  let times = 0
  const page = {
    ...{ url: () => 'https://shop.test/#/list', isClosed: () => false, on: () => page, off: () => page },
    evaluate: async () => 0,
  } as unknown as Page
  const press = async ({ key }: Press): Promise<boolean> => {
    if (key === 'menu') {
      times += 1
      isOpen = times <= opens
      if (!isOpen) return false
    } else isOpen = false
    pressed.push(key)
    return true
  }
  const choices = (): readonly string[] => (!isOpen ? [] : keeps || times === 1 ? ['first', 'second'] : ['first'])
  const reopen = async (): Promise<void> => {
    isOpen = false
  }
  const left = await walkAll(
    page,
    { before: () => undefined, again: reopen },
    {
      ...{ list: async () => ['menu', ...choices()].map(pressable), reasonAgainst: () => null, press },
      ...{ pressOf: ({ key }) => ({ key, field: null, words: key }), settle: async () => undefined },
    },
  )
  return { pressed, left }
}

test('what a menu brings is pressed, and the menu again for each of it', async () => {
  const { pressed, left } = await walkMenu(9)
  expect(pressed).toEqual(['menu', 'first', 'menu', 'second'])
  expect(left).toEqual({ left: 0, held: 0 })
})

test('what cannot be brought back was not pressed, and is counted', async () => {
  const { pressed, left } = await walkMenu(1)
  expect(pressed).toEqual(['menu', 'first'])
  expect(left).toEqual({ left: 1, held: 0 })
})

test('what the page has no more, though the whole way to it was gone, is no shortfall', async () => {
  const { pressed, left } = await walkMenu(9, false)
  expect(pressed.filter((key) => key !== 'menu')).toEqual(['first'])
  expect(left).toEqual({ left: 0, held: 0 })
})
