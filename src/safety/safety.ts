/**
 * What a scan must never do to a site, told before the request is sent: log out, delete, order, pay, subscribe, send
 * mail, set, switch, install. Read from addresses, parameters, labels and fields; see deeds.ts for the words.
 */

import { formDecoded } from '../page/percent.ts'
import { withAmpersands } from '../page/query.ts'
import {
  ACTS,
  ALL_ACCOUNTS,
  BEHIND,
  CALLED_OFF,
  CARRIED_OUT,
  CHANGES_STATE,
  CONFIGURES,
  CREATES,
  DEEDS,
  DELETES,
  DELETES_ACCOUNTS,
  ENDS_OWN_ACCOUNT,
  ENDS_SESSION,
  FILLERS,
  FILLS_CART,
  HANDBOOK,
  HELPS,
  isAct,
  isMoved,
  KEPT_ANYWHERE,
  NARROWS,
  NEED_A_THING,
  NOUNS_TOO,
  OF_A_VIEW,
  OF_A_VISITOR,
  OF_APPLICATION,
  ONTO,
  ORDERS,
  PAGES_TOO,
  PAYS,
  RECORDED,
  RESETS,
  SAVES,
  SETS_UP,
  SHUTTING,
  STOPPING,
  STOPS,
  SWITCHED,
  SWITCHED_TO,
  SWITCHES,
  TEXT_FILE,
  THINGS,
  VIEWS,
  WHOLES,
  WRITINGS,
} from './deeds.ts'
import { deletedAt, deletedOf, isNumber } from './deleted.ts'
import { tellsOfFolder } from './folder.ts'
import { namesPart } from './parts.ts'
import { isTitle, ROUTING, wordsOf } from './words.ts'

const CHANGES_DATA = 'it changes data by a statement'
/** More words than that are a title. */
const LONGEST_DEED = 4

/** What surrounds words: how readily one that is a thing as well is a deed. */
interface Standing {
  /** A parameter says that this is to be done, or values stand beside it. */
  readonly bid: boolean
  /** Of a link: its text may name a page. */
  readonly link?: boolean
}

/** `createdb`, `resetPassword1`, `userdelete`: a deed and its thing in one word, apart. */
const apart = (word: string): readonly string[] => {
  if (PHRASES.has(word) || THINGS.has(word)) return [word]
  for (const verb of JOINED) {
    if (word.startsWith(verb) && THINGS.has(word.slice(verb.length))) return [verb, word.slice(verb.length)]
    if (BEHIND.has(verb) && word.endsWith(verb) && THINGS.has(word.slice(0, -verb.length)))
      return [word.slice(0, -verb.length), verb]
  }
  return [word]
}

const PHRASES: ReadonlySet<string> = new Set(DEEDS.flatMap(({ phrases }) => phrases))
const JOINED: readonly string[] = [...PHRASES, 'create', 'add', 'update', 'change']
  .filter((phrase) => /^\p{L}{3,}$/u.test(phrase))
  .toSorted((a, b) => b.length - a.length)

/** Every request is decided on, and most of them name what many before have named. */
const known = new Map<string, string | null>()
const MOST_KNOWN = 4_000

/** The deed that these words name, null where they name none. */
const deedOf = (given: readonly string[], standing: Standing): string | null => {
  const key = `${standing.bid} ${standing.link} ${given.join(' ')}`
  const before = known.get(key)
  if (before !== undefined) return before
  const deed = readDeed(given, standing)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, deed)
  return deed
}

const readDeed = (given: readonly string[], { bid, link = false }: Standing): string | null => {
  const first = given.findIndex((word) => !FILLERS.has(word))
  const words = given.slice(Math.max(first, 0)).flatMap(apart)
  const [, next = ''] = words
  if (words.length === 0) return null
  const text = `${words.join(' ')} `
  for (const { reason, phrases } of DEEDS) {
    const phrase = phrases.find((one) => text.startsWith(`${one} `))
    if (phrase !== undefined) {
      if (OF_A_VIEW.has(next)) return null
      if (!bid && NOUNS_TOO.has(phrase) && !isDoneTo(phrase, next)) continue
      if (link && PAGES_TOO.has(phrase)) continue
      return weighed(reason, phrase, words)
    }
    if (reason === ENDS_SESSION && phrases.some((one) => ` ${text}`.includes(` ${one} `))) return reason
  }
  return words.length > 1 ? deedBehind(words, bid) : null
}

