/** A real Apache with ModSecurity and the OWASP Core Rule Set, blocking, in front of another server on loopback. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Debian's packages: apt-get install apache2-bin libapache2-mod-security2 modsecurity-crs */
const SERVER = '/usr/sbin/apache2'
const MODULES = '/usr/lib/apache2/modules'
const RULES = '/usr/share/modsecurity-crs/rules'
const SETUP = '/etc/modsecurity/crs/crs-setup.conf'
const START_TIMEOUT = 20_000
const END_GRACE = 3_000

const LOADED = [...['mpm_event', 'authz_core', 'unique_id', 'proxy', 'proxy_http', 'security2']] as const

export interface Front {
  readonly address: string
  readonly close: () => Promise<void>
}

/** Listens at `address`, port 80, and hands on what it lets pass to `behind`, port 80. */
export const startModSecurity = async (address: string, behind: string): Promise<Front> => {
  for (const file of [SERVER, `${MODULES}/mod_security2.so`, RULES, SETUP]) {
    if (!existsSync(file)) {
      throw new Error(`${file} is missing: apt-get install apache2-bin libapache2-mod-security2 modsecurity-crs`)
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'sonde-modsecurity-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'apache.conf')
  await writeFile(file, configuration(folder, address, behind))
  const server = spawn(SERVER, ['-f', file, '-D', 'FOREGROUND'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  server.stderr.on('data', (chunk: Buffer) => {
    log = `${log}${chunk}`.slice(-3_000)
  })
  const ended = once(server, 'exit')
  const close = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM')
      const hard = setTimeout(() => server.kill('SIGKILL'), END_GRACE)
      await ended
      clearTimeout(hard)
    }
    await rm(folder, { recursive: true, force: true })
  }
  const deadline = Date.now() + START_TIMEOUT
  while (server.exitCode === null && Date.now() < deadline) {
    try {
      await fetch(`http://${address}/`, { signal: AbortSignal.timeout(2_000) })
      return { address, close }
    } catch {
      await delay(50) // Not listening yet.
    }
  }
  await close()
  throw new Error(`Apache with ModSecurity did not start: ${log}`)
}

/** As Debian sets it up, but blocking, and without logs that nobody reads. */
const configuration = (folder: string, address: string, behind: string): string => `
ServerRoot ${folder}
ServerName ${address}
PidFile ${folder}/pid
Mutex file:${folder}
User www-data
Group www-data
ErrorLog ${folder}/error.log
LogLevel crit
Listen ${address}:80
StartServers 1
ServerLimit 1
ThreadsPerChild 16
MaxRequestWorkers 16
${LOADED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
SecRuleEngine On
SecRequestBodyAccess On
SecRule REQUEST_HEADERS:Content-Type "(?:application(?:/soap\\+|/)|text/)xml" "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "application/json" "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
SecRequestBodyLimit 1048576
SecResponseBodyAccess Off
SecAuditEngine Off
SecTmpDir ${folder}
SecDataDir ${folder}
Include ${SETUP}
Include ${RULES}/*.conf
ProxyPreserveHost On
ProxyPass / http://${behind}/
`
