/** Applications as they are served: what is planted shows itself over HTTP on every way, its twin does not. */
import { expect, test } from 'vitest'
import { planMany } from './many.ts'
import { addressOf } from './pages.ts'
import { type Application, type Planted, planApplication, SPOTS, WAYS } from './plan.ts'
import { PACKED, packedWith, parameterOf, sentFor } from './sent.ts'
import { serveApplication } from './serve.ts'

const ADDRESS = '127.0.0.1'
const SEEDS = Array.from({ length: 30 }, (_, at) => at + 1)
const PLANNED = SEEDS.map((seed) => planApplication(seed, { places: 12 }))

test('every way and every request is planned', () => {
  const places = Array.from({ length: 200 }, (_, seed) => planApplication(seed, { places: 12 })).flatMap(
    (one) => one.places,
  )
  expect(new Set(places.map(({ way }) => way))).toEqual(new Set(WAYS))
  expect(new Set(places.map(({ spot }) => spot))).toEqual(new Set(SPOTS))
})

test.each(PLANNED)('seed $seed', (application) => shown(application))

test('many small programs beside each other, each with an address of its own', async () => {
  const application = planMany(1, 90)
  expect(new Set(application.places.map(({ path }) => path))).toHaveProperty('size', 90)
  const linked = [...(application.around?.pages.values() ?? [])].join('')
  for (const { entry } of application.places) expect(linked).toContain(`href="${entry}"`)
  await shown(application)
})

/** Each flaw shows what its witness makes of it, and no safe twin does. */
const shown = async (application: Application): Promise<void> => {
  const serving = await serveApplication(application, ADDRESS)
  try {
    for (const place of application.places) {
      const witness = place.sink.witness(place.filter)
      if (witness === null) throw new Error('nothing gets through the filter')
      const said = await saidTo(application, place, witness.send, `http://${ADDRESS}:${serving.port}`)
      const seen = place.speaksJson ? textOf(witness.seen) : witness.seen
      const what = `${place.at} ${place.way} ${place.spot} ${place.filter} ${place.sink.name}`
      expect(said.toLowerCase().includes(seen.toLowerCase()), `${what}: ${said}`).toBe(place.vulnerable)
    }
  } finally {
    await serving.close()
  }
}

/** Of a document, as an interface has it: in a list each line is an item. */
const textOf = (html: string): string => html.replace(/^<ul><li>/, '["').replace(/<[^>]*>/g, '')

/** All that the application says to the value: of its head, its document, and where it leads. */
const saidTo = async ({ cookie }: Application, place: Planted, value: string, origin: string): Promise<string> => {
  const jar = new Map(cookie === null ? [] : [cookie.split('=') as [string, string]])
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookies = [...jar].map((pair) => pair.join('=')).join('; ')
    const headers = { ...(cookies === '' ? {} : { Cookie: cookies }), ...(init.headers as Record<string, string>) }
    const answer = await fetch(`${origin}${path}`, { redirect: 'manual', ...init, headers })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', given = ''] = (line.split(';')[0] ?? '').split('=')
      jar.set(name, given)
    }
    return answer
  }
  const entry = await (await ask(place.entry)).text()
  const token = /name="csrf_token" value="(\w+)"/.exec(entry)?.[1] ?? ''
  if (place.spot === 'cookie') jar.set(place.input, encodeURIComponent(value))
  if (place.spot === 'cookie-packed') jar.set(PACKED, encodeURIComponent(packedWith(place.input, value)))
  const answer = await ask(addressOf(place, value), initOf(place, value, token))
  const last = {
    posted: () => ask(answer.headers.get('location') ?? ''),
    kept: () => ask(`${place.entry}/latest`),
    replaced: () => ask(`${place.entry}/latest`),
  }[place.way as string]
  return wholeOf(last ? await last() : answer)
}

const wholeOf = async (answer: Response): Promise<string> => {
  const lines = [...answer.headers].map(([name, value]) => `\r\n${name}: ${value}`)
  return `${lines.join('')}\r\n\r\n${await answer.text()}`
}

const initOf = (place: Planted, value: string, token: string): RequestInit => {
  if (place.spot === 'header') return { headers: { [parameterOf(place).slice('header '.length)]: value } }
  const { method, type, body } = sentFor(place, value)
  if (place.spot === 'multipart') {
    const form = new FormData()
    for (const [name, text] of [
      [place.input, value],
      ['csrf_token', token],
    ] as const)
      form.set(name, text)
    return { method, body: form }
  }
  if (body === undefined || type === undefined) return { method }
  return {
    method,
    headers: { 'Content-Type': type },
    body: place.spot === 'urlencoded' ? `${body}&csrf_token=${token}` : body,
  }
}