const isDoneTo = (phrase: string, next: string): boolean =>
  next !== '' &&
  (!NEED_A_THING.has(phrase) ||
    THINGS.has(next) ||
    (SHUTTING.has(phrase) && WHOLES.has(next)) ||
    THINGS.has(next.replace(/s$/, '')) ||
    ONTO.has(next) ||
    (SETS_UP.has(phrase) && OF_APPLICATION.has(next)))

const deedBehind = (words: readonly string[], bid: boolean): string | null => {
  const [thing = '', last = ''] = words.slice(-2)
  if (!BEHIND.has(last) || !THINGS.has(thing)) return null
  if (['add', 'insert', 'update'].includes(last)) return bid ? CREATES : null
  return reasonOf(last, words)
}

/** The reason of one phrase among what it is done to. */
const reasonOf = (phrase: string, words: readonly string[]): string | null => {
  const deed = DEEDS.find(({ phrases }) => phrases.includes(phrase))
  return deed ? weighed(deed.reason, phrase, words) : null
}

/** Graver where the deed is done to accounts, to a database, or to the application as a whole. */
const weighed = (reason: string, phrase: string, words: readonly string[]): string => {
  const holds = (things: ReadonlySet<string>): boolean => words.some((word) => things.has(word))
  if (STOPPING.has(phrase) || (SHUTTING.has(phrase) && WHOLES.has(words.at(-1) ?? ''))) return STOPS
  // With nothing beside it, it is the application that is reset.
  if (RESETS.has(phrase) && words.length === 1) return CONFIGURES
  if (SETS_UP.has(phrase)) return CONFIGURES
  if (reason === DELETES && holds(KEPT_ANYWHERE)) return DELETES_ACCOUNTS
  return [CHANGES_STATE, SWITCHES, SAVES].includes(reason) && holds(OF_APPLICATION) ? CONFIGURES : reason
}

/**
 * Why a click on a button or link of these labels would do harm; null where nothing says so. Several labels of one element
 * (its text, what it is called for those who do not see it, its tooltip) may stand in lines of one text.
 */
export const harmOf = (...texts: readonly string[]): string | null => labelled(texts, true)

/** As `harmOf`, for a link, whose text may be the title of a page. */
export const harmOfLink = (...texts: readonly string[]): string | null => labelled(texts, false)

