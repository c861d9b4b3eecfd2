/** Sends forged tokens where good ones are told from others. One way that works is enough: what is behind it is open then. */

import type { JsonWebKey } from 'node:crypto'
import { signingKeys } from '../../../../knowledge/secrets/signing-keys.ts'
import { isUnsigned, type Jwt, weakKeyOf } from '../../../../page/jwt.ts'
import { mayShow } from '../../../../page/shape.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { ask, goThrough, Left } from '../asking.ts'
import type { ApiFacts, Forgery, SeenToken, TokenHit } from '../facts.ts'

import { type Target, withoutQuery } from '../operations.ts'
import { argumentTokens } from './arguments.ts'
import {
  addressed,
  alteredSignatures,
  badClaims,
  confused,
  embedded,
  type Forged,
  type Forger,
  forgerByHead,
  forgerBySecret,
  makeKey,
  namedKeys,
  type OwnKey,
  unsigned,
} from './forge.ts'
import { personalClaims } from './personal.ts'
import { type Place, placesFor, servicesLeft } from './places.ts'
import { publishedKeys } from './published-keys.ts'
import { besideOwn, type CarriedToken, endedTokens, type GivenTokens, hasEnded, ownTokens } from './sources.ts'

/** Milliseconds that a server has to fetch a key. */
const PATIENCE = 3_000
/** Places that are asked whether they read keys, names of keys and claims as they should: of the others, whether they verify at all. */
const WHOLE = 16
/** Pages that are looked through for tokens. */
const MOST_PAGES = 12

interface Tried {
  readonly ctx: CollectContext
  readonly carried: CarriedToken
  /** What the run carried in its place before, and has ended since. */
  readonly former: readonly Jwt[]
  readonly place: Place
  readonly secret: string | null
  readonly keys: readonly JsonWebKey[]
  readonly key: OwnKey
  readonly found: (hit: TokenHit) => void
}

export const askTokens = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  targets: readonly Target[],
  given: GivenTokens,
  until: number,
): Promise<ApiFacts['tokens']> => {
  const base = crawl.urls[0]?.url ?? `https://${ctx.target.host}/`
  const own = await ownTokens(ctx, base)
  const first = [ctx.session?.proofAt, crawl.session.canary].flatMap((url) => (url ? [url] : []))
  await seePages(ctx, [...first, ...targets.flatMap(({ request }) => request.seenOn)], given)
  const texts = new Set(own.map(({ token }) => token.text))
  const carried = [...own, ...given.all().filter(({ token }) => !texts.has(token.text))]
  const ended = endedTokens(ctx, base, Date.now())
  const beside = besideOwn(ctx, own)
  const secrets = carried.length + beside.length === 0 ? [] : signingKeys(ctx.target.host.split(/[.-]/))
  const seen: SeenToken[] = []
  const keys = carried.length === 0 ? [] : await publishedKeys(ctx, crawl, base)
  const key = makeKey()
  const topic = await goThrough<CarriedToken, TokenHit>(ctx, {
    ...{ name: 'tokens', items: [...carried, ...beside, ...argumentTokens(own, targets)], until },
    work: async (one, found) => {
      const secret = weakKeyOf(one.token, secrets)
      if (one.beside) {
        if (secret !== null) found(offline(one, secret, base))
        return
      }
      if (one.request !== undefined) {
        // What is called so may be for something else: where the own token is not taken, there is nothing to forge.
        for (const place of isUnsigned(one.token) ? [] : await placesFor(ctx, one, targets, []))
          await tryAt({ ctx, carried: one, former: [], place, secret, keys, key, found })
        return
      }
      const at = seen.push(seenToken(one, secret, withoutQuery(base))) - 1
      if (secret !== null) found(offline(one, secret, base))
      if (isUnsigned(one.token)) return
      const places = await placesFor(ctx, one, targets, [...new Set(first)])
      if (places.length === 0) throw new Left('for which no address was found that takes it and refuses another')
      const known = seen[at]
      const former = ended.filter(({ where }) => where === one.where).map(({ token }) => token)
      if (known) seen[at] = { ...known, placed: true, ...(former.length > 0 ? { ended: true } : {}) }
      const tried = { ctx, carried: one, former, secret, keys, key, found }
      for (const place of places.slice(0, WHOLE)) await tryAt({ ...tried, place })
      for (const place of places.slice(WHOLE)) await tryVerifying({ ...tried, place })
      if (servicesLeft(targets, first) > 0) throw new Left('which some services were not asked about')
    },
  })
  return { ...topic, seen, listened: ctx.outOfBand !== undefined, keys: keys.length }
}

/** A page may hold the token that its scripts send from then on: in a `<meta>`, in a script. */
const seePages = async (ctx: CollectContext, pages: readonly string[], given: GivenTokens): Promise<void> => {
  for (const url of [...new Set(pages)].filter(mayShow).slice(0, MOST_PAGES))
    try {
      given.see(await ask(ctx, { url }))
    } catch (error) {
      if (!(error instanceof Left)) throw error
    }
}

