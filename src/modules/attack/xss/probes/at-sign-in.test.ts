import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { plantAtSignIn } from './at-sign-in.ts'

const POSTED = { method: 'POST', url: 'http://shop.test/session' }
const header = (name: string, url = POSTED.url) =>
  fakeProbe(() => ({ text: '' }), { place: 'header', name, value: '', request: { ...POSTED, url } }).probe
const planting = async (environment: 'test' | 'production', taken = true) => {
  const said: string[] = []
  const leading = {
    paths: new Set(['/session']),
    ...{ to: async () => null, fields: [], behind: async () => false, instead: async () => false },
    saying: async (headers: readonly (readonly [string, string])[]) => {
      said.push(headers.map(([name, value]) => `${name}: ${value}`).join(', '))
      return taken
    },
  }
  const probes = [
    header('X-Forwarded-For'),
    header('Referer'),
    header('User-Agent'),
    header('Referer', 'http://shop.test/a'),
  ]
  const context = { session: { leading }, target: { environment } }
  const planted = await plantAtSignIn(context as never, probes, (point) => ({ ...header(point.name), point }))
  return { planted, said }
}

it('says the headers that are kept in one sign-in, a word in each, and payloads one by one, six in all', async () => {
  const { planted, said } = await planting('test')
  expect(said).toEqual([planted.map(({ probe, word }) => `${probe.point.name}: ${word}`).join(', ')])
  expect(planted.map(({ probe }) => probe.point.name)).toEqual([
    'X-Forwarded-For',
    'X-Real-IP',
    'True-Client-IP',
    'X-Client-IP',
    'Referer',
  ])
  for (let turn = 0; turn < 5; turn += 1) expect((await planted[0]?.probe.send(`<i>${turn}`))?.status).toBe(200)
  expect(said.at(-1)).toBe('X-Forwarded-For: <i>4')
  await expect(planted[0]?.probe.send('<i>6')).rejects.toThrow('signed in often enough')
  expect(said).toHaveLength(6)
})

it('says nothing on a production system, and looks for nothing where it was not taken', async () => {
  expect(await planting('production')).toEqual({ planted: [], said: [] })
  expect((await planting('test', false)).planted).toEqual([])
})
