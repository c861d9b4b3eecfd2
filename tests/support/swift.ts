/**
 * A real server that speaks S3 and verifies signatures: Debian's OpenStack Swift with its s3api, four daemons and
 * memcached on a loopback address of their own. Starts in some seconds, once for all tests of a run.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Started } from './on-demand.ts'
import type { S3Server } from './s3.ts'

const PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']
const PROGRAMS = [
  '/usr/bin/swift-proxy-server',
  '/usr/bin/swift-account-server',
  '/usr/bin/swift-container-server',
  '/usr/bin/swift-object-server',
  '/usr/bin/memcached',
]
const ADDRESS = `127.${90 + (process.pid % 60)}.${(process.pid >> 8) % 256}.1`
const STORES = ['account', 'container', 'object'] as const
const START_DEADLINE = 100_000
const END_GRACE = 3_000
const BUCKET = 'sonde-test'
const CREDENTIALS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }

/** Tells the server as JSON. */
export const startSwift = async (): Promise<Started> => {
  const missing = PROGRAMS.filter((program) => !existsSync(program))
  if (missing.length > 0) {
    throw new Error(`The S3 tests need ${missing.join(', ')}: apt-get install ${PACKAGES.join(' ')}`)
  }
  const folder = await mkdtemp(join(tmpdir(), 'sonde-swift-'))
  const [proxy = 0, account = 0, container = 0, object = 0, cache = 0] = await freePorts(5)
  await mkdir(join(folder, 'devices/d1'), { recursive: true })
  await makeRings(folder, { account, container, object })
  await writeConfigs(folder, { proxy, account, container, object, cache })

  const user = userInfo().username
  const daemons: ChildProcess[] = [
    run(folder, 'memcached', ['-u', user, '-l', ADDRESS, '-p', String(cache), '-U', '0']),
  ]
  for (const name of [...STORES, 'proxy']) {
    daemons.push(run(folder, `swift-${name}-server`, [join(folder, `${name}.conf`), '-v']))
  }
  const stop = async (): Promise<void> => {
    await Promise.all(daemons.map(end))
    await rm(folder, { recursive: true, force: true })
  }
  const endpoint = `http://${ADDRESS}:${proxy}`
  try {
    await createBucket(endpoint, daemons, folder)
  } catch (error) {
    await stop()
    throw error
  }
  const server: S3Server = { endpoint, region: 'us-east-1', bucket: BUCKET, credentials: CREDENTIALS }
  return { told: JSON.stringify(server), stop }
}

/** All held open at once, so no two are the same. */
const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, ADDRESS, resolve))
      return server
    }),
  )
  const ports = servers.map(portOf)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** One Python for all three rings: the ring program itself would start nine. */
const makeRings = async (folder: string, ports: Record<(typeof STORES)[number], number>): Promise<void> => {
  const script = `
import sys
from swift.common.ring import RingBuilder
for name, port in zip(${JSON.stringify(STORES)}, sys.argv[3:]):
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'weight': 1, 'ip': sys.argv[2], 'port': int(port), 'device': 'd1'})
    builder.rebalance()
    builder.get_ring().save(sys.argv[1] + '/' + name + '.ring.gz')
`
  const args = ['-c', script, folder, ADDRESS, ...STORES.map((name) => String(ports[name]))]
  await promisify(execFile)('/usr/bin/python3', args, { timeout: START_DEADLINE })
}

const writeConfigs = async (folder: string, ports: Record<string, number>): Promise<void> => {
  const common = (name: string): string => `[DEFAULT]
bind_ip = ${ADDRESS}
bind_port = ${ports[name]}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
log_level = WARNING
`
  for (const name of STORES) {
    const config = `${common(name)}
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`
    await writeFile(join(folder, `${name}.conf`), config)
  }
  const proxy = `${common('proxy')}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = ${ADDRESS}:${ports.cache}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`
  await writeFile(join(folder, 'proxy.conf'), proxy)
}

const run = (folder: string, program: string, args: string[]): ChildProcess => {
  const child = spawn(`/usr/bin/${program}`, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const log = join(folder, `${program}.log`)
  child.stderr?.on('data', (chunk: Buffer) => void writeFile(log, chunk, { flag: 'a' }))
  return child
}

const createBucket = async (endpoint: string, daemons: readonly ChildProcess[], folder: string): Promise<void> => {
  const client = new S3Client({
    region: 'us-east-1',
    endpoint,
    forcePathStyle: true,
    credentials: CREDENTIALS,
    maxAttempts: 1,
  })
  const deadline = Date.now() + START_DEADLINE
  const insist = async (what: string, ask: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      const dead = daemons.find((daemon) => daemon.exitCode !== null)
      if (dead !== undefined) throw new Error(`${dead.spawnfile} ended early: ${await logOf(folder, dead.spawnfile)}`)
      const failure = await ask().then(
        () => null,
        (error: unknown) => error,
      )
      if (failure === null) return
      if (Date.now() > deadline) throw new Error(`Swift did not ${what} in time`, { cause: failure })
      await wait(150)
    }
  }
  const first = { Bucket: BUCKET, Key: 'first' }
  try {
    await insist('make a bucket', () => client.send(new CreateBucketCommand({ Bucket: BUCKET })))
    // Its parts learn of the bucket one after another: it is ready when an object comes back.
    await insist('keep an object', async () => {
      await client.send(new PutObjectCommand({ ...first, Body: 'x' }))
      await (await client.send(new GetObjectCommand(first))).Body?.transformToByteArray()
      await client.send(new DeleteObjectCommand(first))
    })
  } finally {
    client.destroy()
  }
}

const logOf = async (folder: string, program: string): Promise<string> =>
  readFile(join(folder, `${program.replace('/usr/bin/', '')}.log`), 'utf8').catch(() => 'no log')

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const hard = setTimeout(() => child.kill('SIGKILL'), END_GRACE)
  await gone
  clearTimeout(hard)
}
