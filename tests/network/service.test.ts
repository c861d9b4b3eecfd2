/**
 * What the service does for itself in a network that leads nowhere: every task fails alone, and the process goes on. With
 * SONDE_LONG=1; runs in such networks are in bed.test.ts, the service's own messages in notices.test.ts.
 */
import { describe, expect, test } from 'vitest'
import { hasNamespaces, inNamespace, NEEDS } from '../support/namespace.ts'

const DEADLINE = 280_000

describe.runIf(hasNamespaces())(`the service without a way out ${NEEDS}`, () => {
  test('proof, webhooks, mail, test of a login and a run end; the process does not', {
    timeout: DEADLINE,
  }, async () => {
    const { code, signal, out, err } = await inNamespace('service.ts', [], { deadline: DEADLINE })
    expect({ code, signal }, err).toEqual({ code: 0, signal: null })
    expect(JSON.parse(out)).toEqual({
      proved: 200,
      login: 200,
      'verify nowhere.example.com': 200,
      'verify six.test': 200,
      'webhook https://hooks.example.com/x': expect.stringContaining('the resolver did not answer'),
      'webhook http://hooks.test/x': expect.stringContaining('no IPv6 route'),
      'login test': 'not_tested',
      run: { status: 'failed', error_kind: 'target_unreachable' },
      alive: true,
      'ready again': 200,
      'alive again': true,
      uncaught: null,
    })
  })
})
