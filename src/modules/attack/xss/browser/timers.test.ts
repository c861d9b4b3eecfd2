import { EventEmitter } from 'node:events'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createActivity } from './timers.ts'

const asking = (url: string): number => {
  const page = new EventEmitter()
  const activity = createActivity()
  activity.follow(page as unknown as Page)
  page.emit('request', { url: () => url, resourceType: () => 'xhr' })
  return activity.pending
}

it('waits for what a page asks for, and not for messages that may come', () => {
  expect(asking('http://shop.test/api/goods?page=1')).toBe(1)
  expect(asking('http://shop.test/socket.io/?EIO=4&transport=polling&t=x1&sid=A')).toBe(0)
  expect(asking('http://shop.test/live/123/abcdef01/xhr_streaming')).toBe(0)
})
