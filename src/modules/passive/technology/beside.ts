/** What other modules saw, where the run has them: certificates, pages that ran in the browser, services beside the web. */
import type { Evidence, Found } from '../../../knowledge/fingerprints/match.ts'
import type { Product, Signal } from '../../../knowledge/fingerprints/product.ts'
import { allProducts } from '../../../knowledge/fingerprints/products.ts'
import { readHtml } from '../../../page/html.ts'
import type { CrawlFacts, RunningPage } from '../../attack/crawl/facts.ts'
import type { ServiceFacts, ServicesFacts } from '../../network/services/facts.ts'
import type { TlsFacts } from '../tls/facts.ts'

export interface Beside {
  readonly tls?: TlsFacts
  readonly crawl?: CrawlFacts
  readonly services?: ServicesFacts
}

export const signalsBeside = ({ tls, crawl }: Beside): readonly Signal[] => [
  ...(tls === undefined ? [] : tlsSignals(tls)),
  ...(crawl === undefined ? [] : [...visited(crawl), ...crawl.browser.running.flatMap(runningSignals)]),
]

/** Node names the parts of a name line by line. */
const tlsSignals = ({ host, port, certificates }: TlsFacts): readonly Signal[] =>
  certificates.map(({ subject, issuer }) => ({
    source: 'tls',
    name: '',
    text: `${subject}, issuer ${issuer}`.replace(/\s*\n\s*/g, ', '),
    url: `https://${host}${port === 443 ? '' : `:${port}`}/`,
  }))

/** An address that answers says as much as one that a page loads from. */
const visited = ({ urls }: CrawlFacts): readonly Signal[] =>
  urls
    .filter(({ status }) => status >= 200 && status < 300)
    .flatMap(({ url, title }): Signal[] => [
      { source: 'asset', name: '', text: url, url },
      ...(title === '' ? [] : [{ source: 'title', name: '', text: title, url } as const]),
    ])

const runningSignals = ({ url, globals, html }: RunningPage): readonly Signal[] => {
  const page = readHtml(html, url)
  const loaded = [...page.scripts.flatMap(({ src }) => (src ? [src] : [])), ...page.stylesheets, ...page.frames]
  return [
    ...Object.entries(globals).map(([name, text]): Signal => ({ source: 'global', name, text, url })),
    { source: 'html', name: '', text: html, url },
    ...loaded.flatMap((one): Signal[] => (one.url === null ? [] : [{ source: 'asset', name: '', text: one.url, url }])),
  ]
}

/** Services have said who they are already: by their CPE they are products of ours, or products of their own. */
export const servicesFound = ({ services }: Beside): readonly Found[] =>
  services === undefined
    ? []
    : services.services.flatMap((one) => {
        if (one.by !== 'protocol' || one.product === null) return []
        const cpe = /^cpe:(?:2\.3:|\/)[aoh]:([^:]+:[^:]+)/.exec(one.cpe ?? '')?.[1] ?? null
        const name = one.product.replace(ROLE, '')
        const known = productOf(cpe, name)
        const about = known ?? { name, kind: 'service' as const, cpe: cpe === null ? [] : [cpe] }
        return [{ name: about.name, kind: about.kind, cpe: about.cpe, evidence: [evidenceOf(one, services.host)] }]
      })

/** Names of services say their role, those of products do not. */
const ROLE = / (?:smtpd|imapd|pop3d|httpd|sshd|ftpd|server|key-value store|DB)$/

/** A panel has the CPE of what it is for: `RabbitMQ Management` is not the name of the broker. */
const productOf = (cpe: string | null, name: string): Product | undefined => {
  const same = cpe === null ? [] : allProducts().filter((one) => one.cpe.includes(cpe))
  const named = same.find((one) => one.name === name) ?? same.find(({ kind }) => kind !== 'panel')
  return named ?? allProducts().find((one) => one.name === name)
}

/** The first line that the service sent: it may name the distribution's revision. */
const evidenceOf = ({ port, service, exchange, product, version, info }: ServiceFacts, host: string): Evidence => {
  const first = exchange.find(({ from }) => from === 'peer')
  const line = Buffer.from(first?.bytes ?? '', 'base64')
    .toString('latin1')
    .split(/[\r\n]/)[0]
  const readable = line !== undefined && /^[\x20-\x7e]{4,}$/.test(line)
  const said = readable ? line : [product, version, info].filter(Boolean).join(' ')
  return {
    source: 'banner',
    name: service ?? '',
    url: `tcp://${host}:${port}`,
    text: said.slice(0, 200),
    version,
    weak: false,
  }
}
