/** What an active run has seen beside the pages: running pages, certificates, services; and the data of retire.js. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFeed } from '../../../knowledge/feeds/import.ts'
import { openFeed } from '../../../knowledge/feeds/items.ts'
import { isReading, pageExpressions } from '../../../knowledge/fingerprints/globals.ts'
import { literalOf } from '../../../knowledge/fingerprints/retire.ts'
import { caseCrawl } from '../../attack/crawl/testing/crawl-facts.ts'
import { placeOf } from '../../evidence/address.ts'
import { caseSaid, caseServices } from '../../network/services/testing/services-facts.ts'
import { type CaseServers, collectContext, serveCase } from '../../testing/collecting.ts'
import { caseSite } from '../../testing/site-facts.ts'
import { collectCve } from '../cve/collect.ts'
import type { DisclosureFacts } from '../disclosure/facts.ts'
import { caseCertificate, caseTls } from '../tls/testing/tls-facts.ts'
import type { Beside } from './beside.ts'
import { collectTechnology } from './collect.ts'
import type { TechnologyFacts } from './facts.ts'

const ORIGIN = 'http://shop.test/'
const HASHED = 'var no=1;/* nothing says what this is */'
const RETIRE = {
  jquery: {
    vulnerabilities: [{ below: '3.5.0', severity: 'medium', identifiers: { CVE: ['CVE-2020-11022'] } }],
    extractors: {
      uri: ['/(§§version§§)/jquery(\\.min)?\\.js'],
      filename: ['jquery-(§§version§§)(\\.min)?\\.js'],
      filecontent: ['/\\*! odd jQuery v(§§version§§)', '(.)="(§§version§§)",\\1\\.fn='],
      func: ['jQuery.fn.jquery', 'alert(1)', "require('jquery').fn.jquery"],
      hashes: { [createHash('sha1').update(HASHED).digest('hex')]: '3.1.1' },
    },
  },
  acme: {
    vulnerabilities: [{ below: '2.0.0', severity: 'high', identifiers: { CVE: ['CVE-2024-1000'] } }],
    extractors: { filecontentreplace: ['/acme=\\{major:([0-9]+),minor:([0-9]+)/$1.$2.0/'] },
  },
  'retire-example': { extractors: { filecontent: ['(§§version§§)'] } },
}

