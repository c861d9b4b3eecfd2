/**
 * Gives forms that take files a program and a page of no effect, under names that nobody has, and asks the site for them: what is
 * worked out was run there. On test systems alone, as the files stay.
 */
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { headerOf } from '../../../../page/exchange.ts'
import { readHtml } from '../../../../page/html.ts'
import { mediaTypeOf, textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import { newFileName } from '../../../own-files.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { uploadWith } from '../../insertion-points/body.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { pageOrNull } from '../../insertion-points/page-or-null.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { UploadFacts, UploadHit } from '../facts.ts'
import {
  contentOf,
  type Dress,
  dressedAs,
  dressesOf,
  endingsAccepted,
  endingsNamed,
  harmless,
  UPLOADS,
  type Upload,
} from '../uploads.ts'
import { factor } from './arithmetic.ts'
import { type Whereabouts, whereabouts } from './whereabouts.ts'

const MOST_FIELDS = 10

type Served = UploadHit['files'][number]

export const askUploads = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  isOver: () => boolean = () => false,
): Promise<UploadFacts> => {
  const fields = points.filter(({ place }) => place === 'file')
  const asked = ctx.target.environment === 'test' ? fields.slice(0, MOST_FIELDS) : []
  const hits: UploadHit[] = []
  const found = { program: 0, page: 0 }
  let done = 0
  for (const point of asked) {
    ctx.signal.throwIfAborted()
    if (isOver()) break
    done += 1
    const probe = at(point)
    const page = await formPageOf(ctx, point)
    const kinds = kindsTaken(page, point)
    const seen = await askField(ctx, probe, uploadsFor(ctx, crawl, page), kinds, isOver)
    for (const as of seen.known) found[as] += 1
    hits.push(...seen.hits)
  }
  return { known: fields.length, asked: done, found, hits }
}

const formPageOf = (ctx: CollectContext, { request: { seenOn, url } }: ProbePoint): Promise<HttpExchange | null> =>
  pageOrNull(ctx.egress, seenOn[0] ?? url)

/** What the field of that name says that it takes. */
const kindsTaken = (page: HttpExchange | null, { name, request: { url } }: ProbePoint): readonly string[] => {
  const { forms, looseInputs } = readHtml(page === null ? '' : textOf(page), url)
  const field = [...forms.flatMap(({ inputs }) => inputs), ...looseInputs].find((one) => one.name === name)
  return endingsAccepted(field?.attributes.accept ?? '')
}

/** The first kind of file that the field says it takes, by its ending; undefined where it says none. */
export const kindTaken = async (ctx: CollectContext, point: ProbePoint): Promise<string | undefined> =>
  kindsTaken(await formPageOf(ctx, point), point)[0]

/** By what the site says of itself, and in the header lines of the page that holds the form. */
const uploadsFor = (
  ctx: CollectContext,
  { urls, points }: CrawlFacts,
  page: HttpExchange | null,
): readonly Upload[] => {
  const said = [
    ...urls.map((one) => new URL(one.url).pathname),
    ...points.flatMap(({ place, name }) => (place === 'cookie' ? [name] : [])),
    ...(page?.headers ?? []).map(([name, value]) => `${name}: ${value}`),
    ...(ctx.ownCookies ?? []),
  ]
  return UPLOADS.filter(({ fits }) => said.some((one) => fits.test(one)))
}

interface Outcome {
  /** Of these kinds it is known what becomes of files: ours lie where anybody can ask for them, or are not taken where others are. */
  readonly known: ReadonlySet<Upload['as']>
  readonly hits: readonly UploadHit[]
}

/** `kinds`: endings of files that the form says it takes. */
const askField = async (
  ctx: CollectContext,
  probe: Probe,
  uploads: readonly Upload[],
  kinds: readonly string[],
  isOver: () => boolean,
): Promise<Outcome> => {
  probe.pursue()
  const hits = new Map<Upload['as'], UploadHit>()
  const known = new Set<Upload['as']>()
  const where = await whereabouts(ctx, probe.request, probe.point.name)
  const sender: Sender = { ctx, probe, where, kinds: new Set(kinds), full: false }
  const unsent = new Set<Upload['as']>()
  let [tries, isLost] = [0, false]
  for (const upload of uploads)
    for (const dress of dresses(sender, upload)) {
      if (hits.has(upload.as) || isLost || isOver()) continue
      const first = await uploaded(sender, upload, dress)
      tries += 1
      if (sender.full) unsent.add(upload.as)
      if (first !== null) known.add(upload.as)
      const second = first === null || first === 'inert' ? null : await uploaded(sender, upload, dress)
      // The form has other fields, which need what it may be sent.
      if (tries === ENOUGH_LOST && known.size === 0 && !sender.full) isLost = !(await findsHarmless(sender))
      if (first === null || first === 'inert' || second === null || second === 'inert') continue
      hits.set(upload.as, { at: placeOf(probe.point), as: upload.as, files: [first, second] })
    }
  if (isLost) return { known, hits: [] }
  // One ending that was tried says nothing of those that had no turn.
  if (isOver()) return { known: new Set(hits.keys()), hits: [...hits.values()] }
  // What does no harm and is found again where none of the others is tells that these are not taken.
  const asked = [...new Set(uploads.map(({ as }) => as))].filter((as) => !known.has(as))
  if (asked.length > 0 && !sender.full && (await findsHarmless(sender)) && !sender.full)
    for (const as of asked) known.add(as)
  // One ending that lies there unharmed says nothing of those that could not be sent any more.
  for (const as of unsent) if (!hits.has(as)) known.delete(as)
  return { known, hits: [...hits.values()] }
}

