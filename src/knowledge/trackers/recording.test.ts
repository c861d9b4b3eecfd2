import { expect, test } from 'vitest'
import { isRecording } from './recording.ts'

const NODE = {
  type: 0,
  childNodes: [
    {
      type: 2,
      tagName: 'html',
      childNodes: [
        { type: 2, tagName: 'head', childNodes: [{ type: 2, tagName: 'title', childNodes: [] }] },
        {
          type: 2,
          tagName: 'body',
          childNodes: [{ type: 2, tagName: 'p', childNodes: [{ type: 3, textContent: 'Hi' }] }],
        },
      ],
    },
  ],
}
const snapshot = { type: 2, data: { node: NODE, initialOffset: { left: 0, top: 0 } }, timestamp: 1_764_000_000_000 }
const moves = Array.from({ length: 12 }, (_none, index) => ({ x: index * 3, y: 40, id: 5, timeOffset: -index }))
const change = (source: number) => ({ type: 3, data: { source, positions: [] }, timestamp: 1_764_000_000_100 })

test.each([
  ['a snapshot of the document', JSON.stringify([snapshot])],
  ['changes alone', JSON.stringify({ session: 'a', events: [change(0), change(3), change(5)] })],
  ['events as a text within the JSON', JSON.stringify({ data: JSON.stringify([snapshot, change(1)]) })],
  ['a text within a text', JSON.stringify({ a: JSON.stringify({ b: JSON.stringify([snapshot]) }) })],
  ['the pointer’s way', JSON.stringify({ type: 3, data: { source: 1, positions: moves }, timestamp: 1 })],
  [
    'a way in words of its own',
    JSON.stringify({ track: moves.map(({ x, y }) => ({ pageX: x, pageY: y, ts: 1_764_000_000_000 + x })) }),
  ],
  ['one that was cut off', JSON.stringify([snapshot, change(0), change(1)]).slice(0, -40)],
] as const)('%s', (_name, body) => {
  expect(isRecording(body)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['a page view', '{"n":"pageview","u":"https://shop.test/","timestamp":1764000000000}'],
  ['a tree of categories', JSON.stringify({ children: [{ children: [{ children: [{ name: 'Shoes' }] }] }] })],
  ['a chart', JSON.stringify({ points: moves.map(({ x, y }) => ({ x, y })) })],
  ['a menu of tags', JSON.stringify(Array.from({ length: 9 }, () => ({ tag: 'sale', children: [] })))],
  [
    'two timings',
    '{"events":[{"timestamp":1764000000000,"data":{"lcp":12}},{"timestamp":1764000000001,"data":{"cls":0}}]}',
  ],
] as const)('not %s', (_name, body) => {
  expect(isRecording(body)).toBe(false)
})