let folder: string
let servers: CaseServers
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-beside-'))
  writeFileSync(join(folder, 'retire.json'), JSON.stringify(RETIRE))
  importFeed(folder, 'retire', join(folder, 'retire.json'), new Date())
  servers = await serveCase(64, { http: (_request, response) => response.writeHead(404).end() })
})
afterAll(async () => {
  await servers.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Seen extends Beside {
  readonly scripts?: Readonly<Record<string, string>>
  readonly knowledge?: string
}

const look = async ({ scripts = {}, knowledge, ...beside }: Seen): Promise<TechnologyFacts> => {
  const { ctx, close } = collectContext(servers.address, {
    module: 'technology',
    ...(knowledge === undefined ? {} : { knowledge }),
  })
  const disclosure: DisclosureFacts = {
    ...{
      unfetched: 0,
      maps: [],
      robots: null,
      securityTxt: null,
      securityTxtAtRoot: null,
      malformed: null,
      folders: [],
    },
    scripts: Object.entries(scripts).map(([path, body]) => ({
      ...{ url: new URL(path, ORIGIN).href, status: 200, headers: [], body, truncated: false, mapUrl: null },
    })),
  }
  try {
    return await collectTechnology(ctx, caseSite({ baseUrl: ORIGIN }), disclosure, beside)
  } finally {
    await close()
  }
}
const named = ({ technologies }: TechnologyFacts) =>
  Object.fromEntries(technologies.map(({ name, version, evidence }) => [name, [version, evidence[0]?.source]]))

const running = (globals: Readonly<Record<string, string>>, html = '') => {
  const crawl = caseCrawl()
  return { ...crawl, browser: { ...crawl.browser, running: [{ url: ORIGIN, globals, html }] } }
}

describe('an active run', () => {
  it.each<[string, Beside, object]>([
    ['a global with its version', { crawl: running({ 'jQuery.fn.jquery': '3.4.1' }) }, { jQuery: ['3.4.1', 'global'] }],
    ['a global that is there', { crawl: running({ 'Drupal.behaviors': '[object]' }) }, { Drupal: [null, 'global'] }],
    [
      'markup that scripts built',
      { crawl: running({}, '<script src="/wp-content/plugins/contact-form-7/a.js?ver=5.8.1"></script>') },
      { 'Contact Form 7': ['5.8.1', 'asset'] },
    ],
    [
      'an address that answers',
      {
        crawl: caseCrawl({
          urls: [
            {
              ...{ url: 'http://shop.test/wp-includes/js/jquery/jquery-migrate.min.js?ver=3.4.1', status: 200 },
              ...{ contentType: 'text/javascript', title: '', depth: 1, source: 'link' as const },
            },
          ],
        }),
      },
      { 'jQuery Migrate': ['3.4.1', 'asset'] },
    ],
    [
      'the certificate that a product makes for itself',
      { tls: caseTls({ certificates: [caseCertificate({ subject: 'O=Proxmox Virtual Environment\nCN=pve.local' })] }) },
      { 'Proxmox VE': [null, 'tls'] },
    ],
    [
      'a service by its CPE: the product of ours',
      {
        services: caseServices({
          product: 'Apache httpd',
          version: '2.4.57',
          cpe: 'cpe:2.3:a:apache:http_server:2.4.57:*:*:*:*:*:*:*',
        }),
      },
      { 'Apache HTTP Server': ['2.4.57', 'banner'] },
    ],
    [
      'a service that no rule knows, without its role',
      { services: caseServices({ service: 'smtp', product: 'Acme smtpd', version: '5.1', port: 25 }) },
      { Acme: ['5.1', 'banner'] },
    ],
    ['a service guessed by its port: nothing', { services: caseServices({ by: 'port', product: 'distcc' }) }, {}],
  ])('%s', async (_trick, beside, expected) => {
    const facts = await look(beside)
    expect(named(facts)).toMatchObject(expected)
    if (Object.keys(expected).length === 0) expect(facts.technologies).toEqual([])
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts)
  })

  it('the banner of a service keeps the revision of its distribution', async () => {
    const facts = await look({
      services: caseServices({
        ...{ port: 22, service: 'ssh', product: 'OpenSSH', version: '9.2p1', tls: false },
        cpe: 'cpe:2.3:a:openbsd:openssh:9.2:p1:*:*:*:*:*:*',
        exchange: caseSaid('', 'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n'),
      }),
    })
    const [ssh] = facts.technologies
    expect(ssh).toMatchObject({ name: 'OpenSSH', kind: 'service', cpe: ['openbsd:openssh'], version: '9.2p1' })
    expect(ssh?.evidence).toMatchObject([{ text: 'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3', url: 'tcp://shop.test:22' }])
    expect(placeOf(ssh?.evidence[0]?.url ?? '')).toEqual({
      at: { host: 'shop.test', port: 22 },
      replay: 'nmap -Pn -sV -p 22 shop.test',
    })
  })
})

describe('libraries by retire.js', () => {
  it.each<[string, Seen, object]>([
    ['content', { scripts: { '/a.js': '/*! odd jQuery v3.4.0 */' } }, { jQuery: ['3.4.0', 'code'] }],
    ['content in several groups', { scripts: { '/a.js': 'x;acme={major:1,minor:2}' } }, { acme: ['1.2.0', 'code'] }],
    ['a hash', { scripts: { '/a.js': HASHED } }, { jQuery: ['3.1.1', 'hash'] }],
    ['a hash of a file that differs', { scripts: { '/a.js': `${HASHED} ` } }, {}],
    ['a back reference: left out', { scripts: { '/a.js': 'b="3.4.0",b.fn=' } }, {}],
  ])('%s', async (_trick, seen, expected) => {
    const facts = await look({ ...seen, knowledge: folder })
    expect(named(facts)).toEqual(expected)
    expect(facts.knowledge.retire).toBeDefined()
  })

  it('an address by itself', async () => {
    const page = running({}, '<script src="/3.3.1/jquery.min.js"></script>')
    expect(named(await look({ crawl: page, knowledge: folder })).jQuery?.[0]).toBe('3.3.1')
  })

  it.each<[string, Seen, string | undefined]>([
    ['a hash is the thing itself', { scripts: { '/a.js': HASHED } }, 'certain'],
    ['what the running page says is the thing itself', { crawl: running({ 'jQuery.fn.jquery': '3.4.1' }) }, 'certain'],
    ['content alone may be a mention', { scripts: { '/a.js': '/*! odd jQuery v3.4.0 */' } }, 'possible'],
  ])('%s', async (_trick, seen, expected) => {
    const { ctx, close } = collectContext(servers.address, { module: 'cve', knowledge: folder })
    try {
      const { components } = await collectCve(ctx, await look({ ...seen, knowledge: folder }))
      expect(components[0]?.cves.find(({ id }) => id === 'CVE-2020-11022')?.match).toBe(expected)
    } finally {
      await close()
    }
  })

  it('a library that only the data know has its CVEs', async () => {
    const { ctx, close } = collectContext(servers.address, { module: 'cve', knowledge: folder })
    const seen = await look({ scripts: { '/a.js': 'acme={major:1,minor:2}' }, knowledge: folder })
    const { components } = await collectCve(ctx, seen)
    await close()
    expect(components.map(({ product, cves }) => [product, cves.map(({ id }) => id)])).toEqual([
      ['acme', ['CVE-2024-1000']],
    ])
  })

  it('asks the page nothing but what reads', () => {
    const feed = openFeed(folder, 'retire')
    const asked = pageExpressions(feed)
    feed?.close()
    expect(asked).toEqual(expect.arrayContaining(['jQuery.fn.jquery', 'Vue.version']))
    expect(asked).not.toContain('alert(1)')
    expect(asked).not.toContain("require('jquery').fn.jquery")
  })
})

describe('expressions that read', () => {
  it.each([
    ['members', 'a.b["c"].d', true],
    ['choices', '(window.jQuery || window.$).fn.jquery', true],
    ['texts put together', "tinyMCE.majorVersion + '.' + tinyMCE.minorVersion", true],
    ['an attribute', "document.querySelector('[ng-version]').getAttribute('ng-version')", true],
    ['a part', "a.VERSION.split('_')[0]", true],
    ['an assignment', 'a = 1', false],
    ['a call of the page', 'a.send()', false],
    ['a call in an argument', 'a.split(b())', false],
    ['a new object', 'new A().version', false],
    ['a function', '() => 1', false],
    ['more than one', 'a; b', false],
    ['a template', '`x`', false],
    ['no JavaScript', 'a.(', false],
  ])('%s', (_trick, source, expected) => {
    expect(isReading(source)).toBe(expected)
  })
})

describe('what every match of a pattern holds', () => {
  it.each([
    ['a run', 'jQuery v([0-9]+)', 'jQuery v'],
    ['the longest', 'ab([x])abcd', 'abcd'],
    ['escaped signs', '/\\*! jQuery', '/*! jQuery'],
    ['what may be missing', 'abc?d', 'ab'],
    ['one of two', 'abc|def', ''],
    ['inside a group: not counted', '(abc|def)gh', 'gh'],
    ['a class', '[abcdef]gh', 'gh'],
    ['a word character', '\\wabc', 'abc'],
  ])('%s', (_trick, pattern, literal) => {
    expect(literalOf(pattern)).toBe(literal)
  })
})
