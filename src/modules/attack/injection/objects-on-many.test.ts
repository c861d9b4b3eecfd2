/** A cookie that stands beside every request, and is an object to one program alone. */
import { afterEach, expect, it } from 'vitest'
import { closeProbed, cookiesOf, crawlOf, html, pointOf, probed } from '../insertion-points/testing/probing.ts'
import { askObjects } from './probes/answers.ts'

afterEach(closeProbed)

const MAP =
  'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAF3CAAAAAIAAAABdAABYXQAAWJ4'
const PROGRAMS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'settings']

/** What `ObjectInputStream` does with a version of a class that is none; what is no stream is forgotten, as one that was never there. */
const isRead = (value: string): boolean => {
  const stream = Buffer.from(value, 'base64')
  if (stream.length < 4 || stream.readUInt32BE() !== 0xaced_0005 || !stream.includes('java.util.HashMap')) return true
  const at = stream.indexOf('java.util.UUID')
  if (at >= 0) return stream.readBigInt64BE(at + 'java.util.UUID'.length) === -4856846361193249489n
  const [event, bool] = ['java.util.EventObject', 'java.util.concurrent.atomic.AtomicBoolean'].map((name) => {
    const found = stream.indexOf(name)
    return found < 0 ? null : stream.readBigInt64BE(found + name.length)
  })
  if (event != null) return event === 5516075349620653480n
  return bool == null ? !stream.includes('java.lang.Thread') : bool === 4654671469794556979n
}

const found = async (reads: string | null) => {
  const points = PROGRAMS.flatMap((name) => [
    pointOf(name, 'cookie', 'prefs', MAP),
    pointOf(name, 'cookie', 'area', 'north'),
  ])
  const { facts, asked } = await probed(
    ({ url = '', headers }, response) => {
      const isSettings = reads !== null && url.startsWith(`/${reads}`)
      if (isSettings && !isRead(decodeURIComponent(cookiesOf(headers.cookie).prefs ?? ''))) response.statusCode = 500
      response.end(html(`${url.slice(1, 3)} ${decodeURIComponent(cookiesOf(headers.cookie).area ?? '')}`))
    },
    crawlOf(points),
    null,
    null,
    {
      probe: (probe, hit) => askObjects(probe, () => hit('object')),
      brief: (probe, hit) => askObjects(probe, () => hit('object')),
    },
  )
  const hits = facts.points.filter((one) => one.hits.length > 0)
  return { asked, places: hits.map(({ at }) => `${new URL(at.url).pathname} ${at.name}`) }
}

it.each(['settings', 'a'])('is found at the program that reads it, %s', async (program) => {
  expect((await found(program)).places).toEqual([`/${program} prefs`])
})

it('is found at none where nothing reads it', async () => {
  const { asked, places } = await found(null)
  expect(places).toEqual([])
  // A program costs little, though each shows what another cookie holds.
  expect(asked).toBeLessThanOrEqual(9 * PROGRAMS.length)
})
