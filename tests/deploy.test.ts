/** What deploy/ says agrees with itself and with the product: settings, words of the program, addresses, ports, figures, folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, CommanderError } from 'commander'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { buildProgram } from '../src/cli/program.ts'
import { commandsIn } from '../src/main/commands.ts'
import { readConfig } from '../src/main/config.ts'
import { READ_ELSEWHERE, settingList } from '../src/main/settings.ts'
import { HOME } from './support/imports.ts'

const DEPLOY = join(HOME, 'deploy')
const textOf = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8')

const KNOWN = new Set([...settingList().map(({ variable }) => variable), ...Object.keys(READ_ELSEWHERE)])
/** Of the SDK that speaks S3, and of Node. */
const OF_OTHERS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_COMPILE_CACHE']
const unknownIn = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !KNOWN.has(name) && !OF_OTHERS.includes(name))

/** Whether the program takes these words, without doing what they say. */
const takes = async (words: readonly string[]): Promise<string> => {
  const screen = { out: () => undefined, err: () => undefined, isTTY: false, columns: () => 80, colour: false }
  const program = buildProgram(commandsIn({ env: {}, screen, signal: new AbortController().signal }), () => undefined)
  let taken = 'nothing'
  const idle = (command: Command): void => {
    command.commands.forEach(idle)
    if (command.commands.length === 0)
      command.action(() => {
        taken = command.name()
      })
  }
  idle(program)
  await program.parseAsync([...words], { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof CommanderError)) throw error
    taken = error.message
  })
  return taken
}

const Words = z.array(z.string())
const Environment = z.record(z.string(), z.string())
const Service = z.object({
  image: z.string(),
  command: Words.optional(),
  environment: Environment.optional(),
  networks: Words.optional(),
  read_only: z.boolean().optional(),
  cap_drop: Words.optional(),
  security_opt: Words.optional(),
  volumes: Words.optional(),
  ports: Words.optional(),
  depends_on: z.unknown().optional(),
})

describe('compose', () => {
  const file = z
    .object({
      services: z.record(z.string(), Service),
      networks: z.record(z.string(), z.unknown()),
      volumes: z.record(z.string(), z.unknown()),
    })
    .parse(parse(textOf('compose.yaml'), { merge: true }))
  const own = Object.entries(file.services).filter(([, { image }]) => image.startsWith('sonde:'))

  test('has interface, worker and migration, each confined', async () => {
    const taken = await Promise.all(own.map(([, { command = [] }]) => takes(command)))
    expect(taken).toEqual(['migrate', 'serve', 'worker'])
    for (const [name, service] of own) {
      expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      expect(service.security_opt, name).toEqual(['no-new-privileges:true', 'seccomp=./seccomp.json'])
      expect(unknownIn(Object.keys(service.environment ?? {})), name).toEqual([])
    }
  })

  test('what it sets is taken, and leads to the services beside it', () => {
    for (const [name, { environment = {} }] of own) {
      const filled = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, value.replaceAll(/\$\{\w+:\?[^}]*\}/g, 'filled')]),
      )
      const config = readConfig({ ...filled, SONDE_SECRET_KEY: 'ab'.repeat(32) }, '/')
      expect(new URL(config.databaseUrl ?? '').hostname, name).toBe('postgres')
      expect(JSON.stringify(config.storageUrl), name).toContain('http://s3:7070')
    }
    expect(file.services.s3?.environment?.VGW_PORT).toBe(':7070')
    expect(file.services.bucket?.command).toEqual(['mkdir', '-p', '/data/sonde'])
    expect(textOf('Caddyfile')).toContain('reverse_proxy api:8080')
    expect(textOf('Containerfile')).toContain('\nEXPOSE 8080\n')
  })

  test('names no network, volume or service that is not there, and opens the proxy alone', () => {
    for (const [name, { networks = [], volumes = [], ports, depends_on }] of Object.entries(file.services)) {
      for (const network of networks) expect(Object.keys(file.networks), name).toContain(network)
      const named = volumes.map((volume) => volume.split(':')[0] ?? '')
      for (const volume of named)
        if (volume.startsWith('./')) expect(existsSync(join(DEPLOY, volume)), volume).toBe(true)
        else expect(Object.keys(file.volumes), name).toContain(volume)
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on ?? {})
      for (const other of needed) expect(Object.keys(file.services), name).toContain(other)
      expect(ports === undefined, name).toBe(name !== 'proxy')
    }
    // What holds data is reached from inside alone.
    for (const name of ['postgres', 's3']) expect(file.services[name]?.networks).toEqual(['inside'])
    expect(file.networks.inside).toEqual({ internal: true })
  })

  test('takes no image that another day makes another one of', () => {
    for (const [name, { image }] of Object.entries(file.services))
      expect(image, name).toMatch(/:(?!latest$)[\w.-]*\d[\w.-]*$|:trixie-slim$/)
  })

  test('the example of settings has known ones', () => {
    const lines = textOf('sonde.env.example')
      .split('\n')
      .filter((line) => /^\w/.test(line))
    expect(unknownIn(lines.map((line) => line.split('=')[0] ?? ''))).toEqual([])
    expect(lines).toContain('SONDE_SECRET_KEY=')
  })
})

