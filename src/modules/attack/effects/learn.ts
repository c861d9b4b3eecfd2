/**
 * Learns what a request does by sending it as its page would: it reads where the pages that show what is stored are equal
 * before and after, and so are its own answers.
 */
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { headerOf } from '../../../page/exchange.ts'
import { readHtml } from '../../../page/html.ts'
import { isScriptFile, mayShow, withoutHash } from '../../../page/shape.ts'
import { textOf } from '../../../page/text.ts'
import { isSafe, writesBy } from '../../../safety/effect.ts'
import type { Seen } from '../../../safety/policy.ts'
import type { AntiForgery, Field, RequestTemplate } from '../crawl/facts.ts'
import { bringsToken, requestOf } from '../insertion-points/inventory.ts'
import { isSignIn } from '../insertion-points/sign-in.ts'
import { type Admission, isTurnedAway } from './admission.ts'
import { isToldApart, type Otherwise, otherwise, saysMore, statesOnly, tellsOfDeed } from './otherwise.ts'
import { areUnchanged, type GetPage, readPages, tellingOf } from './pages.ts'
import { areEqual, areEqualBesides, type Read } from './reads.ts'

export interface LearnParts {
  /** Null where nothing answers. */
  readonly send: (request: HttpRequest) => Promise<HttpExchange | null>
  /** Whether an address may be read with GET. */
  readonly mayRead: (url: string) => boolean
  /** Names of the cookies that the site has set by now. */
  readonly cookies: () => ReadonlySet<string>
  /** Nothing shows that it reads but a page that was read before and after. */
  readonly careful: boolean
  /** Where it is refused for want of a token; absent where it is left so. */
  readonly admission?: Admission
  /** Told before it is sent for the first time, with what reads its pages; absent where nothing is kept of it. */
  readonly note?: (template: RequestTemplate, get: GetPage) => Promise<void>
  /** Told what pages said behind one that reads; absent where nobody holds anything against it. */
  readonly read?: (pages: readonly string[], reads: readonly Read[]) => void
  /** A value of the request alone, by which pages that show it are found; absent where nothing is sent but its own values. */
  readonly mark?: (id: string) => string | null
}

export interface Learned {
  readonly seen: Exclude<Seen, null>
  /** How often it was sent. */
  readonly sent: number
  readonly answer: HttpExchange | null
  /** Pages that said the same before and after it; those that say something alone. */
  readonly watched: readonly string[]
  /** By what it was taken; absent where it was without, or was not. */
  readonly antiForgery?: AntiForgery
  /** What has changed may be the work of another request that went on beside it: nothing of its own shows there. */
  readonly doubtful?: true
}

const MOST_PAGES = 3