const labelled = (texts: readonly string[], button: boolean): string | null => {
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    if (ENDS_OWN_ACCOUNT.test(line)) return DELETES_ACCOUNTS
    const words = wordsOf(line)
    // A table or a file has the name that it has, and what goes back is called "Cancel", too.
    const isName = /^[\w./`-]+$/.test(line) && /[._/]/.test(line)
    const goesBack = words[0] === 'cancel' && !words.some((word) => CALLED_OFF.test(word))
    if (isTitle(words) || isName || goesBack || words.some((word) => NARROWS.test(word))) continue
    const harm = deedOf(words, { bid: button, link: !button }) ?? anywhere(words)
    if (harm !== null) return harm
  }
  return null
}

/** By the id, the classes and the name of an element, which often say what its picture shows. */
export const harmOfNames = (names: string): string | null => {
  for (const name of names.split(/\s+/)) {
    const harm = anywhere(wordsOf(name).flatMap(apart)) ?? deedOf(wordsOf(name), { bid: false })
    if (harm !== null && GRAVE.has(harm)) return harm
  }
  return null
}
const GRAVE: ReadonlySet<string> = new Set([
  ...[ENDS_SESSION, DELETES, DELETES_ACCOUNTS, PAYS, FILLS_CART, CONFIGURES, STOPS],
  'it changes a subscription',
])

/** Whether an address is of a handbook, whose titles say nothing of what a visit does. */
export const isHandbook = ({ pathname }: URL): boolean => pathname.split('/').some(isHelp)

/** `help`, `ApiHelp`, `Special:ApiHelp` */
const isHelp = (segment: string): boolean => {
  const words = wordsOf(segment)
  return HANDBOOK.test(segment) || (words.length <= LONGEST_DEED && HELPS.test(words.at(-1) ?? ''))
}

/** In languages that put the verb last, and in "Yes, I want to delete it". */
const anywhere = (words: readonly string[]): string | null => {
  if (words.some((word) => OF_A_VIEW.has(word)) || /^(?:how|why|what|when|about|wie|warum)$/.test(words[0] ?? ''))
    return null
  const grave = words.find((word) => UNMISTAKABLE.has(word))
  return grave === undefined ? null : reasonOf(grave, words)
}

/** Deeds wherever they stand. */
const UNMISTAKABLE: ReadonlySet<string> = new Set(
  [...BEHIND].filter((word) => !['add', 'insert', 'update', 'save', 'clear', 'cancel'].includes(word)),
)

/** Why a GET of this address would do harm, by its path and query alone: a host may be called order.example. */
export const harmOfAddress = (address: string): string | null => {
  const url = URL.parse(withAmpersands(address))
  if (!url) return 'it is no address'
  return harmOfPath(url) ?? harmOfQuery(url) ?? (editsState(url) ? SWITCHES : null)
}

/** `editactive.php?id=3&active=0`: what edits, and is told the state that a record is to have, asks for no form. */
const editsState = ({ pathname, searchParams }: URL): boolean =>
  EDITS.test(wordsOf(pathname.split('/').findLast(Boolean) ?? '')[0] ?? '') &&
  [...searchParams].some(([name, value]) => STATE_OF.test(name) && STATES.test(value))
const EDITS =
  /^(?:edit|update|change|modify|set|save|store|bearbeiten|aendern|ändern|modifier|editar|cambiar)(?:active|status|state|enabled|visible|visibility|hidden|published|locked|approved|default|public|private)?$/
const STATE_OF =
  /^(?:(?:is|set|new)[_-]?)?(?:active|inactive|enabled?|disabled?|status|state|visible|hidden|published?|locked|approved|default|public|private|archived)$/i
const STATES = /^(?:[01]|on|off|yes|no|[yn]|true|false|(?:in)?active|(?:en|dis)abled?|(?:un)?(?:published|locked))$/i

/**
 * Why sending a body to this address would do harm. A page may be about a deed (`GET /js-delete`), but nobody sends a body to a page
 * about one: whatever stands beside the deed in a segment is what it is done to, or a prefix of the application's own.
 */
export const harmOfSending = (address: string): string | null => {
  const url = URL.parse(address)
  if (!url) return 'it is no address'
  const segments = url.pathname.split('/').map(formDecoded)
  const isOfApplication = segments.flatMap(wordsOf).some((word) => OF_APPLICATION.has(word))
  for (const [index, segment] of segments.entries()) {
    const words = wordsOf(segment.replace(/\.\w{1,5}$/, '')).flatMap(apart)
    const deed = words.length > LONGEST_DEED ? undefined : words.find((word) => UNMISTAKABLE.has(word))
    const harm = deed === undefined ? null : reasonOf(deed, words)
    if (harm === null) continue
    if (harm === DELETES) return deletedAt(url.href)
    return isOfApplication ? harm : resetOfVisitor(harm, words, thingBefore(segments, index))
  }
  return null
}

/** Of `/prefs/v1/restore` what the deed is done to is no version of an interface. */
const thingBefore = (segments: readonly string[], index: number): string =>
  segments.slice(0, index).findLast((one) => !VERSION.test(one)) ?? ''
const VERSION = /^v\d{1,2}$/i

const harmOfPath = (url: URL): string | null => {
  const segments = url.pathname.split('/').map(formDecoded).filter(Boolean)
  const handbook = segments.findIndex(isHelp)
  const writings = segments.findIndex((segment) => WRITINGS.test(segment))
  for (const [index, segment] of segments.entries()) {
    if (handbook >= 0 && index > handbook && !segments.slice(handbook, index).some(isNumber)) continue
    if (TEXT_FILE.test(segment)) continue
    const [before, behind = ''] = [thingBefore(segments, index), segments[index + 1]]
    const words = wordsOf(segment.replace(/\.\w{1,5}$/, ''))
    if (words.length > LONGEST_DEED || (writings >= 0 && index > writings && words.length > 2)) continue
    // A number or a name that the deed is done to.
    const bid =
      (saysMore(url) && !holdsProgram(url, segments.slice(index + 1))) ||
      (/^\d+$/.test(behind) && !RECORDED.has(segment.toLowerCase())) ||
      (/^\d+$/.test(before) && behind === '') ||
      /\.php\d?$/i.test(segment) ||
      CARRIED_OUT.test(behind.replace(/\.\w{1,5}$/, ''))
    const harm = deedOf(words, { bid: bid && !VIEWS.has(words.join(' ')) })
    if (
      harm === CONFIGURES &&
      PAGES_TOO.has(words.join(' ')) &&
      !saysMore(url) &&
      tellsOfFolder(segments.slice(index + 1))
    )
      continue
    if (harm !== null) return harm === DELETES ? deletedAt(url.href) : reset(harm, words, before)
    if (words.join(' ') === 'drop' && wordsOf(before).some((word) => KEPT_ANYWHERE.has(word))) return DELETES_ACCOUNTS
    const pair = [...wordsOf(before), ...words]
    const paired = pair.length > words.length && pair.length <= 3 ? deedOfPair(pair, behind !== '') : null
    if (paired !== null) return paired
    if (ACTS.has(words.join(' ')) && isNumber(before) && behind === '') return CHANGES_STATE
    if (SWITCHED.test(wordsOf(before).join('')) && SWITCHED_TO.test(segment.toLowerCase())) return CONFIGURES
  }
  return null
}

/**
 * `/purchase/tariffs.do?method=list`: what a query says to a program of a folder, the program is to do. What narrows, chooses or routes alone;
 * an amount may be one of the deed that the folder is called after.
 */
const holdsProgram = ({ searchParams }: URL, behind: readonly string[]): boolean =>
  PROGRAM.test(behind.at(-1) ?? '') &&
  [...searchParams.keys()].every((name) => [ROUTING, OF_A_LIST, SEARCH_FIELD, CONTENT].some((one) => one.test(name)))
/** What a server carries out when the folder alone is asked for is the folder's own. */
const PROGRAM =
  /^(?!(?:index|default|home|main)\.)[^.;]+\.(?:do|action|jspx?|jsf|xhtml|php\d?|aspx?|cfm|pl|cgi)(?:;|$)/i

/** Whether there is more in a query than how a list is shown. */
const saysMore = ({ search, searchParams }: URL): boolean =>
  search !== '' && (searchParams.size === 0 || [...searchParams.keys()].some((name) => !OF_A_LIST.test(name)))
const OF_A_LIST = /^(?:page|p|sort\w*|order\w*|limit|offset|size|per_?page|start|from|view|tab|lang|locale|q|format)$/i

/** `/database/reset` reconfigures, and so do `/reset` and `/users/reset`; `/password/reset` and `/orders/3/reset` do not. */
const reset = (harm: string, words: readonly string[], before: string): string => {
  const of = wordsOf(before)
  if (harm === CHANGES_STATE) return of.some((word) => OF_APPLICATION.has(word)) ? CONFIGURES : harm
  if (of.some((word) => ALL_ACCOUNTS.has(word))) return harm
  const named = /\d/.test(before) || of.some((word) => THINGS.has(word) && !OF_APPLICATION.has(word))
  return isBareReset(harm, words) && named ? CHANGES_STATE : resetOfVisitor(harm, words, before)
}

const isBareReset = (harm: string, words: readonly string[]): boolean =>
  harm === CONFIGURES && words.length === 1 && RESETS.has(words[0] ?? '')

/** `/layout/restore` is of whoever looks at it. */
const resetOfVisitor = (harm: string, words: readonly string[], before: string): string => {
  const of = wordsOf(before)
  const own = of.some((word) => OF_A_VISITOR.has(word)) && !of.some((word) => OF_APPLICATION.has(word))
  return isBareReset(harm, words) && own ? CHANGES_STATE : harm
}

/** `/cart/add`, `/set/level/3`. */
const deedOfPair = (words: readonly string[], bid: boolean): string | null => {
  const text = words.join(' ')
  if (words[0] === 'set') return bid && THINGS.has(words[1] ?? '') ? weighed(SWITCHES, 'set', words) : null
  return text.includes(' ') ? reasonOf(text, words) : null
}

const SEARCH_FIELD = /^(?:q|s|query|search|searchterm|term|keywords?|filter|suche|suchbegriff|recherche|find|text)$/i
/** Addresses to go on to, what lists are narrowed by, what is shown and from where: a word there is what is looked for, or its name. */
const CONTENT =
  /^(?:(?:db|database|schema|table|tbl|column|col|field|collection|item)(?:_?name)?|columns|fields|props?|properties|include|expand|embed|next|return\w*|redirect\w*|goto|url|uri|link|continue|back|ref|referer|referrer|from|target|dest\w*|tag|category|title|name|sort\w*|order\w*|filter\w*|status|state|type|topic|label|lang\w*|locale|format|theme|content|body|comment|message|description)$/i
/** `cancel_url` and `reset_date` are no deeds. */
const ABOUT = /^(?:ur[li]|link|href|date|time|at|by|from|to|text|label|msg|reason|count|path|title|type|order)$/
/** How a deed went, which the page is told that shows it: `installstatus=ok`. What is switched has a status to be set. */
const REPORTS = /^(?:status|result|error|message)$/
const REPORTED: ReadonlySet<string> = new Set([CONFIGURES, DELETES, DELETES_ACCOUNTS, CREATES, PAYS])
const STATEMENT = /^\s*(?:drop|delete|update|insert|truncate|alter|create|replace|grant|revoke|rename)\s+[\w"`*]/i

const harmOfQuery = ({ pathname, searchParams }: URL): string | null => {
  const topics = [...searchParams].some(([name, value]) => ROUTING.test(name) && HELPS.test(value))
  for (const [name, value] of searchParams) {
    const harm = harmOfParameter(name, topics && !ROUTING.test(name) ? '' : value)
    if (harm !== null) return SWITCHING.has(harm) && namesPart(name, pathname, searchParams) ? CONFIGURES : harm
  }
  return null
}
const SWITCHING: ReadonlySet<string> = new Set([SWITCHES, CHANGES_STATE])

/** What one parameter or hidden field tells a program to do. */
export const harmOfParameter = (name: string, value: string): string | null => {
  const words = wordsOf(name)
  const named =
    ABOUT.test(words.flatMap(apart).at(-1) ?? '') || CONTENT.test(name) || words.length > 3
      ? null
      : deedOf(words, { bid: false })
  const tells = REPORTS.test(words.flatMap(apart).at(-1) ?? '') && named !== null && REPORTED.has(named)
  if (named !== null && !tells && !/^(?:0|false|no|off|null)$/i.test(value)) return named
  if (
    SWITCHED.test(words.join('')) &&
    !/^(?:level|mode|debug|difficulty)$/.test(words.join('')) &&
    SWITCHED_TO.test(value)
  )
    return CONFIGURES
  if (/^(?:sql|sql_?query|statement)$/i.test(name) && STATEMENT.test(value)) return CHANGES_DATA
  if (SEARCH_FIELD.test(name) && !value.includes('/')) return null
  if (ROUTING.test(name) || /^_?method$/i.test(name)) return harmOfRoute(name, value)
  const said = wordsOf(value)
  if (CONTENT.test(name) || said.length === 0 || said.length > 2 || /^(?:https?:)?\//.test(value)) return null
  return deedOf(said, { bid: false })
}

/** Of parameters that choose a page rather than a deed. */
const CHOOSES_PAGE = /^(?:page|p|path|view|module|controller|section|tab|m|q|r|route|what)$/i
const DOES = /^(?:update|store|insert|submit|process|apply|repair)$/

const harmOfRoute = (name: string, value: string): string | null => {
  if (value.length > 100 || /^https?:/.test(value)) return null
  const page = CHOOSES_PAGE.test(name)
  const pieces = value.split(/[/.:|,]/).map(wordsOf)
  for (const [index, words] of pieces.entries()) {
    if (words.length > LONGEST_DEED) continue
    const done = THINGS.has(pieces[index - 1]?.join('') ?? '')
    const harm = deedOf(words, { bid: !page || done, link: page })
    if (harm !== null) return harm === DELETES ? deletedOf([value]) : harm
    if (page) continue
    const behind = anywhere(words)
    if (behind !== null) return behind
    if (isMoved(words)) return ORDERS
    if (DOES.test(words[0] ?? '')) return SAVES
    if (index === pieces.length - 1 && isAct(words)) return CHANGES_STATE
  }
  return null
}