const Labels = z.record(z.string(), z.string())
const Container = z.object({
  image: z.string(),
  args: Words,
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })).default([]),
  securityContext: z.unknown(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  ...{
    readinessProbe: z.unknown().optional(),
    livenessProbe: z.unknown().optional(),
    startupProbe: z.unknown().optional(),
  },
})
const Pod = z.object({
  metadata: z.object({ labels: Labels }),
  spec: z.object({
    securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.int() }).loose(),
    automountServiceAccountToken: z.literal(false),
    containers: z.array(Container).length(1),
    volumes: z.array(z.object({ name: z.string() }).loose()),
  }),
})

describe('kubernetes', () => {
  const folder = join(DEPLOY, 'kubernetes')
  const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml')
  const documents = files.flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => {
      expect(document.errors, name).toEqual([])
      return z
        .object({ kind: z.string(), metadata: z.object({ name: z.string(), namespace: z.string().optional() }) })
        .loose()
        .parse(document.toJS())
    }),
  )
  const of = (kind: string) => documents.filter((one) => one.kind === kind)
  const pods = [...of('Deployment'), ...of('Job')].map((one) => ({
    name: one.metadata.name,
    ...Pod.parse((one.spec as { template: unknown }).template),
  }))

  test('all of it is applied, in its own namespace', () => {
    const { resources } = z.object({ resources: Words }).parse(parse(textOf('kubernetes/kustomization.yaml')))
    expect(resources.map((name) => (name === 'secret.yaml' ? 'secret.example.yaml' : name)).toSorted()).toEqual(
      files.toSorted(),
    )
    const [namespace] = of('Namespace')
    for (const one of documents)
      if (one.kind !== 'Namespace') expect(one.metadata.namespace, one.metadata.name).toBe(namespace?.metadata.name)
  })

  test('settings are known, and what they are set to is taken', () => {
    const [config] = of('ConfigMap').map((one) => Environment.parse(one.data))
    const [secret] = of('Secret').map((one) => Environment.parse(one.stringData))
    expect(unknownIn(Object.keys({ ...config, ...secret }))).toEqual([])
    const read = readConfig({ ...config, ...secret, SONDE_SECRET_KEY: 'ab'.repeat(32) }, '/')
    expect(read).toMatchObject({ publicUrl: 'https://sonde.example.com', unknown: [] })
  })

  test('the pods run what the program knows, as the image has it, and confined', async () => {
    const user = /useradd --uid (\d+)/.exec(textOf('Containerfile'))?.[1]
    expect(await Promise.all(pods.map(({ spec }) => takes(spec.containers[0]?.args ?? [])))).toEqual([
      ...['serve', 'worker', 'migrate'],
    ])
    for (const { name, spec } of pods) {
      const [container] = spec.containers
      expect(String(spec.securityContext.runAsUser), name).toBe(user)
      expect(container?.securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(unknownIn((container?.env ?? []).map((one) => one.name)), name).toEqual([])
      const mounted = (container?.volumeMounts ?? []).map(({ mountPath }) => mountPath)
      expect(mounted, name).toEqual(['/var/lib/sonde', '/tmp'])
      const volumes = spec.volumes.map((volume) => volume.name)
      for (const mount of container?.volumeMounts ?? []) expect(volumes, name).toContain(mount.name)
    }
    // A pod's folder is new each time: it must make no key.
    expect(pods.find(({ name }) => name === 'sonde-api')?.spec.containers[0]?.args).toContain('--no-first-key')
  })

  test('selectors find the pods, probes ask what is answered, at the port that is listened on', () => {
    const labels = pods.map((pod) => JSON.stringify(pod.metadata.labels))
    for (const one of [...of('Deployment'), ...of('PodDisruptionBudget')]) {
      const { selector } = z.object({ selector: z.object({ matchLabels: Labels }) }).parse(one.spec)
      expect(labels, one.metadata.name).toContain(JSON.stringify(selector.matchLabels))
    }
    const api = pods.find(({ name }) => name === 'sonde-api')?.spec.containers[0]
    const { port } = z.object({ port: z.int() }).parse({ port: api?.ports[0]?.containerPort })
    expect(api?.args.join(' ')).toContain(`--port ${port}`)
    const document = JSON.parse(readFileSync(join(HOME, 'docs/openapi.json'), 'utf8'))
    for (const probe of [api?.readinessProbe, api?.livenessProbe, api?.startupProbe]) {
      const { path } = z
        .object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) })
        .parse(probe).httpGet
      expect(Object.keys(document.paths)).toContain(path)
    }
    const policies = JSON.stringify(of('NetworkPolicy'))
    expect(policies).toContain(`"port":${port}`)
  })

  test('workers grow by a figure that the service gives, with the label that it has', () => {
    const [scaler] = of('HorizontalPodAutoscaler')
    const { metrics, scaleTargetRef } = z
      .object({
        scaleTargetRef: z.object({ name: z.string() }),
        metrics: z.array(
          z.object({
            external: z.object({ metric: z.object({ name: z.string(), selector: z.object({ matchLabels: Labels }) }) }),
          }),
        ),
      })
      .parse(scaler?.spec)
    expect(of('Deployment').map((one) => one.metadata.name)).toContain(scaleTargetRef.name)
    const gauges = readFileSync(join(HOME, 'src/api/queue-gauges.ts'), 'utf8')
    for (const { external } of metrics) {
      expect(gauges).toContain(`add('${external.metric.name}'`)
      for (const label of Object.keys(external.metric.selector.matchLabels))
        expect(gauges).toMatch(new RegExp(`${external.metric.name}: \\[[^\\]]*'${label}'`))
    }
  })
})

test('the filter of calls lets sandboxes be made, and what no scan needs not be called', () => {
  const filter = z
    .object({
      defaultAction: z.literal('SCMP_ACT_ERRNO'),
      syscalls: z.array(z.object({ names: Words, action: z.literal('SCMP_ACT_ALLOW') })),
    })
    .parse(JSON.parse(textOf('seccomp.json')))
  const allowed = new Set(filter.syscalls.flatMap(({ names }) => names))
  for (const call of ['clone', 'clone3', 'unshare', 'mount', 'umount2', 'pivot_root', 'chroot', 'seccomp', 'prctl'])
    expect([...allowed]).toContain(call)
  const kept = ['bpf', 'ptrace', 'kexec_load', 'init_module', 'perf_event_open', 'reboot', 'swapon', 'keyctl', 'iopl']
  expect([...kept, 'open_by_handle_at', 'userfaultfd', 'io_uring_setup'].filter((call) => allowed.has(call))).toEqual(
    [],
  )
})