export const learn = async (template: RequestTemplate, parts: LearnParts): Promise<Learned> => {
  const pages = pagesOf(template, parts)
  const get = (url: string): Promise<HttpExchange | null> => parts.send({ url, method: 'GET' })
  const first = once(get)
  await parts.note?.(template, first)
  const before = await readPages(pages, first)
  const known = parts.cookies()
  const { answer, by } = await taken(
    template,
    sendable(template, pages, before),
    parts,
    async () =>
      // Where nothing must be stored, no page that says something is no evidence.
      (!parts.careful || tellingOf(pages, before).length > 0) &&
      areUnchanged(pages, before, await readPages(pages, get), get),
  )
  if (answer === null) return { seen: 'unclear', sent: 1, answer, watched: [] }
  const after = await readPages(pages, get)
  const watched = tellingOf(pages, after)
  /** With what it was taken by. */
  const carried = async (one: RequestTemplate, reads: readonly Read[]): Promise<HttpExchange | null> => {
    const http = sendable(one, reads.length > 0 ? pages : [], reads)
    return parts.send(by ? ((await parts.admission?.carry(http, by)) ?? http) : http)
  }
  const again = (reads: readonly Read[]): Promise<HttpExchange | null> => carried(template, reads)
  /** On a test system what it stored would have shown by `reads`, and its pages are read again behind a value that means something. */
  const seenBehind = async (reads: readonly Read[]): Promise<'reads' | 'writes'> => {
    const last = parts.careful ? await readPages(pages, get) : reads
    if (!(await areUnchanged(pages, after, last, get))) return 'writes'
    parts.read?.(pages, last)
    return 'reads'
  }
  /** Sent once more with another value, and again with its own. */
  const toldApart = async (
    one: Otherwise,
    [usual, same]: readonly [HttpExchange, HttpExchange],
  ): Promise<readonly [Learned['seen'], number]> => {
    const third = await carried(one.template, after)
    if (third?.status !== usual.status || !isToldApart(one, saidBy(usual), saidBy(third))) return ['unclear', 3]
    const reads = await readPages(pages, get)
    const fourth = await again(reads)
    if (fourth === null || !areEqual(saidBy(same), saidBy(fourth))) return ['unclear', 4]
    return [await seenBehind(reads), 4]
  }
  const done = (seen: Learned['seen'], sent: number): Learned => ({
    ...{ seen, sent, answer },
    watched: seen === 'writes' ? [] : watched.length > 0 ? watched : startOf(template, parts),
    ...(by ? { antiForgery: by } : {}),
  })
  if (!(await areUnchanged(pages, before, after, get)))
    return { ...done('writes', 1), ...(showsOwn(template, before, after) ? {} : { doubtful: true }) }
  const shown = before.map((read) => read ?? '').join('\n')
  const told = parts.careful && saysFailed(answer, shown) ? 'unclear' : tells(template, answer, shown, known)
  const mark = told === 'acknowledges' && !parts.careful ? (parts.mark?.(template.id) ?? null) : null
  const other = mark === null ? null : otherwise(template, mark)
  if (told === 'acknowledges' ? other === null : told !== 'reads') return done(told === 'writes' ? told : 'unclear', 1)
  if (parts.careful && watched.length === 0) return done('unclear', 1)
  const second = await again(after)
  if (second?.status !== answer.status) return done('unclear', 2)
  const isSame = areEqual(saidBy(answer), saidBy(second))
  if (!isSame && (parts.careful || !isSafe(template.method) || other !== null))
    return { ...done('unclear', 2), doubtful: true }
  if (other !== null) return done(...(await toldApart(other, [answer, second])))
  const sent = isSame ? 2 : 3
  if (!isSame && !(await changesByItself(again, [answer, second]))) return done('unclear', sent)
  const altered = alteredOf(template, pages, before, parts)
  if (altered === null) return done(await seenBehind(after), sent)
  const third = await carried(altered, after)
  const reads = await readPages(pages, get)
  if (await areUnchanged(pages, after, reads, get)) {
    parts.read?.(pages, reads)
    return done((third?.status ?? 500) < 400 ? 'reads' : 'unclear', sent + 1)
  }
  // As it was.
  await again(reads)
  return done('writes', sent + 2)
}

/** Whether a value that it sent stands on a page more often than before. */
const showsOwn = ({ fields }: RequestTemplate, before: readonly Read[], after: readonly Read[]): boolean =>
  fields
    .filter(({ value, type }) => type !== 'hidden' && value.length >= SHORTEST_OWN)
    .some(({ value }) => after.some((text, at) => countOf(text, value) > countOf(before[at] ?? null, value)))
const SHORTEST_OWN = 3
const countOf = (text: Read, value: string): number => (text ?? '').split(value).length

/** Each page is asked for once, whoever reads it. */
const once = (get: GetPage): GetPage => {
  const asked = new Map<string, ReturnType<GetPage>>()
  return (url) => {
    const answer = asked.get(url) ?? get(url)
    asked.set(url, answer)
    return answer
  }
}

/**
 * With another value, where what is sent stands in the form already, as in one for altering a record: nothing changes by that, whatever the request
 * does. Null where it does not, or nothing may be stored.
 */
