/** The list of requests that the site takes: each once, with where it was seen. */
import { createHash } from 'node:crypto'
import { deedOfPostback, isOfPostback, isStateField } from '../../../page/postbacks.ts'
import { parametersOf } from '../../../page/segments.ts'
import { nameShape, shapeOf } from '../../../page/shape.ts'
import { isSafe } from '../../../safety/effect.ts'
import type { Writes } from '../../../safety/form-effect.ts'
import { type Around, type Asked, decide, isToLearn, type Seen } from '../../../safety/policy.ts'
import { NO_FILE } from '../../sample-files.ts'
import { actionOf, isActionOfServer, isDispatching } from '../insertion-points/procedure.ts'
import { bodyShape, deepShape } from './body-shape.ts'
import { type AntiForgery, type Encoding, type Field, MADE_UP, type RequestTemplate, type Source } from './facts.ts'
import { allOf, withoutQuery } from './fetching.ts'
import { beyondSample, offeredBy } from './furniture.ts'
import { judged } from './judged.ts'
import { createPasswordForms, type PasswordForms } from './password-forms.ts'
import { createMarks, isMadeUp, marked, realOf } from './real-values.ts'
import { apart } from './repeated.ts'

const MAX_REQUESTS = 10_000
const MAX_SEEN = 5
const [MAX_FIELDS, MAX_BODY] = [200, 20_000]
const MAX_VALUE = 2_000
/** The state of a page is refused where it is not whole. */
const MAX_STATE = 65_536
/** Bodies to one address that differ in what is within them. */
const MOST_VARIANTS = 30
/** Addresses to which the same is posted, that differ in words of their queries. */
const MOST_PROGRAMS = 12

export interface Draft {
  readonly method: string
  readonly url: string
  readonly encoding?: Encoding
  readonly fields?: readonly Field[]
  readonly body?: string | null
  readonly headers?: RequestTemplate['headers']
  /** Names of headers beside them whose values are kept from all facts, as they may be secrets. */
  readonly withheld?: readonly string[]
  readonly variables?: RequestTemplate['variables']
  readonly scheme?: RequestTemplate['scheme']
  readonly source: Source
  readonly seenOn: string | null
  readonly sent: boolean
  /** A page has sent it, and the site did not refuse it: true of its values alone. */
  readonly taken?: boolean
  /** So many times it was sent though it may write. */
  readonly tried?: number
  /** Names of its fields that people type what they like into. */
  readonly typed?: readonly string[]
  /** Label of the button or link behind it. */
  readonly label?: string
  readonly harm?: string | null
  /** A script alone names it, and what that asks for is left to the pages. */
  readonly onDemand?: boolean
  /** That it looks as if it writes, whatever its method says. */
  readonly writes?: Writes
  /** Why it is a request of its own beside one of the same names; absent where it is none. */
  readonly apart?: string
  /** A form that is sent to the page it stands on. */
  readonly toItself?: true
  /** Equal for such forms that are alike in the block around them, where one is known again on other pages: see `furniture.ts`. */
  readonly furniture?: string
  /** What a person can choose from, of a form. */
  readonly choices?: readonly Choice[]
  /** Its fields where no file was chosen, of a form that does not ask for one. */
  readonly unfilled?: readonly Field[]
}

/** The values of one field that is chosen. */
export interface Choice {
  readonly name: string
  readonly values: readonly string[]
}

export interface Requests {
  /** The template as it is known now, or null where the list is full. */
  readonly add: (draft: Draft) => RequestTemplate | null
  /**
   * One of each route, method and set of names, as the policy decides now; one that was sent stands for the others. `told`:
   * why an address does harm, by the links that lead to it.
   */
  readonly all: (told?: (url: string) => string | null) => readonly RequestTemplate[]
  /** Those of forms that are sent from other pages than theirs: see `furniture.ts`. */
  readonly beyond: () => readonly RequestTemplate[]
  /** Those that may be sent once, with their own values, to learn what they do. */
  readonly unlearned: () => readonly RequestTemplate[]
  /** A template by its id, as the policy decides now; null for one that was never called so. */
  readonly find: (id: string) => RequestTemplate | null
  /** What sending one so often has shown; `watched`: the pages that stayed as they were; `by`: what it was taken by. */
  readonly learned: (id: string, seen: Seen, times: number, watched?: readonly string[], by?: AntiForgery) => void
  /** Pages that show what requests were sent, by the code of each: what is shown elsewhere was stored. */
  readonly shown: (pages: ReadonlyMap<string, readonly string[]>) => void
  /** What pages are searched for to see what this one has stored, by id; null where nothing may be stored. */
  readonly markOf: (id: string) => string | null
  /** How many found no room. */
  readonly overflow: () => number
}

