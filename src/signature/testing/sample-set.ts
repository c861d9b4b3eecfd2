/** A signed version as a service hands it out, in memory. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { ArtifactKind } from '../../contract/artifact.ts'
import { fingerprintOf, type Signer } from '../envelope.ts'
import { type GivenFile, readGiven } from '../given.ts'
import { SIGNATURE_FILE, signVersion } from '../statement.ts'

export const RUN = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f00'
export const OTHER_RUN = '0198f2c4-5f7e-7c3a-9a51-2b8d1c6e4f01'

export const newSigner = (): Signer => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  return { publicKey: spki, fingerprint: fingerprintOf(spki), sign: (bytes) => sign(null, bytes, privateKey) }
}

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

export const auditLog = (lines: number): Buffer => {
  let prev = '0'.repeat(64)
  const texts = Array.from({ length: lines }, (_, index) => {
    const text = JSON.stringify({
      ts: '2026-11-21T09:00:00.000Z',
      seq: index + 1,
      module: 'site',
      event: 'request',
      prev,
    })
    prev = sha256(text)
    return `${text}\n`
  })
  return Buffer.from(texts.join(''))
}

const KINDS: Readonly<Record<string, ArtifactKind>> = {
  ...{ 'findings.json': 'findings_json', 'report.pdf': 'report_pdf', 'report.html': 'report_html' },
  ...{ 'report.md': 'report_md', 'report.tex': 'report_tex', 'logo.png': 'branding_logo' },
  ...{ 'audit-log.jsonl': 'audit_log', 'evidence.zip': 'evidence' },
}

/** Name → bytes, the signature among them. */
export type FileSet = ReadonlyMap<string, Buffer>

export const sampleSet = (signer: Signer, { runId = RUN, version = 1 } = {}): FileSet => {
  const findings = {
    schema_version: '1.7.0',
    version,
    run: { id: runId, tier: 'passive' },
    findings: [`of ${version}`],
  }
  const files = new Map<string, Buffer>([
    ['findings.json', Buffer.from(`${JSON.stringify(findings, null, 2)}\n`)],
    ['report.pdf', Buffer.from(`%PDF-1.7 ${runId.at(-1)} ${version}\n${'\x80\xff'.repeat(200)}%%EOF`, 'latin1')],
    ['report.html', Buffer.from(`<!doctype html><p>${runId}, version ${version}</p>${'x'.repeat(400)}`)],
    ['report.md', Buffer.from(`# Security report\n\n${runId}, version ${version}\n`)],
    ['report.tex', Buffer.from('\\relax')],
    ['audit-log.jsonl', auditLog(12)],
    ['evidence.zip', Buffer.from('PK\x03\x04 archive')],
    ['evidence/answer.txt', Buffer.from('HTTP/1.1 200 OK')],
    ['evidence/again.txt', Buffer.from('HTTP/1.1 200 OK')],
  ])
  return new Map([...files, [SIGNATURE_FILE, signatureOf(files, signer, { runId, version })]])
}

export const signatureOf = (
  files: FileSet,
  signer: Signer,
  { runId = RUN, version = 1 }: { readonly runId?: string; readonly version?: number } = {},
): Buffer => {
  const bound = [...files].map(([name, bytes]) => ({
    ...{ name, kind: KINDS[name] ?? 'evidence', sha256: sha256(bytes), size: bytes.length },
  }))
  return signVersion({ runId, target: 'shop.test', version, signedAt: '2026-11-21T09:06:20.000Z' }, bound, signer)
}

/** As if it had been read in pieces of so many bytes. */
export const given = (files: Iterable<readonly [string, Buffer]>, piece = 1 << 16): GivenFile[] =>
  [...files].map(([path, bytes]) => {
    const reading = readGiven(path)
    for (let from = 0; from < bytes.length; from += piece) reading.add(bytes.subarray(from, from + piece))
    return reading.end()
  })
