/** Feeds with what a test wants in them, fetched from a mirror on loopback as the product does. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import yazl from 'yazl'
import { updateFeeds } from '../../src/feeds/update.ts'
import type { FeedId } from '../../src/knowledge/feeds/feed.ts'

const kev = (...ids: readonly string[]): string =>
  JSON.stringify({ vulnerabilities: ids.map((cveID) => ({ cveID, dateAdded: '2026-11-20' })) })
const record = (id: string, product: string, below: string): object => ({
  dataType: 'CVE_RECORD',
  cveMetadata: { cveId: id, state: 'PUBLISHED' },
  containers: {
    cna: {
      descriptions: [{ lang: 'en', value: 'Script of a page runs what it should not.' }],
      affected: [
        {
          vendor: product,
          product,
          versions: [{ version: '0', status: 'affected', lessThan: below, versionType: 'semver' }],
        },
      ],
      metrics: [
        { cvssV3_1: { version: '3.1', vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', baseScore: 9.8 } },
      ],
    },
  },
})

/** By feed, the one file of it: its name on a mirror, and what is in it. */
type Files = Readonly<Partial<Record<FeedId, readonly [file: string, body: string | Buffer]>>>

const bring = async (folder: string, files: Files): Promise<void> => {
  const bodies = new Map(Object.entries(files).map(([feed, [file, body]]) => [`/${feed}/${file}`, body]))
  const mirror = createServer(({ url = '' }, response) => {
    const body = bodies.get(url)
    response.writeHead(body === undefined ? 404 : 200).end(body ?? '')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => mirror.once('listening', resolve))
  const origin = new URL(`http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`)
  const named = Object.keys(files) as FeedId[]
  try {
    const signal = new AbortController().signal
    for await (const { problem } of updateFeeds(named, { folder: folder, origin, signal })) expect(problem).toBeNull()
  } finally {
    mirror.closeAllConnections()
    mirror.close()
  }
}
/** Known exploited vulnerabilities. */
export const bringKev = (folder: string, ...ids: readonly string[]): Promise<void> =>
  bring(folder, { kev: ['known_exploited_vulnerabilities.json', kev(...ids)] })
/** CVE records that hold below a version. */
export const bringRecords = async (
  folder: string,
  ...records: readonly (readonly [id: string, product: string, below?: string])[]
): Promise<void> => {
  const archive = new yazl.ZipFile()
  for (const [id, product, below = '3.9.0'] of records)
    archive.addBuffer(Buffer.from(JSON.stringify(record(id, product, below))), `cves/${id}.json`)
  archive.end()
  await bring(folder, { cve5: ['cvelistV5.zip', await buffer(archive.outputStream)] })
}
