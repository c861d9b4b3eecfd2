/** A collect context whose resolver and trust anchor are those of the small internet. */

import type { EvidenceFile } from '../../src/contract/evidence.ts'
import { createEgress } from '../../src/egress/door/create-egress.ts'
import { ModuleEnding } from '../../src/modules/endings.ts'
import type { CollectContext } from '../../src/modules/module.ts'
import { createRunScope } from '../../src/modules/run-scope.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'

export interface DnsCase {
  readonly ctx: CollectContext
  readonly evidence: EvidenceFile[]
  readonly close: () => Promise<void>
}

export const dnsContext = (
  bind: { readonly resolver: string; readonly anchor: string },
  host: string,
  module: string,
  change: {
    readonly hosts?: Readonly<Record<string, readonly string[]>>
    readonly allowNetworks?: readonly string[]
  } = {},
): DnsCase => {
  const { target, options } = caseContext()
  const { signal } = new AbortController()
  const to = { ...target, host }
  const egress = createEgress({
    settings: {
      hosts: change.hosts ?? {},
      allowNetworks: change.allowNetworks ?? ['127.0.0.0/8'],
      resolvers: [bind.resolver],
      trustAnchors: [bind.anchor],
      requestsPerSecond: 20,
      concurrency: 10,
      contact: '',
      trafficKey: Buffer.from('test key').toString('base64url'),
    },
    runId: '00000000-0000-4000-8000-00000000000a',
    version: '0.0.0',
    target: to,
    credentials: { cookie: null, header: null },
    audit: () => undefined,
    signal,
  })
  const evidence: EvidenceFile[] = []
  return {
    evidence,
    close: () => egress.close(),
    ctx: {
      target: to,
      options,
      egress: egress.forModule(module, { requests: 500, signal }),
      browser: () => Promise.reject(new ModuleEnding('skipped', 'no browser in this test')),
      signal,
      scope: createRunScope(),
      progress: () => undefined,
      evidence: (file) => {
        evidence.push(file)
        return { id: `evidence-${evidence.length}`, filename: file.filename }
      },
      fault: (error) => {
        throw error
      },
      hasCredentials: false,
      now: Date.now(),
      timeFactor: 1,
      secondsLeft: () => 0,
      secondsToEnd: () => Number.POSITIVE_INFINITY,
    },
  }
}
