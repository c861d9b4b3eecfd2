import { targetFailure } from '../../../egress/door/target-failure.ts'
import { headerOf } from '../../../page/exchange.ts'
import { type Ask, createAsk, type Lookup, textsOf } from '../../../protocols/dns/ask.ts'
import { registrable } from '../../../protocols/dns/domain.ts'
import { mxOf } from '../../../protocols/dns/mx.ts'
import type { Validator } from '../../../protocols/dns/validator.ts'
import { isDkim, SELECTORS } from '../../../protocols/mail/dkim.ts'
import { isDmarc, parseDmarc, reportDomain, treeWalk } from '../../../protocols/mail/dmarc.ts'
import { isStsRecord, STS_LARGEST } from '../../../protocols/mail/mta-sts.ts'
import { assertInDns, nonce, validatorFor } from '../../dns-asking.ts'
import { ModuleEnding } from '../../endings.ts'
import type { CollectContext } from '../../module.ts'
import type { DkimSelector, MailFacts, MxHost, StsFetch } from './facts.ts'
import { growSpfTree } from './spf-tree.ts'

const MOST_HOSTS = 10
const MOST_REPORT_DOMAINS = 5
const STS_TIMEOUT = 10_000

export const collectMail = async (ctx: CollectContext): Promise<MailFacts> => {
  const domain = registrable(ctx.target.host)
  const ask = createAsk(ctx.egress)
  await assertInDns(ask, ctx.target.host)
  const mx = await ask.lookup(domain, 'MX')
  if (mx.rcode === null) throw new ModuleEnding('skipped', `the resolver does not answer: ${mx.error}`)
  if (mx.rcode === 'NXDOMAIN') throw new ModuleEnding('skipped', `${domain} does not exist in the DNS`)
  ctx.progress(`mail records of ${domain}`, 0.2)
  const validator = validatorFor(ctx, ask)
  const [hosts, txt, spf, dkim, dmarc, sts, tlsRpt, bimi] = await Promise.all([
    askHosts(ask, validator, mx),
    ask.lookup(domain, 'TXT'),
    growSpfTree(ask, domain),
    searchDkim(ask, domain),
    walkDmarc(ask, domain),
    askSts(ctx, ask, domain),
    ask.lookup(`_smtp._tls.${domain}`, 'TXT'),
    ask.lookup(`default._bimi.${domain}`, 'TXT'),
  ])
  return {
    domain,
    mx,
    hosts,
    txt,
    spf,
    dkim,
    dmarc,
    reportConsent: await askConsent(ask, domain, dmarc),
    sts,
    tlsRpt,
    bimi,
  }
}

const askHosts = (ask: Ask, validator: Validator, mx: Lookup): Promise<MxHost[]> =>
  Promise.all(
    mxOf(mx)
      .filter(({ exchange }) => exchange !== '')
      .slice(0, MOST_HOSTS)
      .map(async ({ exchange, preference }) => {
        const tlsaName = `_25._tcp.${exchange}`
        const [a, aaaa, tlsa] = await Promise.all([
          ask.lookup(exchange, 'A'),
          ask.lookup(exchange, 'AAAA'),
          ask.lookup(tlsaName, 'TLSA'),
        ])
        return { name: exchange, preference, a, aaaa, tlsa, tlsaSecurity: await validator.check(tlsaName, 'TLSA') }
      }),
  )

const searchDkim = async (ask: Ask, domain: string): Promise<MailFacts['dkim']> => {
  const keyOf = (selector: string) => ask.lookup(`${selector}._domainkey.${domain}`, 'TXT')
  const [base, control, ...lookups] = await Promise.all([
    ask.lookup(`_domainkey.${domain}`, 'TXT'),
    keyOf(nonce()),
    ...SELECTORS.map(keyOf),
  ])
  const found = lookups.flatMap((lookup, index): DkimSelector[] => {
    const text = textsOf(lookup).find(isDkim)
    return text === undefined ? [] : [{ selector: SELECTORS[index] ?? '', text, alias: lookup.aliases.at(-1) ?? null }]
  })
  return { asked: SELECTORS.length, found, base, wildcard: textsOf(control).some(isDkim) }
}

const walkDmarc = async (ask: Ask, domain: string): Promise<readonly Lookup[]> => {
  const steps: Lookup[] = []
  for (const name of treeWalk(domain)) {
    const step = await ask.lookup(`_dmarc.${name}`, 'TXT')
    steps.push(step)
    if (textsOf(step).some(isDmarc)) break
  }
  return steps
}

/** RFC 9990, 4 (before it RFC 7489, 7.1): another domain has to say that it takes the reports. */
const askConsent = async (ask: Ask, domain: string, dmarc: readonly Lookup[]): Promise<readonly Lookup[]> => {
  const texts = dmarc[0] ? textsOf(dmarc[0]).filter(isDmarc) : []
  const domains = texts.flatMap((text) => parseDmarc(text).rua.flatMap((uri) => reportDomain(uri) ?? []))
  const others = [...new Set(domains)].filter((one) => registrable(one) !== registrable(domain))
  return Promise.all(
    others.slice(0, MOST_REPORT_DOMAINS).map((one) => ask.lookup(`${domain}._report._dmarc.${one}`, 'TXT')),
  )
}

const askSts = async (ctx: CollectContext, ask: Ask, domain: string): Promise<MailFacts['sts']> => {
  const record = await ask.lookup(`_mta-sts.${domain}`, 'TXT')
  return { record, policy: textsOf(record).some(isStsRecord) ? await fetchPolicy(ctx, domain) : null }
}

/** Asked once and followed nowhere: a redirect is an error (RFC 8461, 3.3). */
const fetchPolicy = async (ctx: CollectContext, domain: string): Promise<StsFetch> => {
  const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`
  const nothing = {
    url,
    status: null,
    location: null,
    contentType: '',
    certificateError: null,
    body: '',
    truncated: false,
  }
  try {
    const exchange = await ctx.egress.http({ url, authenticated: false, maxBody: STS_LARGEST, timeout: STS_TIMEOUT })
    return {
      url,
      error: null,
      status: exchange.status,
      location: headerOf(exchange, 'location'),
      contentType: (headerOf(exchange, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
      certificateError: exchange.certificateError,
      body: exchange.body.toString('utf8'),
      truncated: exchange.truncated,
    }
  } catch (error) {
    const refused = error instanceof Error && 'code' in error && error.code === 'refused_by_guard'
    const failure = targetFailure(error)
    if (refused) return { ...nothing, error: { code: 'refused_by_guard', message: error.message } }
    if (failure === null) throw error
    return { ...nothing, error: { code: failure.code, message: failure.message } }
  }
}