const alteredOf = (
  template: RequestTemplate,
  pages: readonly string[],
  reads: readonly Read[],
  { careful, mark }: LearnParts,
): RequestTemplate | null => {
  const { id, method, url, encoding } = template
  const filled = pages.flatMap((page, index) =>
    readHtml(reads[index] ?? '', page).forms.flatMap((form) =>
      form.action === url && form.method === 'post' ? form.inputs : [],
    ),
  )
  const holds = (field: Field): boolean =>
    field.value.trim() !== '' &&
    filled.some((one) => one.name === field.name && one.value === field.value && TYPED.test(one.type || one.tag))
  if (careful || isSafe(method) || encoding === 'json' || isSignIn(template)) return null
  const value = template.fields.some(holds) ? (mark?.(id) ?? null) : null
  // By what somebody signs in stays as it is.
  const fields = template.fields.map((field) => (ACCOUNT.test(field.name) ? { ...field, type: 'email' } : field))
  return value === null ? null : (otherwise({ ...template, fields }, value)?.template ?? null)
}
const TYPED = /^(?:text|textarea|input|search|number)$/
const ACCOUNT = /user|login|mail|account|nick|^u?name$/i

/**
 * The first answer, of one that is refused without a token the one with it. `unchanged`: that what was refused has done nothing, without
 * which it is not sent again.
 */
const taken = async (
  template: RequestTemplate,
  http: HttpRequest,
  { send, admission }: LearnParts,
  unchanged: () => Promise<boolean>,
): Promise<{ readonly answer: HttpExchange | null; readonly by: AntiForgery | null }> => {
  // A token in a field is of the crawl's own session, and the one that is carried of another.
  const needs = !isSafe(template.method) && !bringsToken(requestOf(template))
  const known = needs ? (admission?.known(template.url) ?? null) : null
  const answer = await send(known ? ((await admission?.carry(http, known)) ?? http) : http)
  if (!admission || answer === null || !isTurnedAway(template, answer)) {
    if (needs && known === null && answer !== null && answer.status < 400) admission?.tookPlain(template.url)
    return { answer, by: known }
  }
  const admitted = (await unchanged()) ? await admission.admit(template, http) : null
  return admitted ?? { answer, by: null }
}

/** A search whose page shows an offer or a number of visitors: its answers differ in places where the next one differs, too. */
const changesByItself = async (
  again: (reads: readonly Read[]) => Promise<HttpExchange | null>,
  [first, second]: readonly [HttpExchange, HttpExchange],
): Promise<boolean> => {
  const third = await again([])
  return third?.status === second.status && areEqualBesides(saidBy(first), saidBy(second), saidBy(third))
}

/** Where what it stores would show: the pages that it stands on, and its own address. */
const pagesOf = ({ url, method, seenOn }: RequestTemplate, { mayRead }: LearnParts): readonly string[] => {
  const own = isSafe(method) ? [] : [url]
  const shown = seenOn.filter(mayShow).slice(0, 2)
  return [...new Set([...shown, ...own].map(withoutHash))].filter(mayRead).slice(0, MOST_PAGES)
}

/** Of what scripts alone are known to send, the page that runs them: on a test system enough to tell what is refused from what is stored. */
const startOf = ({ url, seenOn }: RequestTemplate, { careful, mayRead }: LearnParts): readonly string[] =>
  careful || !seenOn.every(isScriptFile) ? [] : [new URL('/', url).href].filter(mayRead)

/** As its form stands on the page now: a token may hold only once. */
const sendable = (template: RequestTemplate, pages: readonly string[], reads: readonly Read[]): HttpRequest => {
  const { url, method, headers, body } = requestOf({ ...template, fields: freshFields(template, pages, reads) })
  return { url, method, headers, ...(body === null ? {} : { body }) }
}

const freshFields = (
  { url, fields }: RequestTemplate,
  pages: readonly string[],
  reads: readonly Read[],
): RequestTemplate['fields'] => {
  if (!fields.some(({ type }) => type === 'hidden')) return fields
  for (const [index, page] of pages.entries()) {
    const form = readHtml(reads[index] ?? '', page).forms.find(
      ({ action, inputs }) => action === url && fields.every(({ name }) => inputs.some((input) => input.name === name)),
    )
    if (!form) continue
    return fields.map((field) => {
      const now = field.type === 'hidden' ? form.inputs.find(({ name }) => name === field.name) : undefined
      return now ? { ...field, value: now.value } : field
    })
  }
  return fields
}