interface Entry {
  readonly template: RequestTemplate
  /** The names within its body, where the page has sent another one to the same address that has others; '' else. */
  readonly variant?: string
  readonly asked: Asked
  readonly seen: Seen
  readonly taken: boolean
  readonly furniture?: string | undefined
}

/** Nothing is known of the run: as careful as can be. */
const UNKNOWN: Around = { environment: 'production', signedIn: false, staff: false, excludes: () => false }

/**
 * `around`: of the run, as it is known when it is asked. `plain`: the form in which addresses are asked for. `routeOf`: equal
 * for addresses that the same code answers, as far as is known when it is asked. `marker`: by which people find what the run has
 * stored; null where it may store nothing.
 */
export const createRequests = (
  around: () => Around = () => UNKNOWN,
  plain: (url: string) => string = (url) => url,
  routeOf: (url: string) => string = shapeOf,
  marker: string | null = null,
): Requests => {
  const entries = new Map<string, Entry>()
  /** Entries by the ids that they were called by, which change while routes are learned. */
  const called = new Map<string, string>()
  const marks = createMarks(marker)
  const forms = createPasswordForms()
  let overflow = 0
  const decided = ({ template, asked, seen, variant }: Entry): RequestTemplate =>
    named(judged(template, forms.known(asked), seen, around()), routeOf, variant)
  const keyFor = createKeys(entries)
  /** By id, one entry for all that are alike. */
  const together = (): ReadonlyMap<string, Entry> => {
    const byId = new Map<string, Entry>()
    for (const [key, entry] of entries) {
      const { id } = decided(entry)
      const before = byId.get(id)
      // Of the one that stands for the others what it has shown is kept.
      if (!before || replaces(before, entry)) called.set(id, key)
      byId.set(id, before ? merged(before, entry, marker) : entry)
    }
    return byId
  }
  const toAsk = () => {
    const all = [...together().values()]
    const beyond = beyondSample(all, fieldsOf)
    return {
      ...apart(
        all.filter((one) => !beyond.has(one)),
        fieldsOf,
      ),
      ...{ beyond, offered: offeredBy([...beyond].map(decided)) },
    }
  }
  return {
    add: (given) => {
      const writes = given.writes === 'likely' && !around().signedIn ? null : (given.writes ?? null)
      const draft = { ...given, writes, url: plain(given.url) }
      forms.note(draft)
      const plainly = entryOf(draft)
      const { key, variant } = keyFor(plainly, given.apart)
      const before = entries.get(key)
      const mark = isMadeUp(draft.fields) ? marks.of(key) : null
      const made = mark === null ? plainly : entryOf({ ...draft, fields: marked(draft.fields, mark) })
      if (!before && entries.size >= MAX_REQUESTS) {
        overflow += 1
        return null
      }
      const entry = before ? merged(before, made, marker) : { ...made, variant: `${variant}${given.apart ?? ''}` }
      entries.set(key, entry)
      return decided(entry)
    },
    all: (told = () => null) => {
      const { first, repeated, offered } = toAsk()
      return [...first, ...repeated].map((entry) => {
        const { asked } = entry
        const also = asked.method === 'GET' ? (asked.told ?? told(asked.url)) : (asked.told ?? null)
        const offers = asked.method === 'GET' ? offered.get(withoutQuery(asked.url)) : undefined
        return { ...decided({ ...entry, asked: { ...asked, told: also } }), ...(offers ? { offered: offers } : {}) }
      })
    },
    beyond: () => [...toAsk().beyond].map(decided),
    unlearned: () => {
      const { first, repeated } = toAsk()
      const own = learnable(first, forms, around())
      return (own.length > 0 ? own : learnable(repeated.slice(0, MOST_REPEATED), forms, around())).map(decided)
    },
    markOf: (id) => {
      const key = called.get(id)
      return key === undefined ? null : marks.of(key)
    },
    find: (id) => {
      const entry = entries.get(called.get(id) ?? '')
      return entry ? decided(entry) : null
    },
    learned: (id, seen, times, watched = [], by = undefined) => {
      const key = called.get(id)
      const entry = key === undefined ? undefined : entries.get(key)
      if (key === undefined || !entry) return
      const pages = { ...(watched.length > 0 ? { watched } : {}), ...(by ? { antiForgery: by } : {}) }
      entries.set(key, {
        ...entry,
        seen,
        template: { ...entry.template, sent: true, ...pages, ...triedOf(entry, times) },
      })
    },
    shown: (pages) => {
      for (const [key, own] of marks.codes) {
        const [shownOn, entry] = [pages.get(own), entries.get(key)]
        if (!shownOn || !entry || isSafe(entry.template.method)) continue
        entries.set(key, { ...entry, seen: 'writes', template: { ...entry.template, shownOn } })
      }
    },
    overflow: () => overflow,
  }
}

