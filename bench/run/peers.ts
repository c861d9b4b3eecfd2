/** Programs of others on the same sites, each in a control group of its own. Installed into a scratch folder, their scripts not run. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findBrowser } from '../../src/engine/browser/programs.ts'
import type { SmallSite } from './sites.ts'
import { openUsage } from './usage.ts'

export interface PeerCost {
  readonly name: string
  /** Processor seconds, wall-clock seconds and peak bytes of each site. */
  readonly sites: readonly { readonly processor: number; readonly seconds: number; readonly peak: number }[]
  readonly hint: string
}

const LIGHTHOUSE = 'lighthouse@13.5.0'
const OBSERVATORY = '@mdn/mdn-http-observatory@1.4.8'
const INSTALL_SECONDS = 300

/** Their names, from a table in the environment: what the product has in its settings. */
const HOSTS = `const dns = require('node:dns')
const real = dns.lookup
dns.lookup = (host, options, done) => {
  const address = JSON.parse(process.env.BENCH_HOSTS)[host]
  if (address === undefined) return real(host, options, done)
  const told = typeof options === 'function' ? options : done
  process.nextTick(() => (options && options.all ? told(null, [{ address, family: 4 }]) : told(null, address, 4)))
}
`

/** `folder`: where they are installed already, or are to be; null: a scratch folder. */
export const peerCosts = async (sites: readonly SmallSite[], folder: string | null): Promise<readonly PeerCost[]> => {
  const home = folder ?? mkdtempSync(join(tmpdir(), 'sonde-bench-peers-'))
  try {
    if (!existsSync(join(home, 'node_modules/lighthouse'))) install(home)
    writeFileSync(join(home, 'hosts.cjs'), HOSTS)
    // Its own installation fetches the list of preloaded names; an empty one is enough for names of no registry.
    const conf = join(home, 'node_modules/@mdn/mdn-http-observatory/conf')
    mkdirSync(conf, { recursive: true })
    for (const name of ['hsts-preload.json', 'tld-list.json'])
      if (!existsSync(join(conf, name))) writeFileSync(join(conf, name), name.startsWith('hsts') ? '{}' : '[]')
    const browser = (await findBrowser(process.env)) ?? ''
    return [
      await costOf(OBSERVATORY, sites, home, browser, ({ host }) => [
        'node_modules/@mdn/mdn-http-observatory/src/scan.js',
        host,
      ]),
      await costOf(LIGHTHOUSE, sites, home, browser, ({ host, address }) => [
        ...[
          'node_modules/lighthouse/cli/index.js',
          `https://${host}/`,
          '--quiet',
          '--output=json',
          '--output-path=stdout',
        ],
        `--chrome-flags=--headless --no-sandbox --ignore-certificate-errors --host-resolver-rules="MAP * ${address}"`,
      ]),
    ]
  } finally {
    if (folder === null) rmSync(home, { recursive: true, force: true })
  }
}

const install = (home: string): void => {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  const words = ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync('npm', [...words, LIGHTHOUSE, OBSERVATORY], {
    ...{ cwd: home, stdio: 'inherit', timeout: INSTALL_SECONDS * 1_000 },
    env: { ...process.env, PUPPETEER_SKIP_DOWNLOAD: '1' },
  })
}

/** Sites on which it ends otherwise than well are left out, and said. */
const costOf = async (
  name: string,
  sites: readonly SmallSite[],
  home: string,
  browser: string,
  words: (site: SmallSite) => readonly string[],
): Promise<PeerCost> => {
  const costs: PeerCost['sites'][number][] = []
  for (const site of sites) {
    const usage = openUsage()
    const began = performance.now()
    const child = usage.start([process.execPath, '--require', join(home, 'hosts.cjs'), ...words(site)], {
      cwd: home,
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, CHROME_PATH: browser },
        BENCH_HOSTS: JSON.stringify(Object.fromEntries(sites.map(({ host, address }) => [host, address]))),
      },
    })
    const watch = usage.peak()
    const outputs = [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream)))
    const [code] = (await once(child, 'close')) as [number | null]
    const seconds = (performance.now() - began) / 1_000
    const peak = watch.stop()
    if (code === 0) costs.push({ processor: usage.seconds(), seconds, peak })
    else
      process.stdout.write(
        `${name} on ${site.host} ended with ${code}: ${(await Promise.all(outputs)).join('').slice(-300)}\n`,
      )
    await usage.close()
  }
  return { name, sites: costs, hint: `npm install ${name}` }
}
