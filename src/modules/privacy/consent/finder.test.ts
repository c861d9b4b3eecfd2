import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { consentWords } from '../../../knowledge/consent/words.ts'
import type { Profile } from '../visit/profile.ts'
import { awaitDialog } from './finder.ts'
import type { Found, FoundBox } from './found.ts'

const PLACE = { x: 0, y: 0, width: 400, height: 200 }
const buttonOf = (text: string, index: number) => ({
  ...{ ...PLACE, index, text, href: null, selector: 'button', fontSize: 16 },
  ...{ look: 'button' as const, contrast: 7, prominence: 7 },
})
const dialogAs = (
  position: FoundBox['position'],
  text = 'We use cookies. Do you agree to our use of cookies?',
): FoundBox => ({
  ...{ position, text, box: PLACE, ticks: [] },
  buttons: [buttonOf('Accept all', 0), buttonOf('Reject all', 1)],
})
const found = (...boxes: FoundBox[]): Found => ({ boxes, covered: 0 })

/** A page whose script sees `open(look)`, and whose closed shadow root holds `closed(look)`; looks are counted from one. */
const pageWith = ({ open, closed }: { open: (look: number) => Found; closed?: (look: number) => Found }) => {
  const counts = { looks: 0, documents: 0 }
  const frame = {
    parentFrame: () => null,
    evaluate: async () => {
      counts.looks += 1
      return open(counts.looks)
    },
  }
  const send = async (method: string): Promise<unknown> => {
    if (method === 'DOM.getDocument') {
      counts.documents += 1
      const shadowRoots = closed === undefined ? [] : [{ backendNodeId: 2, shadowRootType: 'closed' }]
      return { root: { backendNodeId: 1, shadowRoots } }
    }
    return method === 'DOM.resolveNode'
      ? { object: { objectId: 'root' } }
      : { result: { value: closed?.(counts.looks) } }
  }
  const page = { frames: () => [frame] } as unknown as Page
  const context = { newCDPSession: async () => ({ send, detach: async () => undefined }) }
  const profile = { context, signal: new AbortController().signal } as unknown as Profile
  return { counts, parts: { profile, page, words: consentWords } }
}
const within = (milliseconds: number, every = 10) => ({ end: performance.now() + milliseconds, every })

test('a page without a dialog: it is written out for a quarter of the looks, and for the last', async () => {
  const { counts, parts } = pageWith({ open: () => found() })
  expect(await awaitDialog(parts, within(300))).toBeNull()
  expect(counts.looks).toBeGreaterThan(4)
  expect(counts.documents).toBeGreaterThanOrEqual(2)
  expect(counts.documents).toBeLessThanOrEqual(Math.floor(counts.looks / 4) + 1)
})

test('one in a closed shadow root is found, also where there is time for one look only', async () => {
  const closed = () => found(dialogAs('fixed'))
  const late = pageWith({ open: () => found(), closed })
  expect((await awaitDialog(late.parts, within(5_000)))?.position).toBe('fixed')
  expect(late.counts.looks).toBe(4)
  expect(await awaitDialog(pageWith({ open: () => found(), closed }).parts, within(0))).not.toBeNull()
})

test('what stands in the flow of the page does not hide one in a closed shadow root', async () => {
  const { parts } = pageWith({ open: () => found(dialogAs('flow')), closed: () => found(dialogAs('fixed')) })
  expect((await awaitDialog(parts, within(5_000)))?.position).toBe('fixed')
})

test('what the buttons of the page itself mean is not asked', async () => {
  const { parts } = pageWith({ open: () => found(dialogAs('page')) })
  const asked: string[] = []
  const words = { ...consentWords, roleOf: (label: string) => consentWords.roleOf(asked[asked.push(label) - 1] ?? '') }
  expect(await awaitDialog({ ...parts, words }, within(0))).toBeNull()
  expect(asked).toEqual([])
  const fixed = pageWith({ open: () => found(dialogAs('page'), dialogAs('fixed')) })
  expect((await awaitDialog({ ...fixed.parts, words }, within(0)))?.position).toBe('fixed')
  expect(asked).toEqual(['Accept all', 'Reject all'])
})

test('it ends with what else is waited for', async () => {
  const { counts, parts } = pageWith({ open: () => found() })
  const other = async () => counts.looks === 2
  expect(await awaitDialog(parts, { ...within(5_000), other })).toBeNull()
  expect(counts.looks).toBe(2)
})