const tryAt = async (tried: Tried): Promise<void> => {
  const { ctx, carried, secret, keys, key } = tried
  const { token } = carried
  const ended = [...(hasEnded(token, ctx.now) ? [token] : []), ...tried.former]
  await taken(tried, 'expired', ended.slice(0, MOST_ENDED).map(asItIs))
  const [head = '', , signature = ''] = token.text.split('.')
  const altered = await taken(tried, 'signature', alteredSignatures(token))
  if (altered) return tryClaims(tried, forgerByHead(token, head, altered.text.endsWith('.') ? '' : signature))
  const without = await taken(tried, 'none', unsigned(token))
  await taken(tried, 'confusion', confused(token, keys))
  await taken(tried, 'key-id', namedKeys(token))
  await taken(tried, 'embedded-key', [embedded(token, key)])
  await askForAddress(tried)
  if (secret !== null) return tryClaims(tried, forgerBySecret(token, secret))
  if (without) return tryClaims(tried, forgerByHead(token, without.text.split('.')[0] ?? '', ''))
}

const tryVerifying = async (tried: Tried): Promise<void> => {
  if ((await taken(tried, 'signature', alteredSignatures(tried.carried.token))) === null)
    await taken(tried, 'none', unsigned(tried.carried.token))
}

/** Ended ones of one session are alike. */
const MOST_ENDED = 3

const asItIs = (token: Jwt): Forged => ({
  ...{ variant: 'its own end, which has passed', text: token.text, recipe: 'FORGED="$TOKEN"' },
})

/** The first of them that is taken. */
const taken = async (tried: Tried, kind: Forgery, forged: readonly Forged[]): Promise<Forged | null> => {
  for (const one of forged) {
    const seen = await tried.place.takes(one.text)
    if (seen === null) continue
    tried.found(hitOf(tried, kind, one, seen.status))
    return one
  }
  return null
}

/** Both only tell where the same forger's token with good claims is taken. */
const tryClaims = async (tried: Tried, forge: Forger): Promise<void> => {
  const { token } = tried.carried
  const seconds = Math.floor(tried.ctx.now / 1_000)
  const good = forge({ ...token.claims, exp: Math.max(Number(token.claims.exp) || 0, seconds + 3_600) }, 'good claims')
  if ((await tried.place.takes(good.text)) === null) return
  for (const { kind, claims, variant } of badClaims(token, tried.ctx.now)) {
    if (kind === 'expired' && token.claims.exp === undefined) continue
    await taken(tried, kind, [forge(claims, variant)])
  }
}

const askForAddress = async (tried: Tried): Promise<void> => {
  const { ctx, carried, place, key } = tried
  for (const name of ctx.outOfBand ? (['jku', 'x5u'] as const) : []) {
    const address = ctx.outOfBand?.issue(`JWT ${name}`)
    if (!address) return
    const forged = addressed(carried.token, name, `${address.url}keys.json`, key)
    const seen = await place.answer(forged.text)
    const [call] = (await ctx.outOfBand?.hits(address.token, PATIENCE)) ?? []
    if (!call) continue
    const called = `called by ${call.protocol}: ${call.detail}`
    const hit = hitOf(tried, 'key-address', forged, seen.status)
    tried.found({ ...hit, excerpt: `${hit.excerpt}\n${called}`, mark: called })
    return
  }
}

const hitOf = ({ carried, place }: Tried, kind: Forgery, forged: Forged, status: number): TokenHit => {
  const { own, none, nonsense } = place.baseline
  const { request } = place
  const mark = `forged (${forged.variant}): status ${status}`
  const lines = [
    `the token itself: status ${own.status}`,
    `without a token: status ${none.status}`,
    `nonsense in its place: status ${nonsense.status}`,
    mark,
  ]
  const curl = carried.command ?? curlOf(request).replace('curl -isk', `curl -isk ${carried.option}`)
  return {
    ...{ kind, variant: forged.variant, where: carried.where, method: request.method ?? 'GET' },
    ...{ url: withoutQuery(request.url), excerpt: lines.join('\n'), mark },
    replay: `TOKEN='<a token of yours>'; ${forged.recipe}; ${curl}`,
  }
}

/** The secret itself is the proof: it makes the signature. */
const offline = ({ token, where }: CarriedToken, secret: string, url: string): TokenHit => {
  const mark = `secret: "${secret}"`
  const digest = { HS384: 'sha384', HS512: 'sha512' }[token.algorithm.toUpperCase()] ?? 'sha256'
  const hex = Buffer.from(secret).toString('hex')
  return {
    ...{ kind: 'weak-secret', variant: token.algorithm, where, method: 'GET', url: withoutQuery(url) },
    excerpt: `The signature (${token.algorithm}) of the token in ${where} was made with this.\n${mark}`,
    mark,
    replay: `TOKEN='<a token of yours>'; printf %s "\${TOKEN%.*}" | openssl dgst -${digest} -mac HMAC -macopt hexkey:${hex} -binary | basenc --base64url -w0 | tr -d =; echo; echo "\${TOKEN##*.}"`,
  }
}

const seenToken = ({ token, where }: CarriedToken, secret: string | null, url: string): SeenToken => {
  const { exp, iat, nbf } = token.claims
  const begin = [iat, nbf].find((one) => typeof one === 'number')
  const lifetime = typeof exp === 'number' && typeof begin === 'number' ? exp - begin : null
  return {
    ...{ where, url, algorithm: token.algorithm, lifetime, expires: exp !== undefined },
    ...{ personal: personalClaims(token.claims), secret, placed: false },
  }
}