/** Under which key an entry is kept, and what tells it from others of its names. */
const createKeys = (entries: ReadonlyMap<string, Entry>) => {
  /** By key, the names within the bodies of further entries. */
  const variants = new Map<string, Set<string>>()
  const programOf = createPrograms()
  return (entry: Entry, apart = ''): { readonly key: string; readonly variant: string } => {
    const key = `${keyOf(entry)}${apart}`
    const before = entries.get(key)
    const program = programOf(entry)
    if (before === undefined || !isFromPage(before) || !isFromPage(entry)) return { key, variant: program }
    const [known, own] = [before, entry].map(({ template: { encoding, body } }) => deepShape(encoding, body))
    if (known === own) return { key, variant: program }
    const others = variants.get(key) ?? new Set<string>()
    if (others.size < MOST_VARIANTS) variants.set(key, others.add(own ?? ''))
    return others.has(own ?? '') ? { key: `${key} ${own}`, variant: `${program}${own}` } : { key, variant: program }
  }
}

/** The words that tell an entry from what is posted alike to addresses of its shape; nothing where those are too many. */
const createPrograms = (): ((entry: Entry) => string) => {
  const programs = new Map<string, Set<string>>()
  return ({ template: { method, url, fields } }) => {
    const words = wordsIn(method, url)
    const key = JSON.stringify([method, shapeOf(url), namesOf(fields)])
    const others = programs.get(key) ?? new Set<string>()
    if (words !== '' && others.size < MOST_PROGRAMS) programs.set(key, others.add(words))
    return others.has(words) ? words : ''
  }
}

const learnable = (some: readonly Entry[], { known }: PasswordForms, around: Around): readonly Entry[] =>
  some.filter(({ asked, seen }) => isToLearn(decide(known(asked), seen, around)))

/** Behind others, so many that most pages have are sent to learn what they do: forms of one make may be the pages' own work after all. */
const MOST_REPEATED = 100

/**
 * The values of one that was sent are known to be taken, and what it has shown holds for both. What a page has sent by itself
 * takes the place of what its script was read to send: that it reads, or was refused with values made up for it, is learned
 * anew.
 */
const merged = (before: Entry, after: Entry, marker: string | null): Entry => {
  const isPagesOwn = isOwn(before, after)
  const onDemand = before.asked.onDemand === true && after.asked.onDemand === true
  const { template: chosen, asked } =
    replaces(before, after) || (after.template.sent && !before.template.sent) ? after : before
  const other = (chosen === before.template ? after : before).template
  const own = isFilled(before) && isLinked(after) ? { url: after.template.url } : realOf(chosen, other, marker)
  const template = { ...chosen, ...own }
  const { watched, shownOn } = before.template
  const antiForgery = before.template.antiForgery ?? after.template.antiForgery
  const variables = before.template.variables ?? after.template.variables
  const scheme = before.template.scheme ?? after.template.scheme
  // What a script sends with it: the address alone may be known from a link.
  const headers = allOf(template.headers, before.template.headers, after.template.headers)
  return {
    template: {
      ...template,
      ...(headers ? { headers } : {}),
      source: isPagesOwn ? template.source : before.template.source,
      seenOn: [...new Set([...before.template.seenOn, ...after.template.seenOn])].slice(0, MAX_SEEN),
      ...triedOf(before, after.template.tried ?? 0),
      ...(watched ? { watched } : {}),
      ...(shownOn ? { shownOn } : {}),
      ...(antiForgery ? { antiForgery } : {}),
      ...(variables ? { variables } : {}),
      ...(scheme ? { scheme } : {}),
    },
    variant: before.variant ?? '',
    asked: { ...asked, onDemand },
    furniture: furnitureOf(before, after),
    seen: (isPagesOwn && before.seen !== 'writes' ? null : before.seen) ?? after.seen,
    taken: before.taken || after.taken,
  }
}

/** It stays one of them where nothing but its being asked for is known besides. */
const furnitureOf = (before: Entry, after: Entry): string | undefined => {
  const others = [before, after].filter(({ furniture }) => furniture === undefined)
  return others.every(({ template }) => template.source === 'form') ? (before.furniture ?? after.furniture) : undefined
}

const isOwn = ({ template: before }: Entry, { template: after }: Entry): boolean =>
  before.source === 'script' && after.source === 'browser' && after.sent

/** Values that the site has taken of a page stand before those that it refused: that page may be about nothing, or the address of none. */
const replaces = (before: Entry, after: Entry): boolean => isOwn(before, after) || (after.taken && !before.taken)