/** Of so many none was found again, nor is what does no harm: nobody can tell what becomes of others. */
const ENOUGH_LOST = 3

/** As they are; behind the first, what is known by then of what the form takes. */
const dresses = function* ({ kinds }: Sender, upload: Upload): Generator<Dress> {
  const [first, ...others] = dressesOf(upload)
  if (first) yield first
  for (const kind of [...kinds].slice(0, MOST_KINDS)) yield* dressedAs(upload, kind)
  yield* others
}
const MOST_KINDS = 2

interface Sender {
  readonly ctx: CollectContext
  readonly probe: Probe
  readonly where: Whereabouts
  /** Endings of files that the form takes, as it says or its answers do. */
  readonly kinds: Set<string>
  /** It was not sent everything: the form may be sent no more, or something in front refuses it. */
  full: boolean
}

/** 'inert' where the file lies there and is neither run nor shown as a page; null where it was not found again. */
const uploaded = async (sender: Sender, upload: Upload, dress: Dress): Promise<Served | 'inert' | null> => {
  const [a, b] = [factor(), factor()]
  const name = newFileName(dress.ending)
  const [content, expected] = [contentOf(upload, dress, a, b), upload.expected(a, b)]
  const reply = await send(sender, { name, type: dress.type, content })
  if (!reply) return null
  for (const kind of endingsNamed(reply.text)) sender.kinds.add(kind)
  let isInert = false
  for (const url of await sender.where.of(name, reply)) {
    const exchange = await pageOrNull(sender.ctx.egress, url)
    const text = exchange?.status === 200 ? exchange.body.toString('latin1') : ''
    if (!exchange || !(text.includes(expected) || text.includes(content))) continue
    await sender.where.held(url)
    if (!isAs(upload, exchange, text, content)) {
      isInert = true
      // What a program hands out as text may be run in the folder where it lies.
      if (isHandedOut(url)) continue
      break
    }
    const replay = `${reply.replay}\ncurl -isk '${url}'`
    return { url, expected, payload: content, excerpt: around(text, expected), replay }
  }
  return isInert ? 'inert' : null
}

const isHandedOut = (url: string): boolean =>
  [...new URL(url).searchParams.values()].some((value) => /\.\w{2,6}$/.test(value))

const findsHarmless = async (sender: Sender): Promise<boolean> => {
  const { ending, type, content: written } = harmless([...sender.kinds][0])
  const [name, content] = [newFileName(ending), written(newFileName(''))]
  const reply = await send(sender, { name, type, content })
  for (const url of reply ? await sender.where.of(name, reply) : []) {
    const exchange = await pageOrNull(sender.ctx.egress, url)
    if (exchange?.status === 200 && exchange.body.toString('latin1').includes(content)) return true
  }
  return false
}

/** Of a page: the file itself, as one whose scripts run. A page of the site may as well tell its name or text. */
const isAs = ({ as, shownAs }: Upload, exchange: HttpExchange, text: string, content: string): boolean => {
  if (as === 'program') return !text.includes(content)
  if (!text.startsWith(content.slice(0, 20)) || mediaTypeOf(exchange) !== shownAs) return false
  const policy = headerOf(exchange, 'content-security-policy') ?? ''
  return (
    !/^attachment/i.test(headerOf(exchange, 'content-disposition') ?? '') &&
    !/\bsandbox\b(?!.*allow-scripts)/.test(policy)
  )
}

/** Null where the form takes no files any more, or something in front refuses it. */
const send = async (sender: Sender, file: Parameters<typeof uploadWith>[3]): Promise<Reply | null> => {
  const { probe } = sender
  const { name, value } = probe.point
  try {
    return await probe.send(value, {
      change: (request) => {
        const type = (request.headers ?? []).find(([header]) => header.toLowerCase() === 'content-type')?.[1] ?? ''
        const body = uploadWith(String(request.body ?? ''), type, name, file)
        if (body === null) throw new Unsendable('its form holds no such file')
        return { ...request, body }
      },
    })
  } catch (error) {
    if (!(error instanceof Unsendable || error instanceof Blocked)) throw error
    sender.full = true
    return null
  }
}
