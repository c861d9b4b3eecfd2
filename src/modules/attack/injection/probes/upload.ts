/**
 * Gives forms that take files a program and a page of no effect, under names that nobody has, and asks the site for them: what is
 * worked out was run there. On test systems alone, as the files stay.
 */
import { randomBytes } from 'node:crypto'
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { headerOf, pageRequest } from '../../../../page/exchange.ts'
import { mediaTypeOf } from '../../../../page/text.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { uploadWith } from '../../insertion-points/body.ts'
import { pageAt } from '../../insertion-points/elsewhere.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { UploadFacts, UploadHit } from '../facts.ts'
import { FOLDERS, UPLOADS, type Upload } from '../uploads.ts'
import { factor } from './arithmetic.ts'

const MOST_FIELDS = 10
const MOST_NAMED = 4

type Served = UploadHit['files'][number]

export const askUploads = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
): Promise<UploadFacts> => {
  const fields = points.filter(({ place }) => place === 'file')
  const asked = ctx.target.environment === 'test' ? fields.slice(0, MOST_FIELDS) : []
  const hits: UploadHit[] = []
  const found = { program: 0, page: 0 }
  for (const point of asked) {
    ctx.signal.throwIfAborted()
    const seen = await askField(ctx, at(point), uploadsFor(crawl))
    for (const as of seen.found) found[as] += 1
    hits.push(...seen.hits)
  }
  return { known: fields.length, asked: asked.length, found, hits }
}

/** By what the site says of itself. */
const uploadsFor = ({ urls, points }: CrawlFacts): readonly Upload[] => {
  const said = [
    ...urls.map(({ url }) => new URL(url).pathname),
    ...points.flatMap(({ place, name }) => (place === 'cookie' ? [name] : [])),
  ]
  return UPLOADS.filter(({ fits }) => said.some((one) => fits.test(one)))
}

interface Outcome {
  /** Files of ours of these kinds lie where anybody can ask for them. */
  readonly found: ReadonlySet<Upload['as']>
  readonly hits: readonly UploadHit[]
}

const askField = async (ctx: CollectContext, probe: Probe, uploads: readonly Upload[]): Promise<Outcome> => {
  const hits = new Map<Upload['as'], UploadHit>()
  const found = new Set<Upload['as']>()
  for (const upload of uploads)
    for (const ending of upload.endings) {
      if (hits.has(upload.as)) continue
      const first = await uploaded(ctx, probe, upload, ending)
      if (first !== null) found.add(upload.as)
      const second = first === null || first === 'inert' ? null : await uploaded(ctx, probe, upload, ending)
      if (first === null || first === 'inert' || second === null || second === 'inert') continue
      hits.set(upload.as, { at: placeOf(probe.point), as: upload.as, files: [first, second] })
    }
  return { found, hits: [...hits.values()] }
}

/** 'inert' where the file lies there and is neither run nor shown as a page; null where it was not found again. */
const uploaded = async (
  ctx: CollectContext,
  probe: Probe,
  upload: Upload,
  ending: string,
): Promise<Served | 'inert' | null> => {
  const [a, b] = [factor(), factor()]
  const [name, content, expected] = [`q${randomBytes(5).toString('hex')}`, upload.content(a, b), upload.expected(a, b)]
  const reply = await send(probe, { name: `${name}${ending}`, type: upload.type, content })
  if (!reply) return null
  for (const url of await addressesOf(ctx, reply, probe.request.url, `${name}${ending}`)) {
    const exchange = await get(ctx, url)
    const text = exchange?.status === 200 ? exchange.body.toString('latin1') : ''
    if (!exchange || !(text.includes(expected) || text.includes(content))) continue
    probe.pursue()
    if (!isAs(upload, exchange, text, content)) return 'inert'
    const replay = `${reply.replay}\ncurl -isk '${url}'`
    return { url, expected, payload: content, excerpt: around(text, expected), replay }
  }
  return null
}

const isAs = ({ as }: Upload, exchange: HttpExchange, text: string, content: string): boolean => {
  if (as === 'program') return !text.includes(content)
  return mediaTypeOf(exchange) === 'text/html' && !/^attachment/i.test(headerOf(exchange, 'content-disposition') ?? '')
}

/** Null where the form takes no files any more, or something in front refuses it. */
const send = async (probe: Probe, file: Parameters<typeof uploadWith>[3]): Promise<Reply | null> => {
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
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}

/** Where the answer, or the page that it leads to, names the file; elsewhere folders that are called so everywhere. */
const addressesOf = async (
  ctx: CollectContext,
  reply: Reply,
  form: string,
  file: string,
): Promise<readonly string[]> => {
  const next = reply.location === '' ? null : URL.parse(reply.location, form)
  const led = next?.host === new URL(form).host ? (await pageAt(ctx, next.href)).text : ''
  const named = [...`${reply.text}\n${led}`.matchAll(new RegExp(`[\\w./:%~-]*${file.replace('.', '\\.')}`, 'g'))]
  const told = [...new Set(named.map(([path]) => path))].filter((path) => path.includes('/')).slice(0, MOST_NAMED)
  const guessed = FOLDERS.map((folder) => `${folder}${file}`)
  const all = [...told.flatMap((path) => [path, `/${path.replace(/^\/+/, '')}`]), ...guessed]
  return [...new Set(all.flatMap((path) => URL.parse(path, form)?.href ?? []))].filter(
    (url) => new URL(url).host === new URL(form).host && harmOfAddress(url) === null && !ctx.egress.excludes(url),
  )
}

const get = async (ctx: CollectContext, url: string): Promise<HttpExchange | null> => {
  try {
    return await ctx.egress.http(pageRequest(url))
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
