/** The bill of materials: CycloneDX 1.6 as JSON, of what the installed product consists of. No address of a registry is in it. */
import { createHash } from 'node:crypto'
import { askedBy, type Locked, type Packages } from '../../../scripts/locked-packages.ts'
import { type Manifest, manifestAt } from './third-party.ts'
import { type FolderOf, installedHere, nodePackage } from './tree.ts'

export interface Materials {
  readonly version: string
  readonly packages: Packages
  /** Places of packages that lie beside the product, and of those whose code is bundled into the web application. */
  readonly installed: readonly string[]
  readonly bundled: readonly string[]
  /** Seconds since 1970: when the sources were made, not when this was written. */
  readonly epoch: number
  /** Of the machine that it is installed on, as Node names it; this one's where nobody says. */
  readonly processor?: string
  /** Where packages lie; those of this machine where nobody says. */
  readonly folderOf?: FolderOf
}

/** @throws Error where a package is not installed, or is no longer the one of the lockfile */
export const renderSbom = ({
  version,
  packages,
  installed,
  bundled,
  epoch,
  processor = process.arch,
  folderOf = installedHere,
}: Materials): string => {
  const places = [...new Set([...installed, ...bundled])].toSorted()
  const product = { type: 'application', 'bom-ref': `pkg:npm/sonde@${version}`, name: 'sonde', version }
  const body = {
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: { ...product, purl: product['bom-ref'] },
    },
    components: places.map((place) => ({
      ...component(packages[place], place, manifestAt(place, folderOf)),
      // By this name its weaknesses are published.
      ...(place === `node_modules/${nodePackage(processor)}` ? { cpe: cpeOfNode(packages[place]?.version) } : {}),
      properties: [
        { name: 'sonde:lies', value: installed.includes(place) ? place : 'bundled into the web application' },
      ],
    })),
    dependencies: [
      { ref: product['bom-ref'], dependsOn: refs(places, askedBy(packages, '', processor)) },
      ...places.map((place) => ({ ref: place, dependsOn: refs(places, askedBy(packages, place, processor)) })),
    ],
  }
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialOf(JSON.stringify(body)), version: 1 }
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`
}

const refs = (places: readonly string[], asked: readonly string[]): readonly string[] =>
  [...new Set(asked)].filter((place) => places.includes(place)).toSorted()

const cpeOfNode = (version: string | undefined): string => `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`

const component = (locked: Locked | undefined, place: string, { name, version, license }: Manifest) => {
  if (locked?.version !== version) throw new Error(`${place} is ${version}, package-lock.json has ${locked?.version}`)
  const [group, bare] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': place,
    ...(group === undefined ? {} : { group }),
    name: bare,
    version,
    scope: 'required',
    ...(locked.integrity === undefined ? {} : { hashes: [hashOf(locked.integrity)] }),
    licenses: [/ (?:OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }
}

/** Of Subresource Integrity, as the lockfile has it: the digest of the published archive. */
const hashOf = (integrity: string): { readonly alg: string; readonly content: string } => {
  const [, bits = '', digest = ''] = /^sha(256|384|512)-([A-Za-z0-9+/=]+)$/.exec(integrity) ?? []
  if (bits === '') throw new Error(`not a digest: ${integrity}`)
  return { alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') }
}

/** A UUID of version 8 (RFC 9562) made of the content, so that the same product has the same bill. */
const serialOf = (content: string): string => {
  const hex = createHash('sha256').update(content).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
