/** What the places of an application answer, in each of their manners. */
import { randomInt, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { filtered } from './filters.ts'
import { layout } from './pages.ts'
import type { Application, Planted, Way } from './plan.ts'
import { type Asked, givenIn } from './request.ts'
import { type Around, escaped, type Said } from './sink.ts'

export interface Answering {
  readonly use: (place: Planted, asked: Asked, response: ServerResponse) => Promise<void>
  /** What was stored at the place, worked with. */
  readonly latest: (place: Planted, response: ServerResponse) => Promise<void>
}

/** Milliseconds that a slow page takes at most. */
const SLOW = 300
/** Stored values that a page works with, and those that an address of their own still names. */
const SHOWN = 3
const MOST_STORED = 500

/** Ways whose form only says thank you. */
export const KEEPING: readonly Way[] = ['kept', 'replaced']

interface Answer {
  readonly status: number
  readonly said: Said
}

export const answersTo = (application: Application, around: Around): Answering => {
  const stored = new Map<Planted, Map<string, string>>()

  const store = (place: Planted, value: string): string => {
    const of = stored.get(place) ?? new Map<string, string>()
    stored.set(place, of)
    const id = randomUUID()
    of.set(id, value)
    for (const oldest of of.keys()) if (of.size > MOST_STORED) of.delete(oldest)
    return id
  }
  const storedIn = (place: Planted): ReadonlyMap<string, string> => stored.get(place) ?? new Map()
  const show = (place: Planted, { status, said }: Answer, response: ServerResponse): void =>
    write(response, status, said, bodyOf(application, place, status, said), place.speaksJson)

  return {
    use: async (place, asked, response) => {
      const value = filtered[place.filter](givenIn(place, asked) ?? place.sink.value)
      if (place.answers === 'slow') await delay(SLOW * Math.random())
      if (asked.request.method === 'POST' && (place.way === 'posted' || KEEPING.includes(place.way))) {
        const id = store(place, value)
        if (KEEPING.includes(place.way))
          return show(place, { status: 200, said: { html: '<p>Thank you.</p>' } }, response)
        return void response.writeHead(303, { Location: `${place.path}/${id}` }).end()
      }
      const id = asked.url.pathname.slice(place.path.length + 1)
      const given = place.way === 'posted' ? storedIn(place).get(id) : value
      const none: Answer = { status: 404, said: { html: '<p>Nothing was sent.</p>' } }
      show(place, given === undefined ? none : await attempt(place, given, around), response)
    },
    latest: async (place, response) => {
      const parts: Answer[] = []
      for (const value of [...storedIn(place).values()].slice(place.way === 'replaced' ? -1 : -SHOWN))
        parts.push(await attempt(place, value, around))
      const html = parts.map(({ said }) => `<section>${said.html}</section>`).join('')
      show(place, { status: Math.max(200, ...parts.map(({ status }) => status)), said: { html } }, response)
    },
  }
}

const attempt = async (place: Planted, value: string, around: Around): Promise<Answer> => {
  try {
    const said = await (place.vulnerable ? place.sink.careless : place.sink.careful)(value, around)
    return { status: 200, said }
  } catch (error) {
    const text = place.answers === 'hidden' || place.answers === 'soft' ? 'Something went wrong.' : String(error)
    return { status: place.answers === 'soft' ? 200 : 500, said: { html: `<p>${escaped(text)}</p>` } }
  }
}

const TEASERS = ['Ten quiet lakes', 'A week of soup', 'Boots that last', 'Letters home', 'The long way', 'Wool or not']

/** So many of them, in any order. */
const teasers = (): string => {
  const left = [...TEASERS]
  const drawn = Array.from({ length: 3 }, () => left.splice(randomInt(left.length), 1)[0] ?? '')
  return `<aside>${drawn.map((one) => `<p>${one}</p>`).join('')}</aside>`
}

const bodyOf = (application: Application, place: Planted, status: number, { html }: Said): string => {
  const noise = place.answers === 'noisy' ? `<p>Visitor ${randomUUID()} at ${new Date().toISOString()}</p>` : ''
  const around = place.answers === 'shuffled' ? teasers() : ''
  if (place.speaksJson) return jsonOf(status, `${html}${noise}${around}`)
  return layout(application, `<h1>${place.entry.slice(1)}</h1>${html}${noise}${around}`)
}

const jsonOf = (status: number, html: string): string => {
  const lines = html.split(/<[^>]*>/).flatMap((text) => (text.trim() === '' ? [] : [unescaped(text)]))
  return JSON.stringify(status === 200 ? { ok: true, items: lines } : { ok: false, error: lines.join(' ') })
}

const unescaped = (text: string): string => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

const write = (response: ServerResponse, status: number, said: Said, body: string, isJson: boolean): void => {
  const type = isJson ? 'application/json' : 'text/html; charset=utf-8'
  if (said.line === undefined) {
    const head = { 'Content-Type': type }
    response.writeHead(
      said.location === undefined ? status : 302,
      said.location === undefined ? head : { ...head, Location: encodeURI(said.location) },
    )
    response.end(body)
    return
  }
  // The line as it is: Node's own writer would refuse one that holds a line break.
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${said.line}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  response.socket?.end(head + body)
}
