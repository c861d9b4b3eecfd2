/**
 * The Debian package in bare systems: installed from its file alone, served as its unit says, scanned with, upgraded, removed, purged. For
 * ./test --long alone, as root. No systemd runs there: what only it does (confinement, start and stop) is not in here.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CACHE, DEADLINE, type Ended, IS_POSSIBLE, NOTE, PRODUCT, rootSh } from '../support/bare-system.ts'

/** A site in there, whose every answer is a page. */
const SITE = `import { createServer } from 'node:http'
createServer((request, response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>a site</title><p>' + request.url.length)
}).listen(80, '127.0.41.1')
`
const SETTINGS = 'SONDE_HOSTS=site.test=127.0.41.1\nSONDE_ALLOW_NETWORKS=127.0.41.1/32\nSONDE_FEEDS=off\n'

/** Functions of the shell in there: `serve` as the unit does, under its user and without a way to more rights; `stop`. */
const SHELL = `
set -euo pipefail
unset SONDE_FEEDS
serve() {
  install -d -o sonde -g sonde -m 0700 /var/cache/sonde
  : >/trial/out
  (cd /var/lib/sonde && umask 077 && exec env -i PATH=/usr/bin:/bin HOME=/var/lib/sonde JOURNAL_STREAM=8:1 \\
    NODE_COMPILE_CACHE=/var/cache/sonde/compile setpriv --reuid=sonde --regid=sonde --init-groups --no-new-privs \\
    --bounding-set=-all --inh-caps=-all $(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/sonde.service) --port 18097 \\
    >/trial/out 2>/trial/err) &
  service=$!
  for _ in $(seq 240); do
    grep -q '^Sonde is at' /trial/out && return 0
    kill -0 $service || { cat /trial/err >&2; return 1; }
    sleep 0.5
  done
  return 1
}
stop() { kill $service; wait $service; }
`

let trials = ''
let packages: readonly string[] = []
const make = (revision: number): string => {
  const words = [
    '--disable-warning=ExperimentalWarning',
    'src/main/packaging/package.ts',
    '--revision',
    String(revision),
  ]
  const printed = execFileSync(process.execPath, words, { cwd: PRODUCT, encoding: 'utf8', timeout: DEADLINE })
  const made = printed.split('\n').find((line) => line.endsWith('.deb')) ?? ''
  const kept = join(trials, basename(made))
  copyFileSync(made, kept)
  return kept
}
beforeAll(() => {
  if (!IS_POSSIBLE) return
  mkdirSync(CACHE, { recursive: true })
  trials = mkdtempSync(join(CACHE, 'package-'))
  packages = [make(1), make(2)]
}, DEADLINE)
afterAll(() => {
  if (trials !== '') rmSync(trials, { recursive: true, force: true })
}, DEADLINE)

const inside = (system: string, script: string): Promise<Ended> =>
  rootSh(['enter', 'root', system, CACHE, `${SHELL}\n${script}`])
/** What it printed; anything but success fails the test with all that was said. */
const said = async (system: string, script: string): Promise<string> => {
  const { code, out, err } = await inside(system, script)
  expect(code, `${out}\n${err}`).toBe(0)
  return out
}

describe.runIf(process.env.SONDE_LONG).each(['bookworm', 'trixie'])('a bare %s', (release) => {
  test.runIf(IS_POSSIBLE)(
    `the package is installed, serves, scans, is upgraded, removed and purged${NOTE}`,
    { timeout: DEADLINE },
    async () => {
      const system = join(trials, release)
      expect((await rootSh(['base', release, CACHE])).code).toBe(0)
      expect((await rootSh(['copy', join(CACHE, release), system])).code).toBe(0)
      mkdirSync(join(system, 'trial'))
      for (const file of packages) copyFileSync(file, join(system, 'trial', basename(file)))
      writeFileSync(join(system, 'trial/site.mjs'), SITE)
      writeFileSync(join(system, 'trial/settings'), SETTINGS)
      const [first = '', second = ''] = packages.map((file) => `/trial/${basename(file)}`)

      // Of the package alone: nothing that it recommends.
      await said(system, `dpkg --install ${first} && cat /trial/settings >>/etc/sonde/sonde.env`)
      expect(await said(system, "stat -c '%a %U:%G' /etc/sonde/sonde.env /var/lib/sonde")).toBe(
        '640 root:sonde\n700 sonde:sonde\n',
      )
      const doctor = await said(system, 'sonde doctor --json')
      expect(JSON.parse(doctor).checks).toContainEqual(expect.objectContaining({ name: 'node', state: 'ok' }))

      const scanned = await said(
        system,
        `/usr/lib/sonde/node_modules/node-linux-*/bin/node /trial/site.mjs & site=$!
       serve >&2; cat /trial/out
       grep -q 'key      in /var/lib/sonde/first-key.json' /trial/out
       sonde scan site.test --watch --json >/trial/scan.json
       sonde runs
       /usr/lib/sonde/node_modules/node-linux-*/bin/node -e 'fetch("http://127.0.0.1:18097/").then((answer) => console.log("web", answer.status))'
       grep -c . /trial/err
       if grep -q 'without the web application\\|started from its sources' /trial/err; then exit 1; fi
       stop; kill $site`,
      )
      expect(scanned).toMatch(/site\.test .* done/)
      expect(scanned).toContain('\nweb 200\n')
      expect(scanned).not.toMatch(/sonde_[0-9A-Za-z]{40}/)
      expect(
        await said(system, 'find /var/lib/sonde ! -user sonde; find /usr/lib/sonde -newer /trial/settings -type f'),
      ).toBe('')

      const other = await inside(system, 'setpriv --reuid=1000 --regid=1000 --clear-groups sonde runs')
      expect(other).toMatchObject({
        code: 3,
        err: expect.stringContaining('/var/lib/sonde may not be read by this user. Set SONDE_URL'),
      })

      const upgraded = await said(
        system,
        `dpkg --install ${second} >&2; tail -n 3 /etc/sonde/sonde.env; dpkg-query -W sonde; serve >&2; sonde runs; stop`,
      )
      expect(upgraded).toContain(`${SETTINGS}sonde\t0.1.0-2\n`)
      expect(upgraded).toMatch(/site\.test .* done/)

      const removed = await said(
        system,
        'dpkg --remove sonde >&2; ls -d /usr/lib/sonde /usr/bin/sonde 2>&1 || true; ls /var/lib/sonde /etc/sonde',
      )
      expect(removed.match(/No such file/g)).toHaveLength(2)
      expect(removed).toMatch(/\nfirst-key\.json\n/)
      expect(removed).toContain('sonde.env')
      const left = await said(
        system,
        `dpkg --purge sonde >&2; getent passwd sonde || true; getent group sonde || true
       find / -xdev \\( -path /trial -o -path /proc -o -path /cache -o -path /var/cache/apt \\) -prune -o -name '*sonde*' -print`,
      )
      expect(left).toBe('')
      expect(readdirSync(join(system, 'var/lib'))).not.toContain('sonde')
    },
  )
})
