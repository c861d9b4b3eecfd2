/**
 * Forms whose options lead to different pages: a list of pages to choose from is navigation, whatever its method. Two options
 * are tried; where they lead apart, so are the others.
 */
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import { WRITES_PER_FORM } from '../../../safety/policy.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import type { RequestTemplate } from './facts.ts'
import type { Choice, Draft } from './requests.ts'

export interface ChoicesParts {
  /** Equal for addresses that the same code answers. */
  readonly routeOf: (address: string) => string
  /** Another address to ask for; true where it is new. */
  readonly follow: (address: string, on: string | null) => boolean
  /** Null where nothing answers. */
  readonly send: (request: HttpRequest) => Promise<HttpExchange | null>
  /** Whether this may be sent again, by what is known of it now. */
  readonly maySend: (request: RequestTemplate) => boolean
  /** Reads an answer as that to this request. */
  readonly read: (request: RequestTemplate, answer: HttpExchange) => void
  readonly isOver: () => boolean
}

export interface Choices {
  /** A form that was met. */
  readonly note: (form: Draft) => void
  /** What a posted form has answered with its own values. */
  readonly answered: (request: RequestTemplate, answer: HttpExchange) => void
  /** Tries what is left to try. True where it gave addresses to ask for, or answers. */
  readonly walk: () => Promise<boolean>
}

const MAX_OPTIONS = 300
const SAMPLES = 4
/** The same list stands on many pages; so often it is tried. */
const PER_LIST = 2

export const createChoices = (parts: ChoicesParts): Choices => {
  const known = new Set<string>()
  const lists = new Map<string, number>()
  const links: Linked[] = []
  const posted = new Map<string, Draft>()
  const waiting: { readonly request: RequestTemplate; readonly form: Draft; readonly first: HttpExchange }[] = []

  const walkLinks = (): boolean => {
    let any = false
    for (const { all, own, on } of links.splice(0)) {
      const routes = new Set([own, ...all.slice(0, SAMPLES)].map(parts.routeOf))
      if (routes.size > 1) for (const address of all.slice(SAMPLES)) any = parts.follow(address, on) || any
    }
    return any
  }

  /** One option after another while they lead apart; as many as a form may write, unless most lead to a place of their own. */
  const walkPosted = async (request: RequestTemplate, choice: Choice, first: HttpExchange): Promise<boolean> => {
    const seen = new Set([leadOf(request, first)])
    const send = (one: RequestTemplate): Promise<HttpExchange | null> => {
      const { url, method, headers, body } = requestOf(one)
      return parts.send({ url, method, headers, ...(body === null ? {} : { body }) })
    }
    let any = false
    for (const [index, value] of spread(choice.values).entries()) {
      const leads = index < SAMPLES || seen.size > (index < WRITES_PER_FORM ? 1 : index / 2)
      if (parts.isOver() || !parts.maySend(request) || !leads) break
      const chosen = choosing(request, choice.name, value)
      if (chosen === null) continue
      const answer = await send(chosen)
      if (answer === null) continue
      any = true
      seen.add(leadOf(request, answer))
      parts.read(chosen, answer)
    }
    // Options that lead to one place may be a setting, which the rest of the run is to find as it was.
    if (any && seen.size === 1 && parts.maySend(request)) await send(request)
    return any
  }

  return {
    note: (form) => {
      const key = keyOf(form)
      if (!form.choices?.length || known.has(key)) return
      known.add(key)
      const list = JSON.stringify([form.method, form.choices])
      const times = lists.get(list) ?? 0
      lists.set(list, times + 1)
      if (times >= PER_LIST) return
      if (form.method !== 'GET') return void posted.set(key, form)
      for (const { name, values } of form.choices) {
        const all = spread(values).map((value) => withValue(form.url, name, value))
        const others = all.filter((address) => address !== form.url)
        for (const address of others.slice(0, SAMPLES)) parts.follow(address, form.seenOn)
        links.push({ own: form.url, all: others, on: form.seenOn })
      }
    },
    answered: (request, first) => {
      const form = posted.get(keyOf(request))
      if (form) waiting.push({ request, form, first })
    },
    walk: async () => {
      let any = walkLinks()
      for (const { request, form, first } of waiting.splice(0)) {
        for (const choice of form.choices ?? []) any = (await walkPosted(request, choice, first)) || any
      }
      return any
    },
  }
}

/** Some from all over the list first: lists begin with headings, and what is near is often alike. */
const spread = (values: readonly string[]): readonly string[] => {
  const list = values.slice(0, MAX_OPTIONS)
  const samples = [0.2, 0.5, 0.8, 1].map(
    (share) => list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? '',
  )
  return [...new Set([...samples, ...list])]
}

interface Linked {
  readonly own: string
  readonly all: readonly string[]
  readonly on: string | null
}

const keyOf = ({ method, url, fields = [] }: Pick<Draft, 'method' | 'url' | 'fields'>): string =>
  JSON.stringify([method, url, fields.map(({ name }) => name).toSorted()])

const withValue = (address: string, name: string, value: string): string => {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}

/** Null where that is what the form has of itself. */
const choosing = (request: RequestTemplate, name: string, value: string): RequestTemplate | null => {
  const fields = request.fields.map((field) => (field.name === name ? { ...field, value, type: 'hidden' } : field))
  return fields.every((field, at) => field.value === request.fields[at]?.value) ? null : { ...request, fields }
}

/** Where an answer leads: on to another path, or nowhere. */
const leadOf = ({ url }: RequestTemplate, answer: HttpExchange): string => {
  const next = URL.parse(headerOf(answer, 'location') ?? '', url)
  return answer.status >= 300 && answer.status < 400 && next ? `${next.origin}${next.pathname}` : `${answer.status}`
}