/** Its values are what fields are filled with where they say nothing, and mostly find nothing. */
const isFilled = ({ template: { method, url } }: Entry): boolean =>
  method === 'GET' && [...new URL(url).searchParams.values()].includes(MADE_UP)

/** The site itself leads there with values of its own; the form of that page may show them again, and was read before. */
const isLinked = ({ template: { method, source, sent, url } }: Entry): boolean =>
  method === 'GET' &&
  (source === 'link' || source === 'form') &&
  sent &&
  [...new URL(url).searchParams.values()].every((value) => value !== '' && value !== MADE_UP)

/** How often it was sent though it may write, with so many times more. */
const triedOf = ({ template: { tried = 0 } }: Entry, more: number): Pick<RequestTemplate, 'tried'> =>
  tried + more > 0 ? { tried: tried + more } : {}

const entryOf = (draft: Draft): Entry => {
  const { method, url, source, sent } = draft
  const encoding = draft.encoding ?? 'none'
  const fields = (draft.fields ?? [])
    .slice(0, MAX_FIELDS)
    .map((field) => ({ ...field, value: field.value.slice(0, isStateField(field.name) ? MAX_STATE : MAX_VALUE) }))
  const body = draft.body?.slice(0, MAX_BODY) ?? null
  const unlisted =
    Math.max(0, (draft.fields ?? []).length - MAX_FIELDS) + ((draft.body?.length ?? 0) > MAX_BODY ? 1 : 0)
  const template: RequestTemplate = {
    id: '',
    method,
    url,
    shape: '',
    encoding,
    fields,
    body,
    ...(draft.headers ? { headers: draft.headers } : {}),
    ...(draft.variables ? { variables: draft.variables } : {}),
    ...(draft.scheme ? { scheme: draft.scheme } : {}),
    source,
    seenOn: draft.seenOn === null ? [] : [draft.seenOn],
    sent,
    harm: null,
    ...(unlisted > 0 ? { unlisted } : {}),
    ...(draft.tried === undefined ? {} : { tried: draft.tried }),
  }
  const asked = {
    ...{ method, url, encoding, fields, body, labels: draft.label ? [draft.label] : [] },
    ...{ told: draft.harm ?? null, writes: draft.writes ?? null, onDemand: draft.onDemand === true },
  }
  return { template, asked, seen: null, taken: draft.taken === true, furniture: draft.furniture }
}

const isFromPage = ({ template: { source, sent } }: Entry): boolean => source === 'browser' && sent

/** What tells it from all others, values in the address included. */
const keyOf = ({ template: { method, url, encoding, fields, body, headers }, asked }: Entry): string =>
  JSON.stringify([method, url, encoding, namesOf(fields), bodyShape(encoding, body), asked.told, ...actionOf(headers)])

/** With its identity: what an address does may hang on a value; beside a link that deletes, others of its shape read. */
const named = (template: RequestTemplate, routeOf: (url: string) => string, variant = ''): RequestTemplate => {
  const { method, url, encoding, fields, body, harm, headers } = template
  const shape = routeOf(url)
  // One function, at whichever page it is called: React sends each page's to the page itself.
  const code = isActionOfServer(template) ? new URL(url).origin : shape
  const apart = [
    ...(method === 'GET' && harm !== null ? ['left alone'] : []),
    ...(variant === '' ? [] : [variant]),
    ...actionOf(headers),
  ]
  const identity = JSON.stringify([method, code, encoding, namesOf(fields), bodyShape(encoding, body), ...apart])
  return { ...template, id: createHash('sha256').update(identity).digest('hex').slice(0, 12), shape }
}

const WORD = /^[a-z][a-z_. -]{0,24}$/i

/** Likewise in the address of what is posted: no answer to it is a page that would tell one program from another. */
const wordsIn = (method: string, url: string): string =>
  isSafe(method)
    ? ''
    : parametersOf(url)
        .flatMap(([name, value]) => (WORD.test(value) ? [`${name}=${value}`] : []))
        .join('&')

const fieldsOf = ({ template }: Entry): readonly string[] => namesOf(template.fields)

/** A word that the page itself puts in, by a hidden field or the button pressed, says what is to be done. */
const namesOf = (fields: readonly Field[]): readonly string[] =>
  [
    ...new Set(
      fields.map(({ name, value, type }) => {
        if (isOfPostback(name)) return `${name}=${deedOfPostback(name, value)}`
        if (type === NO_FILE) return `${name} ${NO_FILE}`
        const says = ((type === 'hidden' || type === 'submit') && WORD.test(value)) || isDispatching(name, value)
        return says ? `${type === 'submit' ? nameShape(name) : name}=${value}` : nameShape(name)
      }),
    ),
  ].toSorted()