/**
 * What an answer that shows no page tells of itself. Words of thanks only speak against reading. 'acknowledges': it says that something went
 * well, and more.
 */
const tells = (
  template: RequestTemplate,
  answer: HttpExchange,
  before: string,
  cookies: ReadonlySet<string>,
): Learned['seen'] | 'acknowledges' => {
  const { status } = answer
  const signsIn = isSignIn(template)
  if ([201, 202, 204, 205].includes(status)) return 'writes'
  const begun = answer.headers.some(
    ([name, value]) => name.toLowerCase() === 'set-cookie' && !cookies.has((value.split('=')[0] ?? '').trim()),
  )
  // What replaces or alters a thing answers the same to the same again (RFC 9110, 9.2.2; RFC 5789), and shows on no page of its own.
  if (begun || ['PUT', 'PATCH', 'DELETE'].includes(writesBy(template) ?? template.method)) return 'unclear'
  if (status >= 400) return signsIn && (status === 401 || status === 403) ? 'reads' : 'unclear'
  if (status >= 300) return signsIn || handsOn(template, answer) ? 'reads' : 'unclear'
  const text = saidBy(answer)
  if (text.trim() === '') return 'unclear'
  const thanks = text.replace(REFUSED, '')
  if (DONE.test(thanks) && !DONE.test(before)) return 'unclear'
  if (text.length >= SHORT || !ACKNOWLEDGED.test(thanks)) return 'reads'
  return statesOnly(text) || (saysMore(text) && !tellsOfDeed(text)) ? 'acknowledges' : 'unclear'
}

/**
 * What did not succeed with a value that was made up may do so with the next: an address that nothing could be fetched from, a number that is
 * none. That nothing has changed by it says nothing of what the request does.
 */
const saysFailed = (answer: HttpExchange, before: string): boolean =>
  [FAILED, new RegExp(REFUSED, 'i')].some((words) => words.test(saidBy(answer)) && !words.test(before))
const FAILED =
  /\b(?:could ?n[o']t|couldn’t|can ?not be|can['’]t be|failed|failure|unable to|invalid|not (?:a )?valid|is not an? |must (?:be|not be|have|contain)|(?:is|are) required|try again|konnten? nicht|kann nicht|ungültige?|fehlgeschlagen|ist kein|échoué|invalide|impossible de|no se pudo|no válid[oa]|non valid[oa]|impossibile)(?![\p{L}])/iu

/** What a page says, or the bytes of a file that is handed out. */
const saidBy = (answer: HttpExchange): string => textOf(answer) || answer.body.toString('latin1')

const SHORT = 200
const ACKNOWLEDGED = /\b(?:ok|okay|success|true|done|accepted|received)\b/i
/** `"success": false` */
const REFUSED = /"(?:ok|okay|success|done|accepted)"\s*:\s*(?:false|0|null)\b/gi
const DONE =
  /\b(?:thank you|thanks for|success(?:fully)?\b|(?:is|are) on (?:its|their) way|check your (?:e-?mails?|inbox|mailbox)|(?:has|have) been (?:added|saved|sent|created|updated|changed|stored|submitted|received|deleted|removed|registered|posted)|(?:was|were) (?:added|saved|sent|created|updated|changed|stored|submitted|received|deleted|registered|posted))|(?:gespeichert|gesendet|vielen dank|angelegt|merci|enregistré|envoyé|gracias|guardado|enviado|salvato|inviato|grazie|opgeslagen|verzonden|bedankt)/i

/** A search that is posted may go on to an address that asks the same with GET. */
const handsOn = ({ fields }: RequestTemplate, answer: HttpExchange): boolean => {
  const next = URL.parse(headerOf(answer, 'location') ?? '', 'http://next.invalid/')
  const values = fields.filter(({ type, value }) => type !== 'hidden' && value !== '').map(({ value }) => value)
  return next !== null && values.length > 0 && values.some((value) => [...next.searchParams.values()].includes(value))
}
