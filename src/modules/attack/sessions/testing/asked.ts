/** What a run would know of a site of accounts, and what the module then says of it. */
import type { SignIn } from '../../../../contract/identity.ts'
import type { Environment } from '../../../../contract/run.ts'
import { EgressError } from '../../../../egress/door/egress.ts'
import { spareBorder } from '../../../../safety/border.ts'
import { spareOf } from '../../../../sign-in/spare.ts'
import type { CollectContext, Judgement, RunSession } from '../../../module.ts'
import { collectContext } from '../../../testing/collecting.ts'
import { caseContext } from '../../../testing/judge-cases.ts'
import type { CrawlFacts, Field, RequestTemplate } from '../../crawl/facts.ts'
import { caseCrawl } from '../../crawl/testing/crawl-facts.ts'
import { collectSessions } from '../collect.ts'
import type { SessionsFacts } from '../facts.ts'
import { sessions } from '../module.ts'

const ORIGIN = 'http://shop.test'

export const field = (name: string, value = '', type = 'text'): Field => ({ name, value, type })

/** As the crawl knows it: of the page of the same address. */
export const template = (
  method: string,
  path: string,
  fields: readonly Field[] = [],
  more: Partial<RequestTemplate> = {},
): RequestTemplate => {
  const url = `${ORIGIN}${path}`
  const page = url.split('?')[0] ?? url
  return {
    ...{ id: `${method} ${path}`, method, url, shape: url, fields, body: null, source: 'form', seenOn: [page] },
    ...{ encoding: method === 'POST' ? 'urlencoded' : 'none', sent: true, harm: null },
    ...more,
  }
}

export interface Said {
  readonly facts: SessionsFacts
  /** `id confidence` of each finding. */
  readonly found: readonly string[]
  /** State and reason of each check that says less, by its first definition. */
  readonly short: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

const FORM = { encoding: 'urlencoded', fields: [], body: null } as const

/** Signs in as an identity would, and looks with what it was given. */
export const lookAt = async (
  address: string,
  requests: readonly RequestTemplate[],
  how: SignIn,
  environment: Environment = 'test',
  pages: readonly string[] = [],
  others: readonly string[] = [],
): Promise<Said> => {
  const cookie = await signedIn(address, how)
  const header = how.request?.header
  const made = collectContext(address, {
    ...{ module: 'sessions', requests: 2_000, cookie },
    ...(header === undefined ? {} : { header }),
  })
  try {
    const { ctx } = made
    const proof = how.proof
    if (proof === undefined) throw new Error('a sign-in of the tests is proven')
    const admitted = spareBorder({ environment, excludes: () => false })
    const spare = spareOf(how, ORIGIN, proof, {
      ...portsOf(ctx),
      hide: () => undefined,
      admit: ({ method = 'GET', url, body }) => {
        const reason = admitted({ method, url, contentType: null, body: body === undefined ? null : String(body) })
        if (reason !== null) throw new EgressError('excluded', reason)
      },
    })
    const identities = others.map((name) => ({
      ...{ name, role: '', as: name },
      begin: async () => ({ session: { account: name } as RunSession, failed: null }),
    }))
    const asked: CollectContext = {
      identities,
      ...{
        ...ctx,
        hasCredentials: true,
        ownCookies: cookie.split(';').map((pair) => pair.split('=')[0]?.trim() ?? ''),
      },
      target: { ...ctx.target, environment },
      session: {
        ...{ proofAt: `${ORIGIN}${proof.path}`, session: () => 0, lost: () => null, proofs: () => 0 },
        ...{ prove: async () => true, unproven: () => ({ answered: 0, refused: 0 }), doubtful: () => [] },
        ...(spare === null ? {} : { spare }),
        ...(header === undefined ? {} : { landed: [`${ORIGIN}/account`] }),
        ...{ account: 'ada', form: { ...FORM, url: `${ORIGIN}/login`, page: pageOf(how) } },
      },
    }
    const crawl: CrawlFacts = caseCrawl({
      requests,
      scripted: [{ url: `${ORIGIN}/start`, code: 'start' }],
      // As a browser has opened it.
      browser: { ...caseCrawl().browser, version: '150', reason: null, pages: 1 },
      urls: ['/login', '/who', ...pages].map((path) => ({
        ...{ url: `${ORIGIN}${path}`, status: 200, title: '', depth: 0, source: 'link' },
        contentType: path === '/who' ? 'application/json' : 'text/html',
      })),
    })
    const facts = await collectSessions(asked, crawl)
    const judgements = sessions.checks.map(({ findings: [first], judge }): readonly [string, Judgement] => [
      first?.id ?? '',
      judge(facts, { crawl }, caseContext()),
    ])
    return {
      facts,
      found: judgements
        .flatMap(([, one]) => ('state' in one ? (one.findings ?? []) : one))
        .map(({ definition, confidence }) => `${definition.id} ${confidence}`)
        .toSorted(),
      short: Object.fromEntries(
        judgements.flatMap(([id, one]) =>
          'state' in one && one.state !== 'judged' ? [[id, `${one.state}: ${one.reason}`]] : [],
        ),
      ),
      cookies: cookie.split('; '),
    }
  } finally {
    await made.close()
  }
}

/** A sign-in of one request asks for no page before. */
const pageOf = ({ request }: SignIn): string | null => (request?.requests.length === 1 ? null : `${ORIGIN}/login`)

const portsOf = (ctx: CollectContext) => ({
  ...{ egress: ctx.egress, place: { domain: 'shop.test', hosts: [] }, clock: () => 0, sleep: async () => undefined },
  browser: { open: ctx.browser },
})

/** The cookies of the run's own session. */
const signedIn = async (address: string, how: SignIn): Promise<string> => {
  const { ctx, close } = collectContext(address)
  try {
    const proof = { path: '/' }
    const own = spareOf(how, ORIGIN, proof, { ...portsOf(ctx), hide: () => undefined, admit: () => undefined })
    const session = await own?.begin()
    if (!session?.after.cookie) throw new Error('nobody was signed in')
    return session.after.cookie
  } finally {
    await close()
  }
}
